"""What stands around a point, as 16 bits kept up to date with every stone.

    bits  0-3   black to the south, west, east, north
    bits  4-7   white likewise
    bits  8-11  black to the south-west, south-east, north-west, north-east
    bits 12-15  white likewise

Outside the board both bits are set. So "only own stones or edge on all four
sides" is one comparison, and nothing looks at a neighbour twice.
North is up: a greater point.
"""

import numpy as np

from goengine.board.records import stride_of
from goengine.jit import inlined_kernel
from goengine.words import U0, U1, U2, U3, U4, U8, U15, U16, U24, U255

ALL_SIDES = U15
_BLACK_BITS = np.uint64(0x0F0F)


@inlined_kernel
def shift_of(color):
    """Position of a colour's four bits in each half of `around`."""
    return (color - U1) * U4


@inlined_kernel
def sides_of(around, color):
    """The four sides that hold `color` or the edge."""
    return (around >> shift_of(color)) & U15


@inlined_kernel
def corners_of(around, color):
    """The four diagonals that hold `color` or the edge."""
    return (around >> (shift_of(color) + U8)) & U15


@inlined_kernel
def seen_by(around, color):
    """`around` with the stones of `color` as black."""
    if color == U1:
        return around
    return (around & _BLACK_BITS) << U4 | (around >> U4) & _BLACK_BITS


@inlined_kernel
def neighbor(board, point, side):
    """The point to the south, west, east or north: side 0 to 3. No branch, no table."""
    stride = stride_of(board)
    steps = (stride - U1) << U8 | (stride + U1) << U16 | (stride + stride) << U24
    return point - stride + ((steps >> side * U8) & U255)


@inlined_kernel
def toggle_around(board, point, color):
    """Change `around` of the eight neighbours: a stone of `color` came to or left `point`."""
    around = board.around
    stride = stride_of(board)
    shift = shift_of(color)
    around[point - stride - U1] ^= np.uint16(np.uint64(0x800) << shift)
    around[point - stride] ^= np.uint16(np.uint64(0x008) << shift)
    around[point - stride + U1] ^= np.uint16(np.uint64(0x400) << shift)
    around[point - U1] ^= np.uint16(np.uint64(0x004) << shift)
    around[point + U1] ^= np.uint16(np.uint64(0x002) << shift)
    around[point + stride - U1] ^= np.uint16(np.uint64(0x200) << shift)
    around[point + stride] ^= np.uint16(np.uint64(0x001) << shift)
    around[point + stride + U1] ^= np.uint16(np.uint64(0x100) << shift)


@inlined_kernel
def compute_around(board, point):
    """The same 16 bits from the colours alone."""
    stride = stride_of(board)
    color = board.color
    code = U0
    code |= _bits(color[point - stride], U0)
    code |= _bits(color[point - U1], U1)
    code |= _bits(color[point + U1], U2)
    code |= _bits(color[point + stride], U3)
    code |= _bits(color[point - stride - U1], U8)
    code |= _bits(color[point - stride + U1], U8 + U1)
    code |= _bits(color[point + stride - U1], U8 + U2)
    code |= _bits(color[point + stride + U1], U8 + U3)
    return code


@inlined_kernel
def _bits(color, position):
    black = np.uint64(color) & U1
    white = np.uint64(color) >> U1
    return (black | white << U4) << position
