"""Self-atari: stones that the enemy may take at once, told into useful gifts and waste.

Baudiš 2011, 3.4.1, names gifts that are useful: eyes filled from inside, stones thrown in so
that an eye becomes false. They are told from the others by what the enemy has after taking
them: a *captor*, the chain that took, and a *hole*, the points where the stones stood.
"""

import numpy as np

from goengine.board.chains import first_liberty, is_liberty, next_liberty
from goengine.board.eyes import has_false_corners, is_eye, is_eyelike
from goengine.board.neighbors import neighbor
from goengine.board.records import EMPTY, stride_of
from goengine.jit import inlined_kernel, kernel, popcount, trailing_zeros
from goengine.tactics.liberties import (
    HEAD_MASK,
    chains_on,
    edge_sides,
    empty_sides,
    has_friend,
    holds_head,
    is_adjacent,
    liberties_after,
    n_empty_sides,
    n_won,
    own_sides,
)
from goengine.tactics.nakade import is_bent_four, is_dead_shape
from goengine.words import U0, U1, U2, U3, U4, U6, U16

_LARGEST_HOLE = U6
_MANY = np.uint64(1000)  # liberties
_REASON_TO_KEEP = np.uint64(2000)


@inlined_kernel
def is_bad_self_atari(board, notes, point, color):
    """Is a stone of `color` on the empty `point` a self-atari that helps nothing?

    Finds also moves that leave two liberties and no way out. Overwrites notes.area.
    """
    return not _is_clearly_safe(board, point, color) and _is_bad(board, notes, point, color, U1)


@inlined_kernel
def is_very_bad_self_atari(board, notes, point, color):
    """The same for three stones and more only: less is thrown in as it comes."""
    return not _is_clearly_safe(board, point, color) and _is_bad(board, notes, point, color, U3)


@inlined_kernel
def _is_clearly_safe(board, point, color):
    """Are there two liberties at hand, or a chain to join with liberties to spare?"""
    if n_empty_sides(board, point) >= U2:
        return True
    own = own_sides(board, point, color)
    while own != U0:
        head = board.chain[neighbor(board, point, trailing_zeros(own))]
        own &= own - U1
        if board.n_liberties[head] > 3:
            return True
    return False


@kernel
def _is_bad(board, notes, point, color, fewest):
    """`fewest`: so many stones at least are too many to be given for nothing."""
    n_liberties, liberty = liberties_after(board, point, color)
    own = chains_on(board, point, own_sides(board, point, color))
    if n_liberties > U1:
        return fewest == U1 and own != U0 and own <= HEAD_MASK and _shuts_in(board, own, point)
    if n_liberties == U0:
        return True
    n_taken = _n_taken(board, chains_on(board, point, own_sides(board, point, U3 - color)))
    if n_taken > U1 or (n_taken == U1 and own == U0):
        return False
    n_given = U1 + _n_stones(board, own)
    if n_given < fewest:
        return False
    if n_given > _LARGEST_HOLE:
        return True
    return not _is_gift(board, notes, point, color, own, liberty, n_given)


@inlined_kernel
def _n_stones(board, heads):
    n = U0
    while heads != U0:
        n += np.uint64(board.n_stones[heads & HEAD_MASK])
        heads >>= U16
    return n


@inlined_kernel
def _n_taken(board, enemies):
    n = U0
    while enemies != U0:
        head = enemies & HEAD_MASK
        enemies >>= U16
        if board.n_liberties[head] == 1:
            n += np.uint64(board.n_stones[head])
    return n


@inlined_kernel
def _fewest_liberties(board, heads):
    fewest = _MANY
    while heads != U0:
        fewest = min(fewest, np.uint64(board.n_liberties[heads & HEAD_MASK]))
        heads >>= U16
    return fewest


# --- what the enemy has after taking ------------------------------------------------------


@kernel
def _liberties_of_rim(board, point, liberty, color, own):
    """The fewest and the most liberties of a chain around the hole or at `liberty`.

    Without these two points. An eye counts as many. One that is false only for the given
    stones is a reason to keep them, and so is a chain in atari: it may be taken instead.
    """
    fewest, most = _liberties_beside(board, liberty, point, liberty, color, own)
    heads = own
    while True:
        head = heads & HEAD_MASK  # 0 at last: the stone on `point` alone
        heads >>= U16
        stone = point if head == U0 else head
        while True:
            fewest_here, most_here = _liberties_beside(board, stone, point, liberty, color, own)
            fewest = min(fewest, fewest_here)
            most = max(most, most_here)
            stone = np.uint64(board.next_stone[stone]) if head != U0 else U0
            if stone == head:
                break
        if head == U0:
            return fewest, most


