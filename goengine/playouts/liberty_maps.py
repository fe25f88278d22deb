"""Liberty maps: playouts learn which moves about a chain in danger do well (Baudiš 2011, ch. 6).

Where the rules for two, three and four liberties find several moves, each has a rating under
the liberties of the chain that it is about: the mean local value of its point at the end of the
playouts in which it was chosen. A move that did well, or was not tried yet, is preferred.

A move may also do well because playouts answer it badly; the thesis leaves that open. With
REPLIES a playout counts only if the answer was no worse than answers to the move are on average.
So every answer has a rating, too; all that come from elsewhere on the board are one.
"""

import numpy as np

from goengine.board.chains import first_liberty, next_liberty
from goengine.board.records import stride_of
from goengine.jit import inlined_kernel, kernel
from goengine.playouts.local_value import local_value
from goengine.playouts.rates import MAP_FREE, MAP_MODE, MAP_THRESHOLD, happens
from goengine.randomness import random_below
from goengine.ratings import SIXTHS, count_of, mixed, rating_for, sum_of, tell_rating
from goengine.tactics.notes import MAX_CHOSEN, pick_noted
from goengine.words import U0, U1, U2, U8, U16, U255

OFF, ON, REPLIES = U0, U1, U2

_MAX_CHOSEN = np.uint64(MAX_CHOSEN)
_ALL_ANSWERS = U1  # stirred into the key of a choice: what all answers to it came to
_ONE_ANSWER = U2  # the same with a point: what that answer came to
_ELSEWHERE = U0
_NEAR = 2  # rows and columns from a move to its answer
_KNOWN = np.uint64(8)  # an answer is judged from so many results on
_FACTOR = np.uint64(0x9E3779B97F4B)  # times 16 bits it is no longer than a word


@inlined_kernel
def note_liberties(board, notes, n_before, head):
    """The moves noted since there were `n_before` are about the chain of `head`."""
    if notes.rates[MAP_MODE] != OFF and notes.n != n_before:
        liberties = liberty_hash(board, head)
        for index in range(n_before, notes.n):
            notes.liberties[index] = liberties


@kernel
def liberty_hash(board, head):
    """A hash of the chain's liberties, each with what stands on its four sides."""
    found = U0
    liberty = first_liberty(board, head)
    while liberty != U0:
        found ^= (liberty << U8 | np.uint64(board.around[liberty]) & U255) * _FACTOR
        liberty = next_liberty(board, head, liberty)
    return found


@inlined_kernel
def choice_key(liberties, point, color):
    """Of the move of `color` at `point` about a chain with this hash of liberties."""
    return mixed(liberties ^ (point << U2 | color))


# --- choosing -------------------------------------------------------------------


@inlined_kernel
def pick_by_map(board, notes, ratings, color):
    """One of the noted moves, of which there is one at least."""
    if notes.rates[MAP_MODE] == OFF or notes.n == U1:
        return pick_noted(board, notes)
    return choose_by_map(board, notes, ratings, color)


@kernel
def choose_by_map(board, notes, ratings, color):
    """The first noted move from a random one on that did well or is new, or else that one.

    Notes what was chosen. Baudiš 2011, Algorithm 7.
    """
    n_moves = notes.n
    start = random_below(board, n_moves)
    chosen = start
    key = _key_of(notes, start, color)
    if not happens(board, notes.rates[MAP_FREE]):
        while not _is_preferred(notes, rating_for(ratings, key)):
            chosen += U1
            if chosen == n_moves:
                chosen = U0
            key = _key_of(notes, chosen, color)
            if chosen == start:
                break
    point = np.uint64(notes.points[chosen])
    _note_choice(board, notes, key, point, color)
    return point


@inlined_kernel
def _key_of(notes, index, color):
    return choice_key(notes.liberties[index], np.uint64(notes.points[index]), color)


@inlined_kernel
def _is_preferred(notes, rating):
    """Is the mean value no less than the threshold? So it is where nothing is known."""
    return sum_of(rating) << U16 >= notes.rates[MAP_THRESHOLD] * SIXTHS * count_of(rating)


@inlined_kernel
def _note_choice(board, notes, key, point, color):
    index = notes.n_chosen
    if index < _MAX_CHOSEN:
        notes.chosen_keys[index] = key
        notes.chosen_points[index] = np.uint16(point)
        notes.chosen_colors[index] = np.uint8(color)
        notes.chosen_at[index] = board.n_moves
        notes.n_chosen = index + U1


# --- learning -------------------------------------------------------------------


@kernel
def tell_choices(board, notes, ratings, moves, n_moves, generation):
    """Rate the choices of a finished playout, which made the last of the `moves`.

    A choice that was refused afterwards, so that another move was made, is left out.
    """
    for index in range(notes.n_chosen):
        point = np.uint64(notes.chosen_points[index])
        place = n_moves + notes.chosen_at[index] - board.n_moves
        if moves[place] != point:
            continue
        key = notes.chosen_keys[index]
        value = local_value(board, point, np.uint64(notes.chosen_colors[index]))
        if notes.rates[MAP_MODE] == REPLIES:
            answer = U0
            if place + U1 < n_moves:
                answer = _answer_to(board, point, np.uint64(moves[place + U1]))
            if not _is_told(ratings, key, answer, generation, value):
                continue
        tell_rating(ratings, key, generation, value)
    notes.n_chosen = U0


@inlined_kernel
def _answer_to(board, point, answer):
    """The answer, or _ELSEWHERE if it is far from the move, or a pass."""
    stride = np.int64(stride_of(board))
    at, move = np.int64(answer), np.int64(point)
    if (
        at == 0
        or abs(at // stride - move // stride) > _NEAR
        or abs(at % stride - move % stride) > _NEAR
    ):
        return _ELSEWHERE
    return answer


@inlined_kernel
def _is_told(ratings, key, answer, generation, value):
    """Rate the answer. Was it no worse for who gave it than answers are on average?"""
    all_key = mixed(key ^ _ALL_ANSWERS)
    one_key = mixed(key ^ (answer << U8 | _ONE_ANSWER))
    every = rating_for(ratings, all_key)
    one = rating_for(ratings, one_key)
    tell_rating(ratings, all_key, generation, value)
    tell_rating(ratings, one_key, generation, value)
    return count_of(one) < _KNOWN or sum_of(one) * count_of(every) <= sum_of(every) * count_of(one)
