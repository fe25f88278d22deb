"""What workers learn of the situation while they search: who wins, and by how much.

docs/shared-tree.md, "The situation", is the contract. Each worker counts results in a row of its
own. Once there are enough for another slice, one worker sums up what has come since the last, and
sets the extra komi that all of them go on with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from goengine.board.records import BLACK, WHITE
from goengine.jit import compare_exchange, inlined_kernel, kernel, load_acquire
from goengine.record_types import as_record
from goengine.search.dynamic_komi import (
    given_by_median,
    given_by_score,
    given_by_value,
    limited,
    linear_komi,
)
from goengine.search.orders import Purpose
from goengine.search.parameters import FIXED, LINEAR, MEDIAN, NO_KOMI, SCORE, VALUE
from goengine.search.results import N_COUNTED, mean_margin, median_margin, share_won
from goengine.search.value_scaling import filled_share

if TYPE_CHECKING:
    from goengine.search.workspace import Root

# Extra komi is what is added to komi: points for white.
SITUATION_DTYPE = as_record(
    np.dtype(
        [
            ("extra_komi", np.float64),  # of all simulations but for linear komi; owner, slices
            ("black_wins", np.float64),  # in the game as it is, share of the last slice; slices
            ("komi_of", np.float64, (WHITE + 1,)),  # by colour: where its search stood; both
            ("ratchet", np.float64, (WHITE + 1,)),  # by colour: points that it never gives; both
            # From here on the owner alone writes, with nobody inside.
            ("method", np.uint64),  # of extra komi, a value of dynamic_komi
            ("is_counted", np.uint64),  # 1: results are
            ("searcher", np.uint64),  # the colour of the last search for a move
            ("n_played", np.uint64),  # moves before this position
            ("n_handicap", np.uint64),  # stones
            ("n_before", np.int64),  # results that were counted before the first slice
        ]
    )
)
SLICE = 0  # the word with the number of the last slice; compare-and-exchange
N_WORDS = 8

_BLACK = np.uint64(BLACK)


class Situation(NamedTuple):
    """Arrays in a search's memory."""

    record: Any  # one
    words: Any
    counts: Any  # by worker, see results.py; each writes its own row
    before: Any  # all workers' counts at the end of the last slice
    latest: Any  # what that slice had more than the one before


# --- workers -------------------------------------------------------------------


@inlined_kernel
def extra_komi_at(record, parameters, depth):
    """Where a playout begins `depth` moves from the root.

    Baudiš 2011, 4.3: linear komi is that of the leaf, so a node has the same one for ever.
    """
    if record.method == LINEAR:
        return _linear_komi(record, parameters, record.n_played + depth)
    return record.extra_komi


@inlined_kernel
def _linear_komi(record, parameters, n_played):
    return linear_komi(
        np.float64(np.int64(record.n_handicap)),
        np.float64(np.int64(n_played)),
        parameters.komi_stone,
        parameters.komi_moves,
    )


