"""Where the games of a tuning start, and where those start that show what it gained."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from clients.match.definition import MatchError
from clients.match.openings import Opening, find_openings
from clients.match.results_folder import replace_whole
from clients.tune.definition import Tuning

VERIFY_OPENINGS = "verify-openings.txt"
_KEPT = 5  # of openings from files one in so many is kept for verification


class Division(NamedTuple):
    """No position is on both sides. Both are empty where games start from the empty board."""

    tuning: list[Opening]
    verification: list[Opening]


async def divide_openings(tuning: Tuning) -> Division:
    """Made at the first time, with the file for the verification. Raises MatchError."""
    wanted = tuning.pairing.openings
    if wanted is None:
        return Division([], [])
    used = _unique(await _find(tuning, wanted.seed))
    if wanted.file is None:
        positions = set(map(_position, used))
        fresh = await _find(tuning, wanted.seed + 1)
        fresh = [opening for opening in _unique(fresh) if _position(opening) not in positions]
    else:
        fresh = used[_KEPT - 1 :: _KEPT]
        used = [opening for opening in used if opening not in fresh]
    if not fresh:
        raise MatchError(
            f"{tuning.path}: no opening is left to verify the gain with; give "
            + ("openings more moves" if wanted.file is None else f"at least {_KEPT} openings")
        )
    lines = "".join(f"{' '.join(opening)}\n" for opening in fresh)
    replace_whole(tuning.folder / VERIFY_OPENINGS, lines.encode())
    return Division(used, fresh)


async def _find(tuning: Tuning, seed: int) -> list[Opening]:
    pairing, match = tuning.pairing, tuning.match
    assert pairing.openings
    openings = msgspec.structs.replace(pairing.openings, seed=seed)
    asked = msgspec.structs.replace(pairing, openings=openings, name=match.title)
    return await find_openings(asked, match.path.parent, match.results)


def _unique(openings: list[Opening]) -> list[Opening]:
    """The same stones in another order are the same opening."""
    return list({_position(opening): opening for opening in reversed(openings)}.values())[::-1]


def _position(opening: Opening) -> tuple[frozenset[str], frozenset[str]]:
    return frozenset(opening[::2]), frozenset(opening[1::2])
