"""Small numbers as 64-bit words.

Points, colours and counts are uint64 inside kernels: both operands of every
operation then have the same type, compiled and in plain Python alike, and an
index needs no test for a negative value.
"""

import numpy as np

U0 = np.uint64(0)
U1 = np.uint64(1)
U2 = np.uint64(2)
U3 = np.uint64(3)
U4 = np.uint64(4)
U6 = np.uint64(6)
U7 = np.uint64(7)
U8 = np.uint64(8)
U15 = np.uint64(15)
U16 = np.uint64(16)
U24 = np.uint64(24)
U32 = np.uint64(32)
U63 = np.uint64(63)
U255 = np.uint64(255)