@kernel
def end_slice(root):
    """See to it that one worker takes the slice, if it is full."""
    parameters = root.parameters[0]
    situation = root.situation
    record = situation.record[0]
    length = parameters.komi_slice
    if length > 0.0 and record.method == MEDIAN:
        length = parameters.komi_results
    if length == 0.0:
        return
    n_counted = -record.n_before
    for worker in range(situation.counts.shape[0]):
        n_counted += situation.counts[worker, N_COUNTED]
    number = np.uint64(max(n_counted, 0) // np.int64(length))
    last = load_acquire(situation.words, SLICE)
    if number > last and compare_exchange(situation.words, SLICE, last, number):
        take_slice(root)


@kernel
def take_slice(root):
    """Learn from the results since the last slice who wins; adjust extra komi to it."""
    parameters = root.parameters[0]
    board = root.boards[0]
    situation = root.situation
    record = situation.record[0]
    _sum_up(situation)
    latest = situation.latest
    if latest[N_COUNTED] <= 0:
        return
    record.black_wins = share_won(latest, 0.0)
    is_opening = np.float64(np.int64(record.n_played)) < parameters.komi_opening
    if record.method == NO_KOMI or record.method == LINEAR or is_opening:
        return
    color = board.to_play
    side = 1.0 if color == _BLACK else -1.0
    extra = record.extra_komi
    given, ratchet = side * extra, record.ratchet[color]
    filled = filled_share(board)
    if record.method == SCORE:
        score = side * (mean_margin(latest) - extra)
        given = given_by_score(
            given, score, filled, parameters.komi_steepness, parameters.komi_turn
        )
    elif record.method == VALUE:
        black_wins = share_won(latest, extra)
        win_rate = black_wins if color == _BLACK else 1.0 - black_wins
        given, ratchet = given_by_value(
            given,
            ratchet,
            win_rate,
            parameters.komi_red,
            parameters.komi_green,
            parameters.komi_step,
        )
    else:
        given = given_by_median(side * median_margin(latest))
    given = limited(given, filled, parameters.komi_taken, parameters.komi_end)
    record.ratchet[color] = ratchet
    record.komi_of[color] = side * given
    record.extra_komi = side * given


@inlined_kernel
def _sum_up(situation):
    counts = situation.counts
    for place in range(counts.shape[1]):
        n = 0
        for worker in range(counts.shape[0]):
            n += counts[worker, place]
        situation.latest[place] = n - situation.before[place]
        situation.before[place] = n


# --- the owner -----------------------------------------------------------------


def has_extra_komi(parameters: Any, purpose: Purpose) -> bool:
    """May simulations of such a search count with another komi than the game's?

    An analysis is about the game as it is.
    """
    is_on = bool(parameters.dynamic_komi != NO_KOMI)
    return is_on and purpose in (Purpose.MOVE, Purpose.PONDERING)


def forget_situation(situation: Situation) -> None:
    """Nothing is known. Nobody inside."""
    for part in situation:
        part[:] = np.zeros(1, part.dtype)
    begin_anew(situation.record[0], 0.0)


def begin_search(
    root: Root, purpose: Purpose, n_played: int, n_handicap: int, is_same_game: bool
) -> None:
    """Count and adjust as the parameters say, from the root's position on. Nobody inside.

    Only a search for a move adjusts: pondering goes on with the komi of the last one, and counts
    nothing.

    is_same_game    as that of the search for a move before
    """
    parameters, record = root.parameters[0], root.situation.record[0]
    before = int(record.method)
    method = int(parameters.dynamic_komi) if has_extra_komi(parameters, purpose) else NO_KOMI
    is_of_use = method != NO_KOMI or parameters.value_scaling != FIXED
    record.method = method
    record.is_counted = int(is_of_use and purpose is not Purpose.PONDERING)
    record.n_played, record.n_handicap = n_played, n_handicap
    record.extra_komi = 0.0
    if not is_same_game and purpose is Purpose.MOVE:
        begin_anew(record, 0.0)
    if method != NO_KOMI:
        begin_komi(root, purpose is Purpose.MOVE, is_same_game)
    goes_on = method == before == MEDIAN and is_same_game
    if record.is_counted and not goes_on:
        _begin_slices(root.situation)


@kernel
def begin_komi(root, is_for_move, is_same_game):
    """Set the extra komi that a search begins with: in the first moves of a game, linear (4.4.2).

    Without slices during a search, all that the last one has counted is one.
    """
    parameters = root.parameters[0]
    board = root.boards[0]
    record = root.situation.record[0]
    linear = _linear_komi(record, parameters, record.n_played)
    is_opening = np.float64(np.int64(record.n_played)) < max(1.0, parameters.komi_opening)
    if is_for_move:
        record.searcher = board.to_play
        if is_opening or not is_same_game:
            begin_anew(record, np.floor(linear + 0.5))
    color = record.searcher
    record.extra_komi = linear if record.method == LINEAR else record.komi_of[color]
    if not is_for_move or record.method == LINEAR:
        return
    if parameters.komi_slice == 0.0 and is_same_game and not is_opening:
        take_slice(root)
    side = 1.0 if color == _BLACK else -1.0
    given = side * record.extra_komi
    given = limited(given, filled_share(board), parameters.komi_taken, parameters.komi_end)
    record.komi_of[color] = side * given
    record.extra_komi = side * given


@kernel
def begin_anew(record, komi):
    for color in range(WHITE + 1):
        record.komi_of[color] = komi
        record.ratchet[color] = np.inf
    record.black_wins = 0.5


def _begin_slices(situation: Situation) -> None:
    """Whatever was counted so far belongs to no slice."""
    situation.before[:] = situation.counts.sum(axis=0)
    situation.record[0].n_before = int(situation.before[N_COUNTED])
    situation.words[SLICE] = np.uint64(0)
