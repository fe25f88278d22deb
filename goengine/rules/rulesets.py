"""Rules as data: the named rulesets, and the JSON by which programs exchange them.

Names, keys and values are KataGo's, because GUIs know them; "cgos" is ours, for the server that
has Tromp-Taylor rules but takes suicide for a lost game. A `Rules` never changes; a game may
exchange its rules for others.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal

Ko = Literal["simple", "positional", "situational"]
Scoring = Literal["area", "territory"]
HandicapBonus = Literal["none", "n", "n-1"]


@dataclass(frozen=True)
class Rules:
    """One ruleset.

    ko              what may not be repeated. "simple": a ko may not be taken back at
                    once; "positional": no position that stood before may return;
                    "situational": none with the same player to move
    suicide         two stones and more may be played off the board by their owner
    scoring         "area": living stones and territory; "territory": territory and
                    prisoners. Under AGA rules both agree, since a pass costs a
                    prisoner: they are "area" here, and pass stones need no counting
    komi            white's points in a game that does not say otherwise
    handicap_bonus  white's points for N handicap stones: none, N or N - 1
    friendly_pass   may a player pass before all dead stones are captured?
    """

    name: str
    ko: Ko
    suicide: bool
    scoring: Scoring
    komi: float
    handicap_bonus: HandicapBonus
    friendly_pass: bool

    def compensation(self, n_handicap: int) -> int:
        """White's points for so many handicap stones. One stone is just black's first move."""
        if n_handicap < 2 or self.handicap_bonus == "none":
            return 0
        return n_handicap if self.handicap_bonus == "n" else n_handicap - 1


# fmt: off
_NAMED_RULES = (
    #                     ko          suicide scoring      komi  bonus   friendly pass
    Rules("chinese",      "simple",      False, "area",      7.5, "n",    True),
    Rules("chinese-ogs",  "positional",  False, "area",      7.5, "n",    True),
    Rules("chinese-kgs",  "positional",  False, "area",      7.5, "n",    True),
    Rules("tromp-taylor", "positional",  True,  "area",      7.5, "none", False),
    Rules("cgos",         "positional",  False, "area",      7.5, "none", False),
    Rules("japanese",     "simple",      False, "territory", 6.5, "none", False),
    Rules("korean",       "simple",      False, "territory", 6.5, "none", False),
    Rules("aga",          "situational", False, "area",      7.5, "n-1",  True),
    Rules("bga",          "situational", False, "area",      7.5, "n-1",  True),
    Rules("new-zealand",  "situational", True,  "area",      7.5, "none", True),
)
# fmt: on

RULESETS: dict[str, Rules] = {rules.name: rules for rules in _NAMED_RULES}
DEFAULT_RULES = RULESETS["chinese"]

_ALIASES = {"french": "bga", "nz": "new-zealand"}
_DEFAULT_KOMI = {"area": 7.5, "territory": 6.5}

# JSON key: the field of Rules, and the value that each word of the JSON stands for.
_TRUTH = {"FALSE": False, "TRUE": True}
_OPTIONS: dict[str, tuple[str, dict[str, Any]]] = {
    "friendlyPassOk": ("friendly_pass", _TRUTH),
    "ko": (
        "ko",
        {"SIMPLE": "simple", "POSITIONAL": "positional", "SITUATIONAL": "situational"},
    ),
    "scoring": ("scoring", {"AREA": "area", "TERRITORY": "territory"}),
    "suicide": ("suicide", _TRUTH),
    "whiteHandicapBonus": ("handicap_bonus", {"0": "none", "N": "n", "N-1": "n-1"}),
}
# Options that other programs have and these rules lack: only one value is right.
_BUTTON = "hasButton"
_TAX = "tax"
_TAX_BY_SCORING = {"area": "NONE", "territory": "SEKI"}


def find_rules(name: str) -> Rules:
    """Return the ruleset of that name; capitals, spaces, - and _ do not matter.

    Raises ValueError naming the rulesets that exist.
    """
    wanted = _letters_of(name)
    for known, rules in RULESETS.items():
        if wanted == _letters_of(known):
            return rules
    if wanted in _ALIASES:
        return RULESETS[_ALIASES[wanted]]
    raise ValueError(f"no rules are called {_quoted(name)}; there are {', '.join(RULESETS)}")


def parse_rules(text: str) -> Rules:
    """Return the rules for a name or a JSON object. Raises ValueError."""
    return rules_from_json(text) if text.lstrip().startswith("{") else find_rules(text)


def rules_from_json(text: str) -> Rules:
    """Return the rules that a JSON object describes; what it leaves out is as in Tromp-Taylor.

    Raises ValueError naming the key and the values that are allowed.
    """
    try:
        options = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError(f"rules {_quoted(text)} are not JSON") from None
    if not isinstance(options, dict):
        raise ValueError(f"rules {_quoted(text)} are not a JSON object")
    return _with_options(RULESETS["tromp-taylor"], options.items())


def rules_to_json(rules: Rules) -> str:
    """Return a JSON object without spaces, its keys in order. It leaves out komi and name."""
    options: dict[str, Any] = {_BUTTON: False, _TAX: _TAX_BY_SCORING[rules.scoring]}
    for key, (field, words) in _OPTIONS.items():
        value = getattr(rules, field)
        options[key] = value if words is _TRUTH else _key_of(value, words)
    return json.dumps(options, sort_keys=True, separators=(",", ":"))


def change_rule(rules: Rules, key: str, value: str | bool) -> Rules:
    """Return `rules` with one option changed, named as in JSON: ``ko``, ``SIMPLE``.

    Raises ValueError naming the keys or the values that are allowed.
    """
    return _with_options(rules, [(key, value)])


def _with_options(rules: Rules, options: Iterable[tuple[str, Any]]) -> Rules:
    fields: dict[str, Any] = {}
    demands: dict[str, Any] = {}
    for key, value in options:
        key = "scoring" if key == "score" else key
        if key in (_BUTTON, _TAX):
            demands[key] = value
        elif key in _OPTIONS:
            field, words = _OPTIONS[key]
            fields[field] = _choose(key, value, words)
        else:
            known = ", ".join(sorted([*_OPTIONS, _BUTTON, _TAX]))
            raise ValueError(f"no rule is called {_quoted(key)}; there are {known}")
    changed = replace(rules, **fields)
    for key, value in demands.items():
        only = _TAX_BY_SCORING[changed.scoring] if key == _TAX else "FALSE"
        _choose(key, value, {only: None})
    return _under_its_name(changed, rules)


def _under_its_name(changed: Rules, original: Rules) -> Rules:
    """The named ruleset that is equal but for its name and komi; otherwise name it custom."""
    for known in (original, *_NAMED_RULES):
        if replace(changed, name=known.name, komi=known.komi) == known:
            return known
    return replace(changed, name="custom", komi=_DEFAULT_KOMI[changed.scoring])


def _choose(key: str, value: object, words: dict[str, Any]) -> Any:
    word = str(value).upper()
    if word not in words:
        raise ValueError(f"{key} {_quoted(value)} is not one of {', '.join(words)}")
    return words[word]


def _key_of(value: object, words: dict[str, Any]) -> str:
    return next(word for word, meaning in words.items() if meaning == value)


def _letters_of(name: str) -> str:
    return "".join(character for character in name.lower() if character.isalnum())


def _quoted(value: object) -> str:
    """Short enough for one line, whatever it is."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