@inlined_kernel
def _liberties_beside(board, stone, point, liberty, color, own):
    """The same for the enemy chains beside a stone."""
    fewest, most = _MANY, U0
    heads = chains_on(board, stone, own_sides(board, stone, U3 - color))
    while heads != U0:
        head = heads & HEAD_MASK
        heads >>= U16
        n = np.uint64(board.n_liberties[head])
        n -= np.uint64(is_liberty(board, head, point))
        n -= np.uint64(is_liberty(board, head, liberty))
        if n == U1:
            n = _worth_of_third(board, head, point, liberty, own)
        fewest = min(fewest, n)
        most = max(most, n)
    return fewest, most


@inlined_kernel
def _worth_of_third(board, head, point, liberty, own):
    """What the one liberty besides these two counts."""
    if board.n_liberties[head] == 1:
        return _REASON_TO_KEEP
    third = first_liberty(board, head)
    while third == point or third == liberty:
        third = next_liberty(board, head, third)
    owner = np.uint64(board.color[head])
    if not is_eyelike(board, third, owner):
        return U1
    if not has_false_corners(board, third, owner):
        return _MANY
    return _REASON_TO_KEEP if _is_eye_without(board, third, owner, own) else U1


@inlined_kernel
def _is_eye_without(board, eye, owner, given):
    """Is the false eye a true one without the given chains on its diagonals?"""
    stride = stride_of(board)
    n_enemies = U0
    is_at_edge = False
    for row in (eye - stride, eye + stride):
        for corner in (row - U1, row + U1):
            color = np.uint64(board.color[corner])
            is_at_edge |= color == U3
            if color == U3 - owner and not holds_head(given, np.uint64(board.chain[corner])):
                n_enemies += U1
    return n_enemies + np.uint64(is_at_edge) < U2


@inlined_kernel
def _n_open(board, liberty, point):
    """Empty points beside `liberty`, without `point`."""
    n = U0
    sides = empty_sides(board, liberty)
    while sides != U0:
        n += np.uint64(neighbor(board, liberty, trailing_zeros(sides)) != point)
        sides &= sides - U1
    return n


@inlined_kernel
def _friends_at(board, liberty, color, own):
    """Are there other chains of `color` than the given ones at `liberty`?

    Returns whether one is there that may be joined, and one that is taken with them.
    """
    may_join, is_taken = False, False
    heads = chains_on(board, liberty, own_sides(board, liberty, color))
    while heads != U0:
        head = heads & HEAD_MASK
        heads >>= U16
        if not holds_head(own, head):
            if board.n_liberties[head] == 1:
                is_taken = True
            else:
                may_join = True
    return may_join, is_taken


@kernel
def _is_dead_hole(board, notes, point, own, n_given):
    """Is the hole no room for two eyes?"""
    if n_given <= U3:
        return True
    notes.area[0] = np.uint16(point)
    n = U1
    while own != U0:
        head = own & HEAD_MASK
        own >>= U16
        stone = head
        while True:
            notes.area[n] = np.uint16(stone)
            n += U1
            stone = np.uint64(board.next_stone[stone])
            if stone == head:
                break
    return is_dead_shape(board, notes, n)


# --- which gifts are useful ---------------------------------------------------------------


