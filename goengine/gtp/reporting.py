"""How a search goes, as lines of JSON in the form of Pachi's: frames on the way, a move at the end.

    {"frame": {"playouts": 900, "progress": 0.45, "extrakomi": 0.0, "best": {"D4": 0.512},
               "can": [[{"D4": [0.512, 400]}, {"E5": [null, 120]}, ...], ...],
               "avg": {"score": 1.2}, "boards": {"territory": [870, 500, ...]}}}
    {"move": {"playouts": 2000, "kept": 800, "pondered": {"made": 900, "used": 400,
              "expected": true}, "choice": "D4", "winrate": 0.512, "can": ..., "boards": ...}}

Playouts are visits of the root; `kept` were there before the search, and of these `used` are
playouts that pondering made (`Pondered` in search/orders.py). Win rates are those of the player
to move. "can" has the best moves, each with its variation: win rate and visits, the rate null
where it is not known, as for all but the first move. The score is black's after komi; territory
is 1000 where black owns a point, 0 where white does, from the top left. What is not known yet is
left out, but winrate, which is null.

With dynamic komi all of these win rates are those after "extrakomi", points for white on top of
komi; "realwinrate" is that of the position in the game as it is, which score and territory are
about. A move has "extrakomi" too then. With values scaled by situation there is "realwinrate", too.
"""

from __future__ import annotations

import json
from typing import Any

from goengine.board import BLACK
from goengine.gtp.analysis import rows_from_top
from goengine.points import format_vertex
from goengine.search.orders import Pondered
from goengine.search.reading import MoveReading, SearchReading

MAX_CANDIDATES = 4


def format_frame(reading: SearchReading, progress: float | None) -> str:
    """One line; `progress` from 0 to 1, if there is an end to measure it by."""
    best = [move for move in reading.moves if move.visits][:1]
    frame: dict[str, Any] = {"playouts": reading.visits}
    if progress is not None:
        frame["progress"] = round(min(max(progress, 0.0), 1.0), 4)
    frame |= {"extrakomi": round(reading.extra_komi, 2)} | _real_win_rate(reading)
    frame["best"] = {format_vertex(each.move, reading.size): _rate(each.win_rate) for each in best}
    frame["can"] = _candidates(reading)
    if reading.score is not None:
        frame["avg"] = {"score": round(reading.score, 2)}
    return json.dumps({"frame": frame | _boards(reading)})


def format_move(reading: SearchReading, choice: str, pondered: Pondered | None = None) -> str:
    """One line; `choice` is the vertex that the search would play, or pass."""
    move: dict[str, Any] = {"playouts": reading.visits, "kept": reading.kept}
    if pondered is not None:
        made, used, expected = pondered
        move["pondered"] = {"made": made, "used": used, "expected": expected}
    move |= {
        "choice": choice,
        "winrate": _rate(_win_rate_of(choice, reading)),
    }
    if reading.real_win_rate is not None:
        move |= {"extrakomi": round(reading.extra_komi, 2)} | _real_win_rate(reading)
    move["can"] = _candidates(reading)
    return json.dumps({"move": move | _boards(reading)})


def format_result(
    reading: SearchReading, color: int, choice: str, pondered: Pondered | None = None
) -> str:
    """One line that begins as Pachi's `pachi-result`: colour, choice, playouts, win rate, and
    what komi was changed by.

    Then visits that were kept, and after pondering: how many of these it had made, how many it
    had made in all, and whether it had expected the reply.
    """
    win_rate = _win_rate_of(choice, reading)
    name = "black" if color == BLACK else "white"
    rate = 0.5 if win_rate is None else win_rate
    komi = round(reading.extra_komi, 2)
    line = f"{name} {choice} {reading.simulations} {rate:.4f} {komi} {reading.kept}"
    if pondered is None:
        return line
    word = "expected" if pondered.is_expected else "unexpected"
    return f"{line} {pondered.n_used} {pondered.n_made} {word}"


def format_choice(choice: str, win_rate: float | None) -> str:
    """One line about a move of an engine that tells no more."""
    return json.dumps({"move": {"choice": choice, "winrate": _rate(win_rate)}})


def _win_rate_of(choice: str, reading: SearchReading) -> float | None:
    rates = {format_vertex(move.move, reading.size): move.win_rate for move in reading.moves}
    win_rate = rates.get(choice)
    return reading.win_rate if win_rate is None else win_rate


def _real_win_rate(reading: SearchReading) -> dict[str, Any]:
    rate = _rate(reading.real_win_rate)
    return {} if rate is None else {"realwinrate": rate}


def _candidates(reading: SearchReading) -> list[list[dict[str, Any]]]:
    visited = [move for move in reading.moves if move.visits]
    return [_variation(move, reading.size) for move in visited[:MAX_CANDIDATES]]


def _variation(move: MoveReading, size: int) -> list[dict[str, Any]]:
    rates = [_rate(move.win_rate), *[None] * len(move.variation)]
    return [
        {format_vertex(each, size): [rate, visits]}
        for each, rate, visits in zip(move.variation, rates, move.variation_visits, strict=False)
    ]


def _boards(reading: SearchReading) -> dict[str, Any]:
    if not reading.simulations:
        return {}
    owners = (reading.ownership[point] for point in rows_from_top(reading.size))
    return {"boards": {"territory": [round(500 + 500 * owner) for owner in owners]}}


def _rate(win_rate: float | None) -> float | None:
    return None if win_rate is None else round(win_rate, 4)
