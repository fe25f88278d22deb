"""Saving a game to a file that the player names."""

from __future__ import annotations

from pathlib import Path


class SgfSaver:
    """Writes one game's record, again and again if asked, but never over another file."""

    def __init__(self) -> None:
        self._own_files: set[Path] = set()

    def save(self, sgf: str, file: str) -> str:
        """Write the record. Returns what to tell the player, also when that failed."""
        if not file:
            return "Save where? For example: save game.sgf"
        try:
            path = Path(file).expanduser().resolve()
            with path.open("w" if path in self._own_files else "x", encoding="utf-8") as stream:
                stream.write(f"{sgf}\n")
        except FileExistsError:
            return f"{file} exists already. Choose another name."
        except (OSError, RuntimeError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error).rstrip(".")
            return f"Cannot write {file}: {reason}. Choose another place."
        self._own_files.add(path)
        return f"Saved as {path}"
