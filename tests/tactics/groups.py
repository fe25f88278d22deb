"""Groups: chains that the enemy cannot part, and whether they have two eyes.

What a player sees at a glance, with its owner answering; life.py has what needs no answer.
Two chains are linked

- by a *guarded* point beside both: a stone that the enemy puts there can be taken at once;
- by two points beside both: the enemy takes one, the owner the other. Such a pair serves one
  link only, or one move would threaten two. Diagonals and bamboo joints are pairs like these.

An eye is a region, see regions.py, that borders on chains of one group alone and where the
enemy cannot live. Chains around it may be linked only through its own points: each such link
costs the eye up to two of them, that of a stone thrown in and that where it is taken.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from goengine.board.chains import is_liberty
from goengine.board.eyes import is_eye
from goengine.board.neighbors import neighbor
from goengine.board.records import EMPTY, n_words, words_of
from goengine.jit import inlined_kernel, kernel, trailing_zeros
from goengine.points import CAPACITIES
from goengine.record_types import as_record
from goengine.tactics.liberties import (
    HEAD_MASK,
    chains_on,
    is_adjacent,
    liberties_after,
    n_empty_sides,
    own_sides,
)
from goengine.tactics.nakade import is_dead_shape
from goengine.tactics.notes import MAX_AREA, MAX_POINTS
from goengine.tactics.regions import REGION_FIELDS, find_regions
from goengine.words import U0, U1, U2, U3, U6, U16, U63

# Room of a region, see regions.py, with which it may still be an eye.
_MOST_ROOM = np.uint64(4)  # such as in four by four; more may be the world outside
_MOST_ROOM_WITH_ENEMIES = U1

# n_parts     at the first point of a region: into how many groups the chains around it fall
#             without links through it, 0 if it is no eye anyway
# group       at the head of a chain: the head of another chain of its group; at last itself
# liberties   at the head of a group: the liberties of all its chains, as those of a chain
# n_eyes      at the head of a group
# counted     at the head of a chain or group: the first point of the last region that it
#             was counted for
# spent       set of points that links may not rely on any more
# area        points of a small region, see nakade.py
GROUPS_DTYPE = as_record(
    np.dtype(
        [
            ("n_parts", np.uint16, (MAX_POINTS,)),
            ("group", np.uint16, (MAX_POINTS,)),
            ("n_eyes", np.uint16, (MAX_POINTS,)),
            ("counted", np.uint16, (MAX_POINTS,)),
            ("liberties", np.uint64, (MAX_POINTS * n_words(CAPACITIES[-1]),)),
            ("spent", np.uint64, (n_words(CAPACITIES[-1]),)),
            ("area", np.uint16, (MAX_AREA,)),
            *REGION_FIELDS,  # last: numba takes a record for another that begins like it
        ],
        align=True,
    )
)


def blank_groups() -> Any:
    """An array of one record of zeros."""
    return np.zeros(1, GROUPS_DTYPE).view(np.recarray)


@kernel
def find_groups(board, groups, color):
    """Write the groups of `color`, their eyes, and the regions around them."""
    find_regions(board, groups, color)
    groups.counted[:] = np.uint16(0)
    for index in range(np.uint64(len(board.color))):
        first = np.uint64(index)
        if groups.region[first] == first and first != U0:
            _look_at_region(board, groups, first, color)
    _link_chains(board, groups, color, U0)
    for index in range(np.uint64(len(board.color))):
        first = np.uint64(index)
        if groups.region[first] == first and first != U0 and groups.n_parts[first] != 0:
            _count_eyes(board, groups, first, color)


@inlined_kernel
def group_of(groups, head):
    """The head of the group of a chain of the colour that groups were found for."""
    while groups.group[head] != head:
        head = np.uint64(groups.group[head])
    return head


@inlined_kernel
def has_two_eyes(groups, head):
    return groups.n_eyes[group_of(groups, head)] >= 2


# --- links --------------------------------------------------------------------------------


@kernel
def _link_chains(board, groups, color, closed):
    """Find the groups without links through the region that begins at `closed`, or 0."""
    words = words_of(board)
    for word in range(words):
        groups.spent[word] = U0
    for index in range(np.uint64(len(board.color))):
        point = np.uint64(index)
        if closed != U0 and groups.region[point] == closed:
            _spend(groups, point)
        if board.color[point] == color and board.chain[point] == point:
            groups.group[point] = np.uint16(point)
            groups.n_eyes[point] = np.uint16(0)
            groups.counted[point] = np.uint16(0)
            for word in range(words):
                place = point * words + np.uint64(word)
                groups.liberties[place] = board.liberties[place]
    for index in range(board.n_empty):
        point = np.uint64(board.empty[index])
        heads = chains_on(board, point, own_sides(board, point, color))
        is_free = heads > HEAD_MASK and not _is_spent(groups, point)
        if is_free and _is_guarded(board, point, heads, color):
            _join_all(board, groups, heads)
    grows = True
    while grows:
        grows = False
        for index in range(board.n_empty):
            point = np.uint64(board.empty[index])
            heads = chains_on(board, point, own_sides(board, point, color))
            while heads > HEAD_MASK:
                grows |= _join_by_pairs(board, groups, point, heads)
                heads >>= U16


@inlined_kernel
def _spend(groups, point):
    groups.spent[point >> U6] |= U1 << (point & U63)


@inlined_kernel
def _is_spent(groups, point):
    return (groups.spent[point >> U6] >> (point & U63)) & U1 != U0


@inlined_kernel
def _is_guarded(board, point, heads, color):
    """Would an enemy stone on `point` take nothing, and be taken at once?"""
    while heads != U0:
        if board.n_liberties[heads & HEAD_MASK] == 1:
            return False
        heads >>= U16
    n_liberties, last = liberties_after(board, point, U3 - color)
    return n_liberties == U0 or (n_liberties == U1 and _takes_safely(board, last, point, color))


@inlined_kernel
def _takes_safely(board, take, point, color):
    """Has a stone of `color` on `take`, where it takes the one on `point`, a liberty more?"""
    if n_empty_sides(board, take) > np.uint64(is_adjacent(board, take, point)):
        return True
    heads = chains_on(board, take, own_sides(board, take, color))
    while heads != U0:
        head = heads & HEAD_MASK
        heads >>= U16
        if board.n_liberties[head] > U1 + np.uint64(is_liberty(board, head, point)):
            return True
    return False


@inlined_kernel
def _join_all(board, groups, heads):
    first = group_of(groups, heads & HEAD_MASK)
    heads >>= U16
    while heads != U0:
        other = group_of(groups, heads & HEAD_MASK)
        heads >>= U16
        if other != first:
            _join(board, groups, first, other)


@inlined_kernel
def _join_by_pairs(board, groups, point, heads):
    """Join the first chain around `point` with others around it, where a second point serves.

    Returns whether there was one.
    """
    found = False
    first = group_of(groups, heads & HEAD_MASK)
    heads >>= U16
    while heads != U0 and not _is_spent(groups, point):
        other = group_of(groups, heads & HEAD_MASK)
        heads >>= U16
        if other != first:
            second = _second_point(board, groups, first, other, point)
            if second != U0:
                _spend(groups, point)
                _spend(groups, second)
                _join(board, groups, first, other)
                found = True
    return found


@inlined_kernel
def _second_point(board, groups, first, other, point):
    """A point beside both groups that is not spent, and not `point`; or 0."""
    words = words_of(board)
    for word in range(words):
        index = np.uint64(word)
        common = groups.liberties[first * words + index] & groups.liberties[other * words + index]
        common &= ~groups.spent[index]
        if index == point >> U6:
            common &= ~(U1 << (point & U63))
        if common != U0:
            return (index << U6) + trailing_zeros(common)
    return U0


@inlined_kernel
def _join(board, groups, first, other):
    """Make the group of the head `other` part of that of `first`."""
    words = words_of(board)
    groups.group[other] = np.uint16(first)
    for word in range(words):
        index = np.uint64(word)
        groups.liberties[first * words + index] |= groups.liberties[other * words + index]


# --- eyes ---------------------------------------------------------------------------------


@inlined_kernel
def _look_at_region(board, groups, first, color):
    """Write n_parts of a region."""
    has_enemies, has_enemy_eye = False, False
    point = first
    while True:
        if board.color[point] != EMPTY:
            has_enemies = True
        else:
            has_enemy_eye |= is_eye(board, point, U3 - color)
        point = np.uint64(groups.next_point[point])
        if point == first:
            break
    n_parts = U0
    most = _MOST_ROOM_WITH_ENEMIES if has_enemies else _MOST_ROOM
    if groups.room[first] <= most and not has_enemy_eye:
        n_parts = _count_around(board, groups, first, color, False)
        if n_parts > U1:
            _link_chains(board, groups, color, first)
            n_parts = _count_around(board, groups, first, color, True)
    groups.n_parts[first] = np.uint16(n_parts)


@kernel
def _count_around(board, groups, first, color, by_group):
    """How many chains or groups of `color` are around a region. Overwrites groups.counted."""
    n = U0
    point = first
    while True:
        sides = own_sides(board, point, color)
        while sides != U0:
            head = np.uint64(board.chain[neighbor(board, point, trailing_zeros(sides))])
            sides &= sides - U1
            if by_group:
                head = group_of(groups, head)
            if groups.counted[head] != first:
                groups.counted[head] = np.uint16(first)
                n += U1
        point = np.uint64(groups.next_point[point])
        if point == first:
            return n


@inlined_kernel
def _count_eyes(board, groups, first, color):
    """Add what a region is worth to the group around it, if it is one with no chain in atari."""
    n_points, n_enemies, n_enemy_chains = U0, U0, U0
    owner = U0
    point = first
    while True:
        if board.color[point] != EMPTY:
            n_enemies += U1
            n_enemy_chains += np.uint64(board.chain[point] == point)
        if n_points < np.uint64(MAX_AREA):
            groups.area[n_points] = np.uint16(point)
        n_points += U1
        sides = own_sides(board, point, color)
        while sides != U0:
            head = np.uint64(board.chain[neighbor(board, point, trailing_zeros(sides))])
            sides &= sides - U1
            group = group_of(groups, head)
            if board.n_liberties[head] == 1 or (owner != U0 and group != owner):
                return
            owner = group
        point = np.uint64(groups.next_point[point])
        if point == first:
            break
    n_parts = np.uint64(groups.n_parts[first])
    if n_points + U1 < U2 * n_parts:
        return
    groups.n_eyes[owner] += np.uint16(1)
    if n_parts != U1:
        return
    is_wide = n_enemies == U0 and not is_dead_shape(board, groups, n_points)
    # In a last point the enemy cannot play: chains that are taken there leave an eye each.
    is_filled = n_points - n_enemies == U1 and n_enemy_chains > U1
    if is_wide or is_filled:
        groups.n_eyes[owner] += np.uint16(1)
