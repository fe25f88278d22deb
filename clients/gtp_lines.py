"""As much of GTP as a client must do itself: failures, and files.

Files are the client's: the daemon may run elsewhere, as somebody else. A record that is to be
loaded is read here and goes along with the line; one that is to be saved comes as a reply and
is written here.
"""

from __future__ import annotations

from pathlib import Path

from goengine.gtp_line import Request

MAX_FILE_BYTES = 4_000_000  # as the engine's own limit of a record


class FileError(Exception):
    """A file that cannot be read or written; names it and says why."""


def format_failure(request_id: str, message: str) -> str:
    """A reply that is well formed whatever the message."""
    text = " ".join("".join(c if c.isprintable() else " " for c in message).split())
    return f"?{request_id} {text}\n\n"


def file_to_load(line: Request) -> str:
    """The file that a loadsgf names; "" for other lines and if it names none.

    A last word of digits after the name is the number of a move.
    """
    if line.command != "loadsgf":
        return ""
    words = line.arguments
    if len(words) > 1 and words[-1].isascii() and words[-1].isdigit():
        words = words[:-1]
    return " ".join(words)


def file_to_save(line: Request) -> str:
    """The file that a printsgf names; "" for other lines and if it names none."""
    return " ".join(line.arguments) if line.command == "printsgf" else ""


def read_record(file: str) -> str:
    """The text of a file. Raises FileError."""
    try:
        path = _regular(file)
        with path.open("rb") as stream:
            data = stream.read(MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as error:
        raise _explain(file, error) from None
    if len(data) > MAX_FILE_BYTES:
        raise FileError(f"{file}: longer than {MAX_FILE_BYTES} bytes")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def save_reply(reply: str, request_id: str, file: str) -> str:
    """Write the text of a reply to a file; return the reply that takes its place."""
    if not reply.startswith("="):
        return reply
    text = reply.removeprefix(f"={request_id}").strip()
    try:
        _regular(file).write_text(f"{text}\n", encoding="utf-8")
    except (OSError, ValueError) as error:
        return format_failure(request_id, f"cannot save file: {_explain(file, error)}")
    return f"={request_id}\n\n"


def _regular(file: str) -> Path:
    """Opening a pipe would wait for somebody at its other end."""
    path = Path(file)
    if path.exists() and not path.is_file():
        raise OSError(None, "not a regular file")
    return path


def _explain(file: str, error: Exception) -> FileError:
    reason = error.strerror or str(error) if isinstance(error, OSError) else "not a file name"
    return FileError(f"{file}: {reason}")


class OneHead:
    """Sees to it that a reply has one head.

    A daemon that is started anew says a reply again from its head on, while the first lines of an
    analysis are out already; and a head can be lost with a connection.
    """

    def __init__(self, id: str) -> None:
        """id: GTP's."""
        self._id = id
        self._has_begun = False

    def fit(self, text: str) -> str:
        """The next piece of the reply, made to follow those before it."""
        has_head = text.startswith(("=", "?"))
        if self._has_begun:
            return text.partition("\n")[2] if has_head else text
        self._has_begun = bool(text)
        return f"={self._id}\n{text}" if text and not has_head else text