@kernel
def _is_gift(board, notes, point, color, own, liberty, n_given):
    """Is what stands on `point` and can be taken at `liberty` given for something?"""
    enemy = U3 - color
    n_open = _n_open(board, liberty, point)
    may_join, is_more_taken = _friends_at(board, liberty, color, own)
    if is_more_taken:
        return False  # which leaves two holes
    if (n_open > U1 or may_join) and _is_liberty_of(board, own, liberty):
        return False  # there it gets out
    is_captor_alone = own_sides(board, liberty, enemy) == U0
    if n_given <= U2 and not may_join and not (is_captor_alone and own == U0):
        if _is_way_narrow(board, point, liberty, n_open, own):
            if _spoils_eye(board, point, enemy):
                return True
    if n_open != U0:
        return False
    n_beside = _n_beside(board, liberty, point, color, own)
    if is_captor_alone:  # it is taken back, unless it has room in the hole
        is_taken_back = n_given > U1 and (n_beside == U1 or board.color[liberty] == EMPTY)
        if not is_taken_back or not _is_dead_hole(board, notes, point, own, n_given):
            return False
        # With an eye elsewhere, the hole is the second one.
        return _liberties_of_rim(board, point, liberty, color, own)[1] < _MANY
    if own == U0 and _liberties_beside(board, liberty, point, liberty, color, own)[1] == U0:
        return True  # a snapback
    if own == U0 and may_join:
        return False  # no eye is there
    fewest, most = _liberties_of_rim(board, point, liberty, color, own)
    # What keeps an eye from becoming two; four in a square are one already.
    is_square = n_given == U3 and n_beside == U2
    is_vital = not is_square and _n_beside(board, point, liberty, color, own) > U1
    if most == _REASON_TO_KEEP:
        return False
    if most > U2:
        if not is_vital or fewest == U0:  # else a seki opens to the outside
            return False
    elif not is_vital and n_given <= U2 and _spoils_eye(board, liberty, enemy):
        return False  # there it does more
    if _is_dead_hole(board, notes, point, own, n_given):
        return True
    return most == U0 and n_given == U4 and is_bent_four(board, notes)


@inlined_kernel
def _is_liberty_of(board, heads, point):
    while heads != U0:
        if is_liberty(board, heads & HEAD_MASK, point):
            return True
        heads >>= U16
    return False


@inlined_kernel
def _n_beside(board, center, other, color, own):
    """How many sides of `center` are given stones, or `other`."""
    n = np.uint64(is_adjacent(board, center, other))
    sides = own_sides(board, center, color)
    while sides != U0:
        head = np.uint64(board.chain[neighbor(board, center, trailing_zeros(sides))])
        sides &= sides - U1
        n += np.uint64(holds_head(own, head))
    return n


@inlined_kernel
def _is_way_narrow(board, point, liberty, n_open, own):
    """Does nothing, or a single point straight ahead, lie open behind the liberty?"""
    if n_open == U0:
        return True
    if own != U0:
        return n_open == U1
    return n_open == U1 and board.color[liberty + liberty - point] == EMPTY


@inlined_kernel
def _spoils_eye(board, point, enemy):
    """Is the point one that the enemy has all around but for one side, and a false eye then?"""
    walls = own_sides(board, point, enemy) | edge_sides(board, point)
    return popcount(walls) == U3 and has_false_corners(board, point, enemy)


@kernel
def sets_up_snapback(board, point, color):
    """Is a lone stone on `point` taken only by a chain that is taken back with more?"""
    if n_empty_sides(board, point) != U1 or own_sides(board, point, color) != U0:
        return False
    n_liberties, liberty = liberties_after(board, point, color)
    if n_liberties != U1 or board.color[liberty] != EMPTY:
        return False
    if own_sides(board, liberty, U3 - color) == U0 or _n_open(board, liberty, point) != U0:
        return False
    if _friends_at(board, liberty, color, U0)[1]:
        return False
    return _liberties_beside(board, liberty, point, liberty, color, U0)[1] == U0


# --- two liberties left -------------------------------------------------------------------


@kernel
def _shuts_in(board, head, point):
    """Does the chain of three liberties lose its last way out by filling `point`?

    It gets nothing for it, and the enemy needs two moves more: at one of the other liberties
    there is no getting out once he has taken the other.
    """
    if board.n_liberties[head] != 3:
        return False
    color = np.uint64(board.color[head])
    enemies = chains_on(board, point, own_sides(board, point, U3 - color))
    if n_won(board, head, point) != U0 or _fewest_liberties(board, enemies) <= U3:
        return False
    has_dead_end = False
    liberty = first_liberty(board, head)
    while liberty != U0:
        if liberty != point:
            if is_eye(board, liberty, color):
                return False
            has_dead_end |= n_won(board, head, liberty) <= U1 and not has_friend(
                board, head, liberty
            )
        liberty = next_liberty(board, head, liberty)
    return has_dead_end
