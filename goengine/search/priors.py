"""What is known of a move before it was tried: visits that a new node starts with.

Baudiš 2011, 3.3.2 and 3.4: each piece of knowledge adds so many visits, all won or all lost;
the rules of the playouts are applied to the whole board.
"""

import math

import numpy as np

from goengine.board.chains import first_liberty, next_liberty
from goengine.board.eyes import is_eye
from goengine.board.moves import is_legal
from goengine.board.records import EMPTY, stride_of
from goengine.jit import inlined_kernel, kernel
from goengine.playouts.local_rules import is_sound_pattern_move
from goengine.playouts.patterns import pattern_weight
from goengine.prediction.features import note_features, rate_noted
from goengine.prediction.model import MAX_NEARNESS
from goengine.prediction.shapes import find_shapes, spread_board
from goengine.tactics.distance import fill_distances, line_of
from goengine.tactics.ladders import CATCHES, RUNS_IN_VAIN, find_ladders
from goengine.tactics.liberties import is_self_atari
from goengine.tactics.many_liberties import note_race_moves
from goengine.tactics.nakade import nakade_point
from goengine.tactics.notes import clear_notes
from goengine.tactics.one_liberty import note_atari_moves
from goengine.tactics.self_atari import is_bad_self_atari
from goengine.tactics.two_liberties import note_two_liberty_moves
from goengine.tree.packing import PRIOR_MASK, PRIOR_ONE, pack_prior
from goengine.words import U0, U1, U2, U3

_KO_AGE = np.uint64(10)
_UNLIKELY = 0.001
_NEVER = -1e30  # a rating
_OPEN_DISTANCE = 4  # no stone so near: nobody has been here
_ONE = float(PRIOR_ONE)


@kernel
def fill_priors(parameters, space, n_moves):
    """Write what is known of the moves in space.points to notes.prior_visits and prior_wins.

    Returns how many of them are neither passes nor own eyes. An eye is worth filling where a
    dead shape is given with it, such as a bulky five in the corner.
    """
    board = space.boards[0]
    notes = space.notes[0]
    color = board.to_play
    n_open = U0
    even = np.uint32(parameters.even_visits * _ONE)
    for index in range(n_moves):
        point = space.points[index]
        notes.prior_visits[point] = even
        notes.prior_wins[point] = even >> np.uint32(1)
    notes.prior_unit = _ONE * parameters.prior_weight
    if notes.prior_unit == 0.0:
        return n_moves - U1
    if board.last != U0:
        fill_distances(board, board.last, MAX_NEARNESS - U1, space.distances, space.queue)
        _know_distance(parameters, space)
    else:
        space.distances[:] = np.uint8(0)
    if parameters.ladder_prior > 0.0 or parameters.model_prior > 0.0:
        find_ladders(board, space.reading, color, space.ladders)
    if parameters.model_prior > 0.0:
        spread_board(board, color, space.wide)
    for index in range(n_moves):
        point = np.uint64(space.points[index])
        notes.ratings[index] = _NEVER
        if point == U0:
            continue
        is_bad = is_bad_self_atari(board, notes, point, color)
        if is_eye(board, point, color) and (is_bad or not is_self_atari(board, point, color)):
            _add(notes, point, parameters.eye_prior, False)
            continue
        n_open += U1
        _know_point(parameters, board, notes, point, color, is_bad)
        if parameters.model_prior > 0.0:
            notes.ratings[index] = _rate(space, point, color, is_bad)
    _know_chains(parameters, space, color)
    _know_ko(parameters, board, notes, color)
    if parameters.model_prior > 0.0 and n_open > U0:
        _know_likely(parameters, space, n_moves)
    return n_open


@inlined_kernel
def _rate(space, point, color, is_bad):
    """What the model says of a move: the logarithm of its probability, but for a constant.

    Overwrites notes.features, the second time with places of shapes.
    """
    board = space.boards[0]
    notes = space.notes[0]
    nearness, ladder = np.uint64(space.distances[point]), np.uint64(space.ladders[point])
    note_features(board, notes, point, color, nearness, ladder, is_bad)
    rating = rate_noted(notes)
    n_known = find_shapes(board, space.wide, point, space.shapes, notes.features)
    for ring in range(n_known):
        rating += np.float64(space.shapes.weights[notes.features[ring]])
    return rating


@inlined_kernel
def prior_of(notes, move):
    """The prior of a move as a word of the tree."""
    visits = np.uint64(notes.prior_visits[move])
    wins = np.uint64(notes.prior_wins[move])
    if visits > PRIOR_MASK:  # far more than knowledge is worth; keep the mean
        wins = wins * PRIOR_MASK // visits
        visits = PRIOR_MASK
    return pack_prior(visits, wins)


@inlined_kernel
def _add(notes, point, visits, is_won):
    amount = np.uint32(visits * notes.prior_unit)
    notes.prior_visits[point] += amount
    if is_won:
        notes.prior_wins[point] += amount


