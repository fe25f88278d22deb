"""SVG to PNG by resvg: one small library without others, which is asked for only here."""

from __future__ import annotations

import importlib
from pathlib import Path

INSTALL = "pip install 'goengine[png]'   (or: pip install resvg-py)"
SCALE = 2  # pixels for each unit of the picture

_FONTS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.fonts", "~/.local/share/fonts")


class NoPng(Exception):
    """There is no picture; the text says what to install."""


def check_png() -> None:
    """Raises NoPng, before somebody has waited an hour for his picture."""
    try:
        importlib.import_module("resvg_py")
    except ImportError:
        raise NoPng(f"--png needs resvg: {INSTALL}") from None
    folders = [Path(folder).expanduser() for folder in _FONTS]
    if not any(path for folder in folders for path in folder.rglob("*.[to]t[fc]")):
        raise NoPng("--png needs a font: install one, such as the package fonts-dejavu-core")


def to_png(svg: str) -> bytes:
    """Raises NoPng."""
    check_png()
    library = importlib.import_module("resvg_py")
    try:
        return bytes(library.svg_to_bytes(svg_string=svg, zoom=SCALE, background="#ffffff"))
    except ValueError as error:
        raise NoPng(f"resvg: {error}") from None
