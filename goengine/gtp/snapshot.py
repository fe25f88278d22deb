"""A session as plain data, and back: what survives the process that it runs in."""

from __future__ import annotations

import msgspec

from goengine.board import BLACK, WHITE
from goengine.gtp.clock import Clock
from goengine.gtp.session import GtpSession
from goengine.rules.game import Game, Move, opponent
from goengine.rules.rulesets import Rules
from goengine.search.orders import Limits


class Snapshot(msgspec.Struct, kw_only=True):
    size: int
    rules: Rules
    komi: float
    n_handicap: int | None  # as it was declared; None: the moves tell
    setup_black: list[int]
    setup_white: list[int]
    first_to_play: int
    prisoners: tuple[int, int]  # taken before the first move, by black and by white
    moves: list[Move]
    n_handed_over: int  # how often the turn changed hands since, without a move
    name: str
    version: str
    limits: Limits
    parameters: dict[str, str]
    engine_colors: list[int]
    clock: Clock
    report_format: str
    pondering: str = "auto"
    n_lost: tuple[int, int] = (0, 0)  # by black and by white; records of old have none


_encode = msgspec.json.Encoder().encode
_decoder = msgspec.json.Decoder(Snapshot)


def save_session(session: GtpSession) -> bytes:
    """JSON for `restore_session`."""
    game = session.game
    return _encode(
        Snapshot(
            size=game.size,
            rules=game.rules,
            komi=game.komi,
            n_handicap=game.declared_handicap,
            setup_black=game.setup_black,
            setup_white=game.setup_white,
            first_to_play=game.first_to_play,
            prisoners=game.prisoners_before,
            moves=game.moves,
            n_handed_over=game.n_handed_over,
            name=session.name,
            version=session.version,
            limits=session.limits,
            parameters=session.parameters,
            engine_colors=sorted(session.engine_colors),
            clock=session.clock,
            report_format=session.report_format,
            pondering=session.pondering,
            n_lost=(session.n_lost[BLACK], session.n_lost[WHITE]),
        )
    )


def size_in(record: bytes) -> int:
    """The board that the record is about: kernels for it must be there to restore it."""
    return _decoder.decode(record).size


def restore_session(record: bytes) -> GtpSession:
    """A session without an engine. Raises ValueError where `record` is none."""
    try:
        saved = _decoder.decode(record)
    except msgspec.DecodeError as error:
        raise ValueError(f"not a session: {error}") from None
    game = Game(saved.size, saved.rules, saved.komi)
    if saved.setup_black or saved.setup_white or saved.first_to_play != game.to_play:
        game.set_up(saved.setup_black, saved.setup_white, saved.first_to_play, saved.prisoners)
    game.declared_handicap = saved.n_handicap
    game.replay(saved.moves)
    for _ in range(min(saved.n_handed_over, 2 + saved.n_handed_over % 2)):
        game.to_play = opponent(game.to_play)
    session = GtpSession(game=game, name=saved.name, version=saved.version, limits=saved.limits)
    session.parameters = saved.parameters
    session.engine_colors = set(saved.engine_colors)
    session.clock = saved.clock
    session.report_format = saved.report_format
    session.pondering = saved.pondering
    session.n_lost = dict(zip((BLACK, WHITE), saved.n_lost, strict=True))
    return session