@inlined_kernel
def _know_point(parameters, board, notes, point, color, is_bad):
    """What the stones around a point say."""
    if is_bad:
        _add(notes, point, parameters.self_atari_prior, False)
    elif (
        parameters.pattern_prior > 0.0
        and pattern_weight(board, notes, point, color) != U0
        and is_sound_pattern_move(board, notes, point, color)
    ):
        _add(notes, point, parameters.pattern_prior, True)
    if parameters.line_prior > 0.0:
        line = line_of(board, point)
        if (line == U1 or line == U3) and _is_open(board, point):
            _add(notes, point, parameters.line_prior, line == U3)
    if parameters.nakade_prior > 0.0 and (
        nakade_point(board, notes, point, U1) == point
        or nakade_point(board, notes, point, U2) == point
    ):
        _add(notes, point, parameters.nakade_prior, True)


@inlined_kernel
def _is_open(board, point):
    """Is there no stone within a few points?"""
    stride = np.int64(stride_of(board))
    size = np.int64(board.rows)
    row = np.int64(point) // stride
    column = np.int64(point) % stride
    for near_row in range(max(row - _OPEN_DISTANCE, 1), min(row + _OPEN_DISTANCE, size) + 1):
        for near_column in range(
            max(column - _OPEN_DISTANCE, 1), min(column + _OPEN_DISTANCE, size) + 1
        ):
            if board.color[np.uint64(near_row * stride + near_column)] != EMPTY:
                return False
    return True


@inlined_kernel
def _know_chains(parameters, space, color):
    """What the playouts' rules would do about each chain with few liberties."""
    board = space.boards[0]
    notes = space.notes[0]
    for index in range(board.color.shape[0]):
        head = np.uint64(index)
        owner = np.uint64(board.color[head])
        if (owner != U1 and owner != U2) or board.chain[head] != head:
            continue
        n_liberties = board.n_liberties[head]
        if n_liberties == 1:
            _know_atari(parameters, space, head, color)
        elif n_liberties == 2:
            if parameters.two_liberties_prior > 0.0:
                clear_notes(notes)
                note_two_liberty_moves(board, notes, head, color, True)
                _add_noted(notes, parameters.two_liberties_prior)
            if owner != color and parameters.ladder_prior > 0.0:
                _know_ladder(parameters, space, head)
        elif n_liberties <= 4 and owner == color and parameters.many_liberties_prior > 0.0:
            clear_notes(notes)
            note_race_moves(board, notes, head, color)
            _add_noted(notes, parameters.many_liberties_prior)


@inlined_kernel
def _add_noted(notes, visits):
    for index in range(notes.n):
        _add(notes, notes.points[index], visits, True)


@inlined_kernel
def _know_atari(parameters, space, head, color):
    board = space.boards[0]
    notes = space.notes[0]
    if (
        np.uint64(board.color[head]) == color
        and parameters.ladder_prior > 0.0
        and space.ladders[first_liberty(board, head)] == RUNS_IN_VAIN
    ):
        _add(notes, first_liberty(board, head), parameters.ladder_prior, False)
        return
    clear_notes(notes)
    note_atari_moves(board, notes, head, color, False)
    _add_noted(notes, parameters.capture_prior * _weight_of_stones(board, head))


@inlined_kernel
def _weight_of_stones(board, head):
    return max(min(np.float64(board.n_stones[head]), 15.0), 2.0) * 0.5


@inlined_kernel
def _know_ladder(parameters, space, head):
    """A move that catches an enemy chain of two liberties for good."""
    board = space.boards[0]
    chase = first_liberty(board, head)
    while chase != U0:
        if space.ladders[chase] == CATCHES:
            visits = parameters.ladder_prior * _weight_of_stones(board, head)
            _add(space.notes[0], chase, visits, True)
        chase = next_liberty(board, head, chase)


@inlined_kernel
def _know_ko(parameters, board, notes, color):
    point = board.last_ko
    if point == U0 or board.n_moves - board.last_ko_move > _KO_AGE:
        return
    if board.color[point] == EMPTY and is_legal(board, point, color):
        _add(notes, point, parameters.ko_prior, True)


@inlined_kernel
def _know_distance(parameters, space):
    """Moves near the last one, along chains."""
    board = space.boards[0]
    notes = space.notes[0]
    visits1 = parameters.distance1_prior
    visits2 = parameters.distance2_prior
    visits3 = parameters.distance3_prior
    for index in range(board.n_empty):
        point = board.empty[index]
        distance = space.distances[point]
        if distance == 1:
            _add(notes, point, visits1, True)
        elif distance == 2:
            _add(notes, point, visits2, True)
        elif distance == 3:
            _add(notes, point, visits3, True)


@inlined_kernel
def _know_likely(parameters, space, n_moves):
    """Moves that strong players would make: the root of the probability counts."""
    notes = space.notes[0]
    greatest = _NEVER
    for index in range(n_moves):
        greatest = max(greatest, notes.ratings[index])
    total = 0.0
    for index in range(n_moves):
        notes.ratings[index] = math.exp(notes.ratings[index] - greatest)
        total += notes.ratings[index]
    for index in range(n_moves):
        if notes.ratings[index] > _UNLIKELY * total:
            visits = parameters.model_prior * math.sqrt(notes.ratings[index] / total)
            _add(notes, space.points[index], visits, True)
