"""Commands that read and change the rules. None of them changes komi or the stones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goengine.gtp.registry import command
from goengine.gtp.replies import GtpError, quote
from goengine.rules.rulesets import Rules, change_rule, find_rules, parse_rules, rules_to_json

if TYPE_CHECKING:
    from goengine.gtp.session import GtpSession

# KGS plays what it calls Chinese rules with superko.
_KGS_RULES = {
    "chinese": "chinese-kgs",
    "aga": "aga",
    "japanese": "japanese",
    "new_zealand": "new-zealand",
}


@command("kgs-rules")
def kgs_rules(session: GtpSession, name: str) -> None:
    if name.lower() not in _KGS_RULES:
        raise GtpError(f"syntax error: {quote(name)} is not one of {', '.join(_KGS_RULES)}")
    _use_rules(session, find_rules(_KGS_RULES[name.lower()]))


@command("kgs-game_over")
def kgs_game_over(session: GtpSession) -> None:
    """Keeps the board: the game may be resumed."""


@command("kata-get-rules")
def kata_get_rules(session: GtpSession) -> str:
    return rules_to_json(session.game.rules)


@command("kata-set-rules")
def kata_set_rules(session: GtpSession, *rules: str) -> None:
    """Takes a name or a JSON object, which may hold spaces."""
    try:
        new_rules = parse_rules(" ".join(rules))
    except ValueError as error:
        raise GtpError(f"syntax error: {error}") from None
    _use_rules(session, new_rules)


@command("kata-set-rule")
def kata_set_rule(session: GtpSession, rule: str, value: str) -> None:
    try:
        new_rules = change_rule(session.game.rules, rule, value)
    except ValueError as error:
        raise GtpError(f"syntax error: {error}") from None
    _use_rules(session, new_rules)


def _use_rules(session: GtpSession, rules: Rules) -> None:
    with session.changed_game() as game:
        game.rules = rules
