"""Gives a leaf its children: the moves worth a node, and what is known of them beforehand."""

import numpy as np

from goengine.board.eyes import is_eye
from goengine.board.moves import hash_after, is_legal
from goengine.board.records import WHITE
from goengine.jit import inlined_kernel, kernel, load_acquire
from goengine.randomness import random_below
from goengine.search.parameters import RAVE
from goengine.search.position import stood_before
from goengine.search.priors import fill_priors, prior_of
from goengine.tree.blocks import (
    claim_node,
    fill_row,
    give_up_claim,
    hand_out_rows,
    publish_block,
)
from goengine.tree.claims import is_abandoned, is_claim
from goengine.tree.packing import PRIOR_ONE, pack_prior
from goengine.words import U0, U1, U3

_WHITE = np.uint64(WHITE)


@kernel
def expand(tree, root, space, workers, claim, node, depth):
    """Give `node`, the position on space.boards[0], its children. Returns the first.

    Returns 0 if another worker is about to, or no rows are left: then it stays a leaf.
    """
    found = np.uint64(load_acquire(tree.first_child, node))
    if found != U0:
        if not is_claim(found):
            return found
        if not is_abandoned(workers, found):
            return U0
    if not claim_node(tree, node, found, claim):
        return U0
    parameters = root.parameters[0]
    has_priors = parameters.policy == RAVE
    # Own eyes are moves too, but only where a prior says how bad they are.
    with_eyes = has_priors and parameters.prior_weight * parameters.eye_prior > 0.0
    n_moves = list_moves(root.position[0], space, depth, with_eyes)
    first = hand_out_rows(tree, n_moves)
    if first == U0:
        give_up_claim(tree, node)
        return U0
    n_open = fill_priors(parameters, space, n_moves) if has_priors else n_moves - U1
    for index in range(n_moves):
        move = space.points[index]
        prior = prior_of(space.notes[0], move) if has_priors else U0
        fill_row(tree, first + np.uint64(index), move, prior)
    if n_open < space.boards[0].rows and space.points[n_moves - U1] == U0:
        # No AMAF speaks for a pass: near the end of a game it must be tried to be found.
        tree.prior[first + n_moves - U1] = np.uint32(pack_prior(PRIOR_ONE, PRIOR_ONE))
    publish_block(tree, node, first, n_moves)
    return first


@inlined_kernel
def list_moves(position, space, depth, with_eyes):
    """Write to space.points the moves that get a node, a pass last. Returns their number.

    There is one at least: a pass, even if it is forbidden.

    The order begins at random, since the first of equals is tried first.
    """
    board = space.boards[0]
    color = board.to_play
    n_moves = U0
    n_empty = board.n_empty
    if n_empty > U0:
        index = random_below(board, n_empty)
        for _ in range(n_empty):
            point = np.uint64(board.empty[index])
            if (
                (with_eyes or not is_eye(board, point, color))
                and is_legal(board, point, color)
                and not (position.superko != U0 and repeats(position, space, depth, point, color))
                and not is_forbidden(position, depth, point, color)
            ):
                space.points[n_moves] = np.uint16(point)
                n_moves += U1
            index += U1
            if index == n_empty:
                index = U0
    if n_moves > U0 and is_forbidden(position, depth, U0, color):
        return n_moves
    space.points[n_moves] = np.uint16(0)
    return n_moves + U1


@inlined_kernel
def is_forbidden(position, depth, move, color):
    """Has whoever ordered the search ruled the move out?"""
    if position.is_restricted == U0:
        return False
    return depth < np.uint64(position.forbidden_until[color, move])


@inlined_kernel
def repeats(position, space, depth, point, color):
    """Would the move bring back a position of the game or of the path?"""
    key = hash_after(space.boards[0], point, color)
    key ^= side_key(position, U3 - color)
    if stood_before(position, space.seen_filter, key):
        return True
    for ply in range(depth + U1):
        if space.keys[ply] == key:
            return True
    return False


@inlined_kernel
def position_key(position, board):
    """What superko compares: the hash, and who is to play where the rules ask for it."""
    return board.hash ^ side_key(position, board.to_play)


@inlined_kernel
def side_key(position, color):
    return position.side_key if color == _WHITE else U0
