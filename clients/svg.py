"""Elements of SVG, escaped, and round numbers for its axes."""

from __future__ import annotations

import math
from collections.abc import Iterable

from markupsafe import Markup, escape

from daemon.plain_text import plain


def tag(name: str, inside: str = "", /, **attributes: object) -> Markup:
    """An element; all that is not Markup is escaped.

    `class_` is the attribute class, `text_anchor` is text-anchor; None leaves one out.
    """
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(plain(str(value)))}"'
        for key, value in attributes.items()
        if value is not None
    )
    content = inside if isinstance(inside, Markup) else escape(plain(inside))
    return Markup(f"<{name}{given}>{content}</{name}>")


def text(x: float, y: float, words: str, class_: str | None = None) -> Markup:
    return tag("text", words, x=x, y=y, class_=class_)


def picture(
    title: str, parts: Iterable[Markup], width: float, height: float, class_: str
) -> Markup:
    """A whole SVG; the title is for those who cannot see it."""
    return tag(
        "svg",
        Markup("").join([tag("title", title), *parts]),
        xmlns="http://www.w3.org/2000/svg",
        role="img",
        class_=class_,
        viewBox=f"0 0 {width:g} {height:g}",
    )


def clipped(words: str, length: int) -> str:
    """So many characters have room."""
    return words if len(words) <= length else f"{words[: length - 1]}…"


def ticks(low: float, high: float, at_most: int = 6, least: float = 0) -> list[float]:
    """Round numbers from `low` to `high`, at least `least` apart."""
    step = max(least, round_step(high - low, at_most - 1))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(number * step, 10) for number in range(first, last + 1)]


def round_step(span: float, parts: int) -> float:
    """1, 2 or 5 and a power of ten, the least of which `parts` cover the span."""
    power: float = 10.0 ** math.floor(math.log10(span / parts))
    return next(power * step for step in (1, 2, 5, 10, 20) if power * step * parts >= span)
