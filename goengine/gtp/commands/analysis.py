"""Commands that tell what a search finds while it goes on.

    lz-analyze [COLOR] [CENTISECONDS] [interval N] [minmoves N] [maxmoves N]
               [avoid|allow COLOR VERTEX,VERTEX,... DEPTH] ...

The others take the same words, those of kata and Sabaki also the flags of `FLAGS` with true
or false. Any input ends an analysis, and a search whose name ends in _cancellable; a move is
sought to its end. Words of our own, for an analysis that is to end by itself: [playouts N]
[seconds S]; its last line then tells what was found in the end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from goengine.gtp.analysis import FLAGS, AnalysisOptions, Dialect, format_analysis
from goengine.gtp.commands.moves import order_move, play_found
from goengine.gtp.commands.parameters import parse_playouts, parse_seconds
from goengine.gtp.parsing import parse_color, parse_integer, parse_move, parse_number
from goengine.gtp.registry import command
from goengine.gtp.replies import GtpError, quote
from goengine.points import PASS, all_points, format_vertex
from goengine.rules.game import Game
from goengine.search.orders import Found, Limits, Order, Purpose
from goengine.search.position import Restriction

if TYPE_CHECKING:
    from goengine.gtp.session import GtpSession

# Seconds. KataGo reports nothing if no interval is given, which helps nobody.
DEFAULT_INTERVAL = 1.0
SHORTEST_INTERVAL = 0.05
LONGEST_INTERVAL = 86_400.0

_MOST_WORDS = 500  # no client needs more, and a search looks at every restriction
_KEYS = ("interval", "minmoves", "maxmoves", "avoid", "allow")
_LIMITS = ("playouts", "seconds")
_COLOR_NAMES = ("b", "w", "black", "white")


@command("lz-analyze")
def lz_analyze(session: GtpSession, *arguments: str) -> Order:
    return _order_analysis(session, "lz", arguments)


@command("kata-analyze")
def kata_analyze(session: GtpSession, *arguments: str) -> Order:
    return _order_analysis(session, "kata", arguments)


@command("analyze")
def analyze(session: GtpSession, *arguments: str) -> Order:
    return _order_analysis(session, "sabaki", arguments)


@command("lz-genmove_analyze")
def lz_genmove_analyze(session: GtpSession, *arguments: str) -> Order:
    return _order_played_move(session, "lz", arguments)


@command("kata-genmove_analyze")
def kata_genmove_analyze(session: GtpSession, *arguments: str) -> Order:
    return _order_played_move(session, "kata", arguments)


@command("genmove_analyze")
def genmove_analyze(session: GtpSession, *arguments: str) -> Order:
    return _order_played_move(session, "sabaki", arguments)


@command("kata-search")
def kata_search(session: GtpSession, color: str = "") -> Order:
    """Choose a move and do not play it."""
    player = parse_color(color) if color else session.game.to_play
    return order_move(session, player, _name_move(session.game.size))


@command("kata-search_cancellable")
def kata_search_cancellable(session: GtpSession, color: str = "") -> Order:
    """Ended early, it answers `cancelled`."""
    return _cancellable(kata_search(session, color), "cancelled")


@command("kata-search_analyze")
def kata_search_analyze(session: GtpSession, *arguments: str) -> Order:
    return _order_move(session, "kata", arguments, lambda _: _name_move(session.game.size))


@command("kata-search_analyze_cancellable")
def kata_search_analyze_cancellable(session: GtpSession, *arguments: str) -> Order:
    return _cancellable(kata_search_analyze(session, *arguments), "play cancelled")


@command("stop")
def stop(session: GtpSession) -> None:
    """Like any other input, ends an analysis; and pondering, until the game goes on."""
    session.rest()


@dataclass
class _Wish:
    """What the arguments of an analysis say; `restrictions` by word and colour."""

    color: int
    options: AnalysisOptions
    interval: float = DEFAULT_INTERVAL
    restrictions: list[tuple[str, Restriction]] = field(default_factory=list)
    limits: Limits = field(default_factory=Limits)  # of an analysis

    def fulfil(self, order: Order) -> Order:
        return replace(
            order,
            restrictions=tuple(restriction for _, restriction in self.restrictions),
            interval=self.interval,
            report=lambda reading: format_analysis(reading, self.options),
        )


def _order_analysis(session: GtpSession, dialect: Dialect, words: tuple[str, ...]) -> Order:
    wish = _parse_wish(words, session.game, dialect, _LIMITS)
    order = Order(wish.color, Purpose.ANALYSIS, wish.limits, lambda found: "", yields=True)
    return wish.fulfil(order)


def _order_played_move(session: GtpSession, dialect: Dialect, words: tuple[str, ...]) -> Order:
    return _order_move(
        session, dialect, words, lambda color: lambda found: play_found(session, color, found)
    )


def _order_move(
    session: GtpSession,
    dialect: Dialect,
    words: tuple[str, ...],
    finish_for: Callable[[int], Callable[[Found], str]],
) -> Order:
    """`finish_for` a colour gives what becomes of the move and names it."""
    wish = _parse_wish(words, session.game, dialect)
    finish = finish_for(wish.color)
    return wish.fulfil(order_move(session, wish.color, lambda found: f"play {finish(found)}"))


def _cancellable(order: Order, text: str) -> Order:
    """The same, but any input ends it, and then it has no move to tell."""
    return replace(
        order,
        yields=True,
        finish=lambda found: text if found.is_cut_off else order.finish(found),
    )


def _name_move(size: int) -> Callable[[Found], str]:
    return lambda found: format_vertex(found.move, size)


def _parse_wish(
    arguments: tuple[str, ...], game: Game, dialect: Dialect, more_keys: tuple[str, ...] = ()
) -> _Wish:
    if len(arguments) > _MOST_WORDS:
        raise GtpError(f"syntax error: more than {_MOST_WORDS} words")
    words = list(arguments)
    wish = _Wish(game.to_play, AnalysisOptions(dialect))
    if words and words[0].lower() in _COLOR_NAMES:
        wish.color = parse_color(words.pop(0))
    if words and words[0][:1] in set("+-.0123456789"):
        wish.interval = _parse_interval(words.pop(0))
    keys = (*_KEYS, *more_keys, *(() if dialect == "lz" else FLAGS))
    while words:
        _parse_pair(wish, words, game, keys)
    _check_something_is_left(wish, game)
    return wish


def _parse_pair(wish: _Wish, words: list[str], game: Game, keys: tuple[str, ...]) -> None:
    """Take a key and its values off `words` and enter them."""
    key = words.pop(0)
    if key not in keys:
        raise GtpError(f"syntax error: {quote(key)} is not one of {', '.join(keys)}")
    n_values = 3 if key in ("avoid", "allow") else 1
    if len(words) < n_values:
        form = "COLOR VERTEX,VERTEX,... DEPTH" if n_values == 3 else "a value"
        raise GtpError(f"syntax error: after {key} comes {form}")
    values = [words.pop(0) for _ in range(n_values)]
    match key:
        case "interval":
            wish.interval = _parse_interval(values[0])
        case "minmoves":
            wish.options = replace(wish.options, min_moves=_parse_count(key, values[0], 0))
        case "maxmoves":
            wish.options = replace(wish.options, max_moves=_parse_count(key, values[0], 1))
        case "playouts":
            wish.limits = wish.limits._replace(playouts=parse_playouts(values[0]))
        case "seconds":
            wish.limits = wish.limits._replace(seconds=parse_seconds(values[0]))
        case "avoid" | "allow":
            _restrict(wish, key, _parse_restriction(key, values, game.size))
        case _:
            asked = {key} if _parse_flag(key, values[0]) else set()
            wish.options = replace(wish.options, flags=wish.options.flags - {key} | asked)


def _parse_interval(text: str) -> float:
    """Centiseconds to seconds."""
    value = parse_number(text)
    if value < 0:
        raise GtpError(f"syntax error: the interval is in centiseconds from 0 on, not {text}")
    return min(max(value / 100, SHORTEST_INTERVAL), LONGEST_INTERVAL)


def _parse_count(key: str, text: str, least: int) -> int:
    value = parse_integer(text)
    if value < least:
        raise GtpError(f"syntax error: {key} is a number of moves from {least} on")
    return value


def _parse_flag(key: str, text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise GtpError(f"syntax error: {key} is true or false, not {quote(text)}")
    return text.lower() == "true"


def _parse_restriction(key: str, values: list[str], size: int) -> Restriction:
    color = parse_color(values[0])
    moves = frozenset(parse_move(vertex, size) for vertex in values[1].split(","))
    if key == "allow":
        moves = frozenset([PASS, *all_points(size)]) - moves
    return Restriction(color, moves, _parse_count(f"the depth of {key}", values[2], 1))


def _restrict(wish: _Wish, key: str, restriction: Restriction) -> None:
    """As in KataGo, one allow is all that may be said of a colour."""
    said = [word for word, earlier in wish.restrictions if earlier.color == restriction.color]
    if "allow" in said or (key == "allow" and said):
        raise GtpError("syntax error: a colour has one allow, or any number of avoid, not both")
    wish.restrictions.append((key, restriction))


def _check_something_is_left(wish: _Wish, game: Game) -> None:
    avoided: set[int] = set()
    for _, restriction in wish.restrictions:
        if restriction.color == wish.color:
            avoided |= restriction.moves
    if PASS in avoided and not any(
        game.is_legal(wish.color, point) for point in set(all_points(game.size)) - avoided
    ):
        raise GtpError("syntax error: avoid or allow leaves no legal move")
