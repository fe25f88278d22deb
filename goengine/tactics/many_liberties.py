"""Chains with three or four liberties: a race that has to be begun now."""

from goengine.jit import kernel
from goengine.tactics.two_liberties import note_counterattacks


@kernel
def note_race_moves(board, notes, head, color):
    """Note ataris on enemy chains beside the own one, which may have to be made early.

    Nothing else is tried: more liberties are hard to get, and filling those of strong
    chains is a loss.
    """
    note_counterattacks(board, notes, head, color, False, True)
