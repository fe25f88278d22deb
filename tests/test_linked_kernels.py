"""Kernels are compiled once, called by their symbol, and found again by other processes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from goengine.jit import COMPILED, inlined_kernel, kernel, recursive_kernel
from tests.small_packages import cache_of, make_package, run_python

compiled_only = pytest.mark.skipif(not COMPILED, reason="about compiled kernels")

BASE = """
import numpy as np
from goengine.jit import inlined_kernel, kernel

def record_of(n):
    records = np.zeros(1, np.dtype([("numbers", np.int64, (n,))]))
    records["numbers"][0] = range(n)
    return records[0]

@kernel
def last_of(record):
    return last_number(record.numbers)

@kernel
def last_number(numbers):
    return numbers[numbers.size - 1]

@kernel
def double(x):
    return x + x

@inlined_kernel
def quadruple(x):
    return double(double(x))

@kernel
def nothing():
    return 1
"""

CALLERS = """
from goengine.base import double, last_of, nothing, quadruple
from goengine.jit import kernel

@kernel
def left(x):
    return double(x) + nothing()

@kernel
def right(x):
    return double(x) + left(x)

@kernel
def top(x):
    return left(x) + right(x)

@kernel
def first(x):
    return quadruple(x) + 1

@kernel
def second(x):
    return quadruple(x) + 2

@kernel
def after_last(record):
    return last_of(record) + 1

@kernel
def before_last(record):
    return last_of(record) - 1
"""

# Prints a result, and the kernels that were compiled for it. May wait for a file before.
ASK = """
import sys, time
from pathlib import Path
from goengine import jit
from numba.core import event

compiled = []

class Listener(event.Listener):
    def on_start(self, event):
        compiled.append(event.data["dispatcher"].__name__)

    def on_end(self, event):
        pass

event.register("numba:compile", Listener())
from goengine import base, callers
while not all(Path(name).exists() for name in sys.argv[2:]):
    time.sleep(0.001)
