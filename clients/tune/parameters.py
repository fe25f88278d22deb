"""What is tuned: numbers with bounds, each with a step at which a difference can be seen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

Number = Annotated[float, Meta(ge=-1e12, le=1e12)]  # no NaN, and nothing that overflows
Name = Annotated[str, Meta(pattern=r"^[A-Za-z][A-Za-z0-9_.-]{0,63}$")]  # one word of GTP
Values = dict[str, float]  # by name

_DIGITS = 6  # of values that engines are told
_LEAST_WHOLE_STEP = 0.5  # both sides differ by two steps: by one at least


class Parameter(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """One [[parameter]] of the file.

    step    how far both sides of a game are from the middle, at the end of the run
    whole   engines are told whole numbers alone
    """

    name: Name
    start: Number
    minimum: Number
    maximum: Number
    step: Annotated[float, Meta(gt=0, le=1e12)]
    whole: bool = False

    def within(self, value: float) -> float:
        return min(max(value, self.minimum), self.maximum)

    def told(self, value: float) -> float:
        """The nearest value that an engine can be told."""
        return self.within(math.floor(value + 0.5) if self.whole else _rounded(value))

    def text(self, value: float) -> str:
        """What an engine is told, and what people read."""
        told = self.told(value)
        return str(int(told)) if self.whole else f"{told:.{_DIGITS}g}"


def wrong_with(parameter: Parameter) -> str:
    """Why it cannot be tuned, and what would be right; empty if it can."""
    low, high = parameter.minimum, parameter.maximum
    if low >= high:
        return f"minimum = {low:g} has to be less than maximum = {high:g}"
    if not low <= parameter.start <= high:
        return f"start = {parameter.start:g} is not from {low:g} to {high:g}"
    if parameter.step > (high - low) / 2:
        return f"step = {parameter.step:g} is more than half of what is between its bounds"
    if parameter.whole:
        for key in ("start", "minimum", "maximum"):
            if (value := getattr(parameter, key)) != int(value):
                return f"{key} = {value:g} is no whole number"
        if parameter.step < _LEAST_WHOLE_STEP:
            return f"step = {parameter.step:g} of a whole number is at least {_LEAST_WHOLE_STEP:g}"
    return ""


def told_values(parameters: Sequence[Parameter], values: Values) -> dict[str, int | float]:
    """What engines are told, as numbers."""
    told = {each: each.told(values[each.name]) for each in parameters}
    return {each.name: int(value) if each.whole else value for each, value in told.items()}


def start_values(parameters: Sequence[Parameter]) -> Values:
    return {parameter.name: parameter.start for parameter in parameters}


def _rounded(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}")
