"""Text from elsewhere, made fit to be shown."""

from __future__ import annotations


def plain(text: str) -> str:
    """The text with nothing in it but what can be seen, spaces and line feeds."""
    if text.isprintable():
        return text
    return "".join(
        character
        if character.isprintable() or character == "\n"
        else (" " if character.isspace() else "\N{REPLACEMENT CHARACTER}")
        for character in text.replace("\r\n", "\n")
    )
