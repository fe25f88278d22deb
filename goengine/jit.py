"""Compilation in one place: the kernel decorators and the intrinsics.

Every kernel is decorated with `kernel` or `inlined_kernel` and nothing else.
The same source runs compiled, with bounds checks (NUMBA_BOUNDSCHECK=1) and as
plain Python (NUMBA_DISABLE_JIT=1); so each intrinsic has a plain twin.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from goengine import compile_notice, kernel_cache

CACHE_DIRECTORY = kernel_cache.prepare()  # numba reads it when it is imported

import llvmlite.binding as llvm  # noqa: E402
import numba  # noqa: E402
from llvmlite import ir  # noqa: E402
from numba.core import cgutils, types  # noqa: E402
from numba.extending import intrinsic  # noqa: E402

from goengine.linked_kernels import KernelCache, LinkedKernel  # noqa: E402

COMPILED = not numba.config.DISABLE_JIT

compile_notice.install()


def kernel(function: Callable[..., Any]) -> Any:
    """Compile at the first call for each argument type, and keep the result on disk."""
    return _linked(_compiled(function))


def allocating_kernel(function: Callable[..., Any]) -> Any:
    """A kernel that may make arrays, at the price of reference counts: not for what is searched."""
    return _linked(_compiled(function, _nrt=True))


def recursive_kernel(function: Callable[..., Any]) -> Any:
    """A kernel that calls itself; its callers contain it."""
    return _compiled(function)


def inlined_kernel(function: Callable[..., Any]) -> Any:
    """A kernel that is always merged into its caller."""
    return _compiled(function, forceinline=True)


def _linked(compiled: Any) -> Any:
    return LinkedKernel(compiled) if COMPILED else compiled


def _compiled(function: Callable[..., Any], **options: bool) -> Any:
    """Without numba's reference counts (_nrt), unless asked for: kernels own no memory.

    Counting takes two atomic operations a call for each array that is passed on, and a search
    passes dozens (HACKING.md, "Where the time goes").
    """
    options = {"nogil": True, "no_cfunc_wrapper": True, "_nrt": False} | options
    made = numba.njit(function, error_model="numpy", **options)
    if COMPILED:
        made._cache = KernelCache(function)
    return made


def constant_of_type(function: Callable[[np.dtype[Any]], int]) -> Any:
    """Turn a function of a dtype into one of a record, a uint64 constant when compiled."""
    if not COMPILED:
        return lambda record: np.uint64(function(record.dtype.base))

    def typed(typing: Any, record: Any) -> Any:
        value = function(numba.np.numpy_support.as_dtype(record))

        def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return context.get_constant(types.uint64, value)

        return types.uint64(record), emit

    typed.__name__ = function.__name__
    return intrinsic(typed)


def record_by_symbol(symbol: str, records: Any) -> Any:
    """A function that gives kernels the first of the records without an argument."""
    if not COMPILED:
        return lambda: records[0]
    llvm.add_symbol(symbol, records.ctypes.data)
    record_type = numba.np.numpy_support.from_dtype(records.dtype)

    def typed(typing: Any) -> Any:
        def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            pointer_type = context.get_value_type(record_type)
            names = builder.module.globals
            if symbol not in names:
                ir.GlobalVariable(builder.module, pointer_type.pointee, symbol)
            return builder.bitcast(names[symbol], pointer_type)

        return record_type(), emit

    typed.__name__ = symbol.replace(".", "_")
    made = intrinsic(typed)
    _KEPT.append(records)
    return made


_KEPT: list[Any] = []  # memory that kernels have the address of


def _with_twin(twin: Callable[..., Any]) -> Callable[[Callable[..., Any]], Any]:
    """Make an intrinsic, or its plain twin where kernels run as plain Python."""
    return lambda typed: intrinsic(typed) if COMPILED else twin


# --- bits ---------------------------------------------------------------------


@_with_twin(lambda word: np.uint64(int(word).bit_count()))
def popcount(typing: Any, word: Any) -> Any:
    """Number of set bits of a uint64."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), emit


@_with_twin(lambda word: np.uint64((int(word) & -int(word)).bit_length() - 1))
def trailing_zeros(typing: Any, word: Any) -> Any:
    """Index of the lowest set bit of a uint64 that is not 0."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), emit


# --- floats -------------------------------------------------------------------


@_with_twin(lambda word: np.float64(word))
def float_of_small(typing: Any, word: Any) -> Any:
    """A uint64 below 2**52 as a float64. A cast would do, but does not vectorise on AVX2."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        # The word becomes the mantissa of 2**52 + word.
        exponent = ir.Constant(ir.IntType(64), (1023 + 52) << 52)
        shifted = builder.bitcast(builder.or_(arguments[0], exponent), ir.DoubleType())
        return builder.fsub(shifted, ir.Constant(ir.DoubleType(), 2.0**52))

    return types.float64(types.uint64), emit


