"""Commands that read and write game records in SGF."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goengine import sgf
from goengine.board import BLACK, WHITE
from goengine.gtp.parsing import parse_integer
from goengine.gtp.registry import command
from goengine.gtp.replies import GtpError, quote
from goengine.rules.scoring import format_score, score_game

if TYPE_CHECKING:
    from goengine.gtp.session import GtpSession


@command("loadsgf")
def loadsgf(session: GtpSession, *file_and_move_number: str) -> None:
    """Load the position before move n, or the last one if there is no n.

    Rules and komi stay where the file has none.

    A last word of digits is n; the words before it are the file's name, which
    may thus hold spaces.
    """
    words = list(file_and_move_number)
    move_number = None
    if len(words) > 1 and words[-1].isascii() and words[-1].isdigit():
        move_number = parse_integer(words.pop())
    if not words:
        raise GtpError("cannot load file: no file name given")
    name, game = " ".join(words), session.game
    if session.file is None and not session.has_files:
        raise GtpError(f"cannot load file: {quote(name)} came without its text")
    try:
        data = sgf.read_file(name) if session.file is None else session.file
        session.before_board(sgf.board_size(data, name))
        session.begin(sgf.parse_sgf(data, name, move_number, game.rules, game.komi))
    except sgf.SgfError as error:
        raise GtpError(f"cannot load file: {error}") from None


@command("printsgf")
def printsgf(session: GtpSession, *file: str) -> str | None:
    """Reply with the game record or, if a file is named, write it there.

    The engine signs for the colours that it played; a finished game has a result.
    """
    game = session.game
    black, white = (session.name * (color in session.engine_colors) for color in (BLACK, WHITE))
    result = format_score(score_game(game)) if game.is_over else ""
    if not file:
        return sgf.format_sgf(game, black, white, result)
    if not session.has_files:
        raise GtpError("cannot save file: the client saves what printsgf without a name replies")
    try:
        sgf.save_sgf(game, " ".join(file), black, white, result)
    except sgf.SgfError as error:
        raise GtpError(f"cannot save file: {error}") from None
    return None
