"""The messages between clients and the daemon: docs/protocol.md in code.

Every message is one frame of JSON. Everything from outside is hostile until it is decoded
here: what comes out has the right types, a name that is a name, and a known version.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

import msgspec

VERSION = 1
MAX_BYTES = 4 << 20  # of a message; a game record of thousands of moves has less

_Id = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
_GameName = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9._-]{1,64}\Z")]
MAX_LINE = 1 << 16  # characters of GTP

_Text = Annotated[str, msgspec.Meta(max_length=MAX_BYTES)]
_Short = Annotated[str, msgspec.Meta(max_length=200)]
_Count = Annotated[int, msgspec.Meta(ge=1, le=10**12)]


class Settings(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """How a new game begins and is played; what is None is for the daemon to say."""

    size: Annotated[int, msgspec.Meta(ge=2, le=25)] | None = None
    rules: _Short | None = None
    komi: float | None = None
    engine: _Short | None = None
    playouts: _Count | None = None  # a move
    seconds: Annotated[float, msgspec.Meta(gt=0, le=86400)] | None = None  # a move
    workers: Annotated[int, msgspec.Meta(ge=1, le=4096)] | None = None  # at most so many
    pondering: Literal["auto", "on", "off"] | None = None
    seed: Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)] | None = None
    name: _Short | None = None  # the answer to `name`
    version: _Short | None = None  # the answer to `version`
    parameters: dict[_Short, _Short] = {}  # of the search, as a user writes them


class _Message(msgspec.Struct, tag_field="do", kw_only=True, forbid_unknown_fields=True):
    v: int
    id: _Id


class _Request(_Message, kw_only=True):
    client: _Id  # the same in all messages of one client, also after it connects again
    game: _GameName


class Gtp(_Request, tag="gtp", kw_only=True):
    """Run one line of GTP in a game."""

    line: Annotated[str, msgspec.Meta(max_length=MAX_LINE)]
    file: _Text | None = None  # for loadsgf: what stands in the file that the line names


class Open(_Request, tag="open", kw_only=True):
    """Make the game, or come back to it."""

    settings: Settings = msgspec.field(default_factory=Settings)
    watch: bool = False  # only look
    keep: bool = False  # also when its client is gone; a game that a person named is kept


class Close(_Request, tag="close", kw_only=True):
    """Forget the game."""


Request = Gtp | Open | Close


class Status(_Message, tag="status", kw_only=True):
    """What runs."""


class Stop(_Message, tag="stop", kw_only=True):
    """End the search in a game; it answers with what it has."""

    game: _GameName


class Drop(_Message, tag="drop", kw_only=True):
    """Forget a game, whoever owns it."""

    game: _GameName


class Drain(_Message, tag="drain", kw_only=True):
    """Take no new games; end when all clients are gone."""


class ShutDown(_Message, tag="shutdown", kw_only=True):
    """End now. The games are in the journal."""


Control = Status | Stop | Drop | Drain | ShutDown

Stream = Literal["reply", "report", "notice"]


class Part(msgspec.Struct, tag_field="kind", tag="part", kw_only=True):
    """Some of an answer.

    stream: `reply` is GTP for whoever asked, `report` lines of JSON about the search, `notice`
    a line for people.
    """

    v: int = VERSION
    id: str
    stream: Stream = "reply"
    text: str


class Working(msgspec.Struct, tag_field="kind", tag="working", kw_only=True):
    """A request that was sent again is known, and not done yet."""

    v: int = VERSION
    id: str


class End(msgspec.Struct, tag_field="kind", tag="end", kw_only=True):
    """The last of an answer: what the parts have not said yet."""

    v: int = VERSION
    id: str
    text: str = ""
    data: Any = None


Code = Literal[
    "bad-message",
    "version",
    "settings",
    "no-game",
    "taken",
    "no-room",
    "busy",
    "too-large",
    "forbidden",
    "leaving",
    "internal",
]


class Failure(msgspec.Struct, tag_field="kind", tag="error", kw_only=True):
    """Nothing was done. `text` is for people, `code` for programs."""

    v: int = VERSION
    id: str
    code: Code
    text: str


Answer = Part | Working | End | Failure


class BadMessage(ValueError):
    """What came is no message; `id` is the one that it seems to carry, or ""."""

    def __init__(self, text: str, id: str = "", code: Code = "bad-message") -> None:
        super().__init__(text)
        self.id = id
        self.code: Code = code


encode = msgspec.json.Encoder().encode
_T = TypeVar("_T")
_requests: msgspec.json.Decoder[Request] = msgspec.json.Decoder(Request)
_controls: msgspec.json.Decoder[Control] = msgspec.json.Decoder(Control)
_answers: msgspec.json.Decoder[Answer] = msgspec.json.Decoder(Answer)


class _Head(msgspec.Struct):
    """What can be told of a message that is wrong elsewhere."""

    id: Any = ""
    v: Any = None


_heads = msgspec.json.Decoder(_Head)


def decode_request(frame: bytes | memoryview) -> Request:
    """Raises BadMessage."""
    return _decode(_requests, frame)


def decode_control(frame: bytes | memoryview) -> Control:
    """Raises BadMessage."""
    return _decode(_controls, frame)


def decode_answer(frame: bytes | memoryview) -> Answer:
    """Raises BadMessage."""
    return _decode(_answers, frame)


def _decode(decoder: msgspec.json.Decoder[_T], frame: bytes | memoryview) -> _T:
    try:
        message = decoder.decode(frame)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _explain(frame, error) from None
    if message.v != VERSION:  # type: ignore[attr-defined]
        raise _wrong_version(message.v, message.id)  # type: ignore[attr-defined]
    return message


def _explain(frame: bytes | memoryview, error: Exception) -> BadMessage:
    """Another version is the likelier reason for a message that is not understood."""
    try:
        head = _heads.decode(frame)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return BadMessage(f"not a message: {error}")
    known_id = head.id if isinstance(head.id, str) and len(head.id) <= 64 else ""
    if type(head.v) is int and head.v != VERSION:
        return _wrong_version(head.v, known_id)
    return BadMessage(f"not a message: {error}", known_id)


def _wrong_version(version: int, id: str) -> BadMessage:
    text = f"protocol {version} is spoken here by nobody; this is protocol {VERSION}"
    return BadMessage(text, id, "version")