@_with_twin(lambda value: np.float64(value).view(np.int64))
def bits_of(typing: Any, value: Any) -> Any:
    """The 64 bits of a float64 as int64: for values from 0 on, in the same order."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], ir.IntType(64))

    return types.int64(types.float64), emit


# --- time ---------------------------------------------------------------------


@_with_twin(lambda: np.uint64(time.perf_counter_ns()))
def cycle_counter(typing: Any) -> Any:
    """The processor's counter, of a constant rate that only a comparison with a clock tells."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        reads = ir.FunctionType(ir.IntType(64), [])
        counter = builder.module.declare_intrinsic("llvm.readcyclecounter", (), reads)
        return builder.call(counter, [])

    return types.uint64(), emit


# --- unaligned windows --------------------------------------------------------


def _window(words: Any, byte: Any) -> Any:
    return words.view(np.uint8)[int(byte) : int(byte) + 8].view(np.uint64)


def _store_window_plainly(words: Any, byte: Any, value: Any) -> None:
    _window(words, byte)[0] = value


def _window_pointer(context: Any, builder: Any, array_type: Any, array: Any, byte: Any) -> Any:
    made = context.make_array(array_type)(context, builder, array)
    if numba.config.BOUNDSCHECK:
        n_windows = builder.sub(builder.mul(made.nitems, made.itemsize), ir.IntType(64)(7))
        cgutils.do_boundscheck(context, builder, byte, n_windows)
    start = builder.bitcast(made.data, ir.IntType(8).as_pointer())
    return builder.bitcast(builder.gep(start, [byte]), ir.IntType(64).as_pointer())


@_with_twin(lambda words, byte: _window(words, byte)[0])
def load_window(typing: Any, words: Any, byte: Any) -> Any:
    """The 64 bits of a uint64 array that begin at a byte, whatever its alignment."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _window_pointer(context, builder, signature.args[0], *arguments)
        return builder.load(pointer, align=1)

    return types.uint64(words, types.uint64), emit


@_with_twin(_store_window_plainly)
def store_window(typing: Any, words: Any, byte: Any, value: Any) -> Any:
    """Write the 64 bits of a uint64 array that begin at a byte."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _window_pointer(context, builder, signature.args[0], *arguments[:2])
        builder.store(arguments[2], pointer, align=1)
        return context.get_dummy_value()

    return types.void(words, types.uint64, types.uint64), emit


# --- atomics on elements of an array in shared memory -------------------------
# The plain twins serve one process and one thread only.


def _element_pointer(context: Any, builder: Any, array_type: Any, array: Any, index: Any) -> Any:
    made = context.make_array(array_type)(context, builder, array)
    boundscheck = bool(numba.config.BOUNDSCHECK)
    return cgutils.get_item_pointer(
        context, builder, array_type, made, [index], wraparound=False, boundscheck=boundscheck
    )


def _add_plainly(array: Any, index: Any, value: Any) -> Any:
    old = array[index]
    array[index] += value
    return old


def _exchange_plainly(array: Any, index: Any, expected: Any, new: Any) -> bool:
    if array[index] != expected:
        return False
    array[index] = new
    return True


@_with_twin(_add_plainly)
def atomic_add(typing: Any, array: Any, index: Any, value: Any) -> Any:
    """Add to an element; returns what was there before. Orders nothing else."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _element_pointer(context, builder, signature.args[0], *arguments[:2])
        return builder.atomic_rmw("add", pointer, arguments[2], "monotonic")

    return array.dtype(array, types.intp, array.dtype), emit


@_with_twin(_exchange_plainly)
def compare_exchange(typing: Any, array: Any, index: Any, expected: Any, new: Any) -> Any:
    """Replace an element if it is what was expected. Returns whether it was.

    Acquires always, and releases when it replaces.
    """

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _element_pointer(context, builder, signature.args[0], *arguments[:2])
        result = builder.cmpxchg(pointer, arguments[2], arguments[3], "acq_rel", "acquire")
        return builder.extract_value(result, 1)

    return types.boolean(array, types.intp, array.dtype, array.dtype), emit


@_with_twin(lambda array, index: array[index])
def load_acquire(typing: Any, array: Any, index: Any) -> Any:
    """Read an element; nothing that follows is read before it."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _element_pointer(context, builder, signature.args[0], *arguments)
        return builder.load_atomic(pointer, "acquire", align=signature.args[0].dtype.bitwidth // 8)

    return array.dtype(array, types.intp), emit


@_with_twin(lambda array, index, value: array.__setitem__(index, value))
def store_release(typing: Any, array: Any, index: Any, value: Any) -> Any:
    """Write an element; everything written before is visible to who acquires it."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _element_pointer(context, builder, signature.args[0], *arguments[:2])
        align = signature.args[0].dtype.bitwidth // 8
        builder.store_atomic(arguments[2], pointer, "release", align=align)
        return context.get_dummy_value()

    return types.void(array, types.intp, array.dtype), emit


@_with_twin(lambda: None)
def fence(typing: Any) -> Any:
    """Everything before is done, for all to see, before anything after."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.fence("seq_cst")
        return context.get_dummy_value()

    return types.void(), emit
