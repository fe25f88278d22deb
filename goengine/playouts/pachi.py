"""Playouts by rules, as Pachi has them (Baudiš 2011, 3.4): answers to the last move first.

The rules are asked one after the other, each as often as its rate says; the first that finds
moves plays one of them. Else a random move is made. Either is looked at once more: an own
eye is not filled, and instead of a bad self-atari something better is played.
"""

import numpy as np

from goengine.board.eyes import is_eye
from goengine.board.moves import is_legal
from goengine.board.records import EMPTY
from goengine.jit import inlined_kernel, kernel
from goengine.playouts.liberty_maps import pick_by_map
from goengine.playouts.light import take_turn
from goengine.playouts.local_rules import (
    note_all_races,
    note_eye_saving,
    note_local_ataris,
    note_local_captures,
    note_local_race_fills,
    note_local_races,
    note_local_two_liberties,
    note_patterns,
    pick_pattern,
    vital_point_beside,
)
from goengine.playouts.rates import (
    EYE_SAVING,
    FIRST_LOOK,
    KO,
    KO_AGE,
    MANY_LIBERTIES,
    NAKADE,
    PATTERN,
    RACE,
    SEKI,
    SELF_ATARI,
    TWO_LIBERTIES,
    happens,
)
from goengine.randomness import random_below
from goengine.tactics.approaches import better_than_self_atari
from goengine.tactics.liberties import n_empty_sides
from goengine.tactics.notes import clear_notes, pick_noted
from goengine.tactics.seki import is_better_left
from goengine.tactics.self_atari import is_bad_self_atari, is_very_bad_self_atari
from goengine.words import U0, U1, U2, U3


@kernel
def play_pachi(board, notes, ratings, moves, n_before):
    """Play `board` to its end: two passes, or three moves a point. Returns the moves made.

    Writes them, 0 for a pass, to `moves` from index `n_before` on. What liberty maps are to be told
    of it stays in `notes`.
    """
    limit = n_before + board.rows * board.rows * U3
    n_moves = n_before
    n_passes = U0
    notes.refused[:] = U0
    notes.is_first = U1
    notes.n_chosen = U0
    while n_moves < limit and n_passes < U2:
        color = board.to_play
        point = choose_pachi(board, notes, ratings, color)
        n_passes = take_turn(board, point, color, n_passes, moves, n_moves)
        n_moves += U1
    return n_moves - n_before


@kernel
def choose_pachi(board, notes, ratings, color):
    """A move for `color`, or 0 for a pass."""
    point, is_sound = _choose_by_rules(board, notes, ratings, color)
    if is_sound and not _is_kept(board, notes, point, color):
        return point
    if point != U0 and not is_sound and is_legal(board, point, color):
        point = permitted(board, notes, point, color)
        if point != U0:
            return point
    return _choose_at_random(board, notes, color)


@inlined_kernel
def _choose_by_rules(board, notes, ratings, color):
    """What the first rule that finds anything says, or 0.

    Returns also whether it is known to be legal and no bad self-atari.
    """
    if _is_ko_open(board, notes) and happens(board, notes.rates[KO]):
        point = board.last_ko
        if is_legal(board, point, color) and not is_bad_self_atari(board, notes, point, color):
            return point, False
    last = board.last
    if last == U0 or np.uint64(board.color[last]) != U3 - color:
        return U0, False
    clear_notes(notes)
    if note_local_ataris(board, notes, last, color):
        return pick_noted(board, notes), False
    if notes.is_first != U0:
        notes.is_first = U0
        if happens(board, notes.rates[FIRST_LOOK]):
            clear_notes(notes)
            note_all_races(board, notes, color)
            if notes.n != U0:
                return pick_noted(board, notes), False
    refused = notes.refused[U3 - color]
    if refused != U0 and happens(board, notes.rates[TWO_LIBERTIES]):
        notes.refused[U3 - color] = U0
        clear_notes(notes)
        note_local_captures(board, notes, refused, color)
        if notes.n != U0:
            return pick_noted(board, notes), False
    if happens(board, notes.rates[TWO_LIBERTIES]):
        clear_notes(notes)
        note_local_two_liberties(board, notes, last, color)
        if notes.n != U0:
            return pick_by_map(board, notes, ratings, color), False
    if happens(board, notes.rates[RACE]):
        clear_notes(notes)
        note_local_race_fills(board, notes, last, color)
        if notes.n != U0:
            return pick_noted(board, notes), False
    if happens(board, notes.rates[MANY_LIBERTIES]):
        clear_notes(notes)
        note_local_races(board, notes, last, color)
        if notes.n != U0:
            return pick_by_map(board, notes, ratings, color), False
    if happens(board, notes.rates[EYE_SAVING]):
        clear_notes(notes)
        note_eye_saving(board, notes, last, color)
        if notes.n != U0:
            return pick_noted(board, notes), False
    if happens(board, notes.rates[NAKADE]):
        point = vital_point_beside(board, notes, last, U3 - color)
        if point != U0:
            return point, False
    if happens(board, notes.rates[PATTERN]):
        clear_notes(notes)
        note_patterns(board, notes, last, color)
        if notes.n != U0:
            return pick_pattern(board, notes), True
    return U0, False


@inlined_kernel
def _is_ko_open(board, notes):
    """Was a ko taken a few moves ago, and could it be taken back now?"""
    if board.last_ko == U0 or board.ko != U0:
        return False
    if board.n_moves - board.last_ko_move >= notes.rates[KO_AGE]:
        return False
    return board.color[board.last_ko] == EMPTY


@inlined_kernel
def _choose_at_random(board, notes, color):
    """The first permitted move from a random place of the list of empty points on, or 0."""
    n_empty = board.n_empty
    if n_empty == U0:
        return U0
    index = random_below(board, n_empty)
    for _ in range(n_empty):
        point = np.uint64(board.empty[index])
        if n_empty_sides(board, point) >= U2:
            return point  # neither eye nor self-atari
        if not is_eye(board, point, color) and is_legal(board, point, color):
            point = permitted(board, notes, point, color)
            if point != U0:
                return point
        index += U1
        if index == n_empty:
            index = U0
    return U0


@kernel
def permitted(board, notes, point, color):
    """`point`, a legal move, or what is better than it, or 0 if it must not be played."""
    if _is_kept(board, notes, point, color):
        return U0
    if _is_allowed(board, notes, point, color):
        return point
    notes.refused[color] = point
    better = better_than_self_atari(board, notes, point, color)
    if better == U0 or _is_kept(board, notes, better, color):
        return U0
    return better if _is_allowed(board, notes, better, color) else U0


@inlined_kernel
def _is_kept(board, notes, point, color):
    """Is the point to be left empty: an own eye, or where one loses a seki by playing?"""
    if is_eye(board, point, color):
        return True
    return is_better_left(board, point, color) and happens(board, notes.rates[SEKI])


@inlined_kernel
def _is_allowed(board, notes, point, color):
    if happens(board, notes.rates[SELF_ATARI]):
        return not is_bad_self_atari(board, notes, point, color)
    return not is_very_bad_self_atari(board, notes, point, color)
