"""GTP version 2 as text in, text out. Nothing is read or written but named SGF files.

Lowest first:

    parsing.py     argument texts to values
    replies.py     success and failure texts, always well formed
    registry.py    the one table of commands, filled by a decorator
    clock.py       what clients say about time
    budget.py      how long a move may take
    diagram.py     a position drawn in plain text
    analysis.py    what a search found, in the dialects of GUIs
    reporting.py   how a search goes, as JSON
    session.py     one client's game; a line in, a reply or an order for a search out
    snapshot.py    a session as plain data, and back
    commands/      one small function a command, by topic
"""

from goengine.gtp.session import GtpSession

__all__ = ["GtpSession"]
