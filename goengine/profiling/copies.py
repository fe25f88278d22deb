"""Copies of kernels that run the same code but find something else under some of its names.

So a search can be measured without a line in it about measuring, and without a second
version of it that could drift away.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import FunctionType
from typing import Any

import numpy as np

from goengine.jit import COMPILED, inlined_kernel, kernel
from goengine.linked_kernels import LinkedKernel
from goengine.profiling.laps import switch_on, switch_to


class Copies:
    """Make them bottom-up: a copy calls the copies that were made before it."""

    def __init__(self, module: str) -> None:
        """In `module`, which is imported again when its kernels are loaded from the cache."""
        self._module = module
        self._made: list[tuple[Any, Any]] = []  # the original, its copy

    def copy(self, original: Any, phases: Mapping[str, int]) -> Any:
        """A copy of the kernel; what it calls by the names in `phases` is timed as that phase.

        Raises ValueError if it does not use such a name.
        """
        function = _function_of(original)
        names = dict(function.__globals__)
        for name, value in function.__globals__.items():
            names[name] = next((copy for each, copy in self._made if each is value), value)
        for name, phase in phases.items():
            if name not in function.__code__.co_names:
                raise ValueError(f"{function.__module__}.{function.__name__} has no {name}")
            names[name] = self._timed(names[name], phase, f"{name}_in_{function.__name__}")
        is_inlined = COMPILED and not isinstance(original, LinkedKernel)
        copy = self._compiled(function, names, f"copy_of_{function.__name__}", is_inlined)
        self._made.append((original, copy))
        return copy

    def _timed(self, target: Any, phase: int, name: str) -> Any:
        """A kernel that calls `target` with its phase switched on."""
        names = {
            "switch_on": switch_on,
            "switch_to": switch_to,
            "target": target,
            "phase": np.uint64(phase),
        }
        return self._compiled(_call_timed, names, f"timed_{name}", is_inlined=True)

    def _compiled(
        self, function: Any, names: dict[str, Any], new_name: str, is_inlined: bool
    ) -> Any:
        made: Any = FunctionType(function.__code__, names, new_name)
        # numba's cache on disk tells kernels apart by these two.
        made.__qualname__ = new_name
        made.__module__ = self._module
        return inlined_kernel(made) if is_inlined else kernel(made)


def _function_of(original: Any) -> Any:
    return original.py_func if COMPILED else original


def _call_timed(*arguments: Any) -> Any:
    outer = switch_on(phase)  # type: ignore[name-defined]  # noqa: F821
    result = target(*arguments)  # type: ignore[name-defined]  # noqa: F821
    switch_to(outer)
    return result