print(eval(sys.argv[1]))
print(*sorted(compiled))
"""


class Answer(NamedTuple):
    result: str
    compiled: list[str]


@pytest.fixture
def package(tmp_path: Path) -> Path:
    return make_package(tmp_path, base=BASE, callers=CALLERS)


def ask(package: Path, expression: str) -> Answer:
    """In a fresh process."""
    cache = cache_of(package)
    done = run_python("-c", ASK, expression, cwd=package.parent, GOENGINE_CACHE_DIR=cache)
    assert done.returncode == 0, done.stderr
    result, compiled = done.stdout.splitlines()
    return Answer(result, compiled.split())


@compiled_only
def test_each_is_compiled_once_however_many_call_it(package: Path) -> None:
    asked = ask(package, "callers.top(5), callers.left(1), callers.right(1), base.double(7)")
    assert asked.result == "(32, 3, 5, 14)"
    assert asked.compiled == ["double", "left", "nothing", "right", "top"]


@compiled_only
def test_each_is_compiled_once_for_each_type(package: Path) -> None:
    asked = ask(package, "callers.top(5), callers.top(0.25), callers.top(6), callers.left(0.5)")
    assert asked.result == "(32, 3.5, 38, 2.0)"
    assert asked.compiled == sorted(2 * ["double", "left", "right", "top"] + ["nothing"])


@compiled_only
def test_a_caller_has_the_symbol_and_not_the_code(package: Path) -> None:
    code = "[callers.right(1), '|'.join(callers.right.inspect_llvm().values())][1]"
    done = run_python("-c", ASK, code, cwd=package.parent, GOENGINE_CACHE_DIR=cache_of(package))
    for name in ("base.double", "callers.left"):
        assert re.search(rf"^declare .*@goengine\.{name}\.[0-9a-f]+\(", done.stdout, re.M)
    assert len(re.findall(r"^define .*double", done.stdout, re.M)) == 0
    assert len(re.findall(r"^define .*right", done.stdout, re.M)) > 0


@compiled_only
def test_a_fresh_process_compiles_nothing(package: Path) -> None:
    before = ask(package, "callers.top(5), callers.top(0.25)")
    assert before.compiled != []
    assert ask(package, "callers.top(5), callers.top(0.25)") == (before.result, [])
    assert ask(package, "callers.right(0.25), base.double(5)") == ("(2.0, 10)", [])
    assert ask(package, "callers.first(5)") == ("21", ["first", "quadruple"])


@compiled_only
def test_what_is_inlined_from_the_cache_brings_its_links_along(package: Path) -> None:
    """Else the second caller would be kept without them, and not be found by the third."""
    assert ask(package, "callers.first(5)") == ("21", ["double", "first", "quadruple"])
    assert ask(package, "callers.second(5)") == ("22", ["second"])
    assert ask(package, "callers.second(5)") == ("22", [])


@compiled_only
def test_code_of_several_processes_is_told_apart(package: Path) -> None:
    """Each of the first two compiles for a record that is the first that it sees."""
    small, large = "base.record_of(3)", "base.record_of(50)"
    compiled = ["after_last", "last_number", "last_of"]
    assert ask(package, f"callers.after_last({small})") == ("3", compiled)
    assert ask(package, f"callers.after_last({large})") == ("50", compiled)
    asked = ask(
        package,
        f"callers.after_last({small}), callers.after_last({large}), "
        f"callers.before_last({small}), callers.before_last({large})",
    )
    assert asked == ("(3, 50, 1, 48)", ["before_last", "before_last"])


@compiled_only
def test_processes_that_compile_at_once_do_no_harm(package: Path) -> None:
    """The same kernels for the same type and for others: all of it can be used afterwards."""
    codes = [f"callers.top({x}), callers.first({x})" for x in ("5", "5", "0.25", "2j")]
    results = ["(32, 21)", "(32, 21)", "(3.5, 2.0)", "((2+12j), (1+8j))"]
    start = package.parent / "start"
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", ASK, code, str(start)],
            cwd=package.parent,
            env={**os.environ, "GOENGINE_CACHE_DIR": cache_of(package)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for code in codes
    ]
    time.sleep(1)  # until all of them are waiting
    start.touch()
    told = [process.communicate(timeout=100) for process in processes]
    assert [process.returncode for process in processes] == [0] * len(codes), told
    assert [output.splitlines()[0] for output, _ in told] == results
    for code, result in zip(codes[1:], results[1:], strict=True):
        assert ask(package, code) == (result, [])


@kernel
def element(array, index):
    if index == 77:
        raise ValueError("not that one")
    return array[index]


@inlined_kernel
def element_inlined(array, index):
    return element(array, index)


@kernel
def element_through_others(array, index):
    """Calls it directly, and through an inlined kernel; changes what follows if it may."""
    total = element(array, index) + element_inlined(array, index)
    array[0] = 99
    return total


@pytest.mark.uncompiled
def test_errors_come_through_to_the_caller() -> None:
    array = np.array([1, 2, 3])
    assert element_through_others(array, 2) == 6
    array[0] = 1
    with pytest.raises(ValueError, match="not that one"):
        element_through_others(array, 77)
    assert array.tolist() == [1, 2, 3], "nothing after the error was done"


@pytest.mark.boundscheck
@pytest.mark.skipif(not os.environ.get("NUMBA_BOUNDSCHECK"), reason="needs bounds checks")
def test_bounds_are_checked_in_what_is_linked() -> None:
    array = np.array([1, 2, 3])
    for index in (3, 1 << 40):
        with pytest.raises(IndexError):
            element_through_others(array, index)
        with pytest.raises(IndexError):
            element(array, index)
    assert array.tolist() == [1, 2, 3]


@recursive_kernel
def fibonacci(n):
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)


@kernel
def two_of_fibonacci(n):
    return fibonacci(n), fibonacci(n + 1)


@pytest.mark.uncompiled
def test_a_kernel_that_calls_itself() -> None:
    assert two_of_fibonacci(10) == (55, 89)


@kernel
def several_kinds(array, nothing, flag):
    """Arguments of all kinds that kernels pass on, and a tuple back."""
    if nothing is not None:
        return len(array), flag
    return len(array) + 1, not flag


@kernel
def pass_on(array, flag):
    return several_kinds(array, None, flag), several_kinds(array, array, True)


@pytest.mark.uncompiled
def test_arguments_of_every_kind() -> None:
    for array in (np.zeros(3), np.zeros(3, np.uint16), np.zeros((3, 2))):
        assert pass_on(array, True) == ((4, False), (3, True))
        assert pass_on(array[::2], False) == ((3, True), (2, True))


@pytest.mark.uncompiled
def test_it_still_tells_what_it_is() -> None:
    assert element_through_others.__name__ == "element_through_others"
    assert element_through_others.__doc__.startswith("Calls it directly")
