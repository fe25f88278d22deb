"""Kernels that are compiled once and called by their address.

numba merges the code of everything that a kernel calls into it and optimises the whole
again. With rules that call rules that call rules, that takes minutes. A linked kernel is
declared in its callers by a symbol only, which the loader resolves: compile time grows with
the code, not with the depth of calls. A call costs a nanosecond or two.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable
from typing import Any, NamedTuple

import llvmlite.binding as llvm
from numba.core import cgutils, types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile
from numba.core.extending import _Intrinsic

_BY_NAME: dict[str, LinkedKernel] = {}


class LinkedKernel(_Intrinsic):  # type: ignore[misc]  # numba has no annotations
    """Python calls the compiled function; a kernel calls its symbol."""

    def __init__(self, dispatcher: Any) -> None:
        function = dispatcher.py_func
        self.dispatcher = dispatcher
        self.key = f"{function.__module__}.{function.__qualname__}"
        super().__init__(function.__name__, _with_parameters_of(function, self._type_call))
        self.__doc__ = function.__doc__
        self._register()
        _BY_NAME[self.key] = self

    def __call__(self, *arguments: Any) -> Any:
        return self.dispatcher(*arguments)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.dispatcher, name)

    def link(self, arguments: tuple[Any, ...]) -> tuple[str, Any]:
        """Compile or load the function for these types. Returns its symbol and return type."""
        result = self.dispatcher.overloads.get(arguments)
        if result is None:
            self.dispatcher.compile(arguments)
            result = self.dispatcher.overloads[arguments]
        digest = hashlib.sha256(repr(arguments).encode()).hexdigest()[:16]
        symbol = f"{self.key}.{digest}"
        address = result.library.get_pointer_to_function(result.fndesc.llvm_func_name)
        llvm.add_symbol(symbol, address)
        return symbol, result.signature.return_type

    def _type_call(self, typing: Any, *arguments: Any) -> Any:
        plain = tuple(types.unliteral(each) for each in arguments)  # type: ignore[attr-defined]
        symbol, returned = self.link(plain)

        def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            convention = context.call_conv
            context.active_code_library._reload_init.add(_Link(self.key, plain))
            function_type = convention.get_function_type(returned, plain)
            function = cgutils.get_or_insert_function(builder.module, function_type, symbol)
            status, result = convention.call_function(builder, function, returned, plain, values)
            with cgutils.if_unlikely(builder, status.is_error):
                convention.return_status_propagate(builder, status)
            return result

        return returned(*plain), emit


class _Link(NamedTuple):
    """What must be linked before a caller is loaded from the cache; kept there with it."""

    key: str
    arguments: tuple[Any, ...]

    def __call__(self) -> None:
        if self.key not in _BY_NAME:
            __import__(self.key.rpartition(".")[0])
        _BY_NAME[self.key].link(self.arguments)


class _LinkKeepingImpl(CompileResultCacheImpl):  # type: ignore[misc]
    def rebuild(self, target_context: Any, payload: Any) -> Any:
        result = super().rebuild(target_context, payload)
        result.library._reload_init.update(result.reload_init)
        return result


class _FilesByTypes(IndexDataCacheFile):  # type: ignore[misc]
    """A file for each function and types of its arguments, named by them.

    numba numbers the files and keeps a list of the numbers. Processes that compile for
    several sizes at once lose entries of that list, or take code for other types for theirs.
    """

    def save(self, key: Any, data: Any) -> None:
        self._save_data(self._file_name(key), data)

    def load(self, key: Any) -> Any:
        try:
            return self._load_data(self._file_name(key))
        except FileNotFoundError:
            return None

    def _file_name(self, key: Any) -> str:
        all_of_it = repr((self._version, self._source_stamp, key))
        return f"{self._index_name}.{hashlib.sha256(all_of_it.encode()).hexdigest()[:32]}"


class KernelCache(FunctionCache):  # type: ignore[misc]
    """numba's cache on disk; what is inlined from there hands its links on to its caller."""

    _impl_class = _LinkKeepingImpl

    def __init__(self, function: Callable[..., Any]) -> None:
        """Files are good at any time: their directory is named by what stands in the sources.

        numba's own stamp would have everything compiled again when the same is installed anew.
        """
        super().__init__(function)
        self._cache_file = _FilesByTypes(self._cache_path, self._impl.filename_base, None)


def _mangling_by_content(self: Any) -> tuple[str, tuple[str]]:
    return type(self).__name__, (hashlib.sha256(self.name.encode()).hexdigest()[:16],)


# numba names compiled code after its types, and a record after a number that it was given in
# this process; an array in a record has no length in its name. Code for boards of several
# sizes, loaded from files that several processes wrote, would share names, and calls go wrong.
for _kind in (types.Record, types.NestedArray):
    setattr(_kind, "mangling_args", property(_mangling_by_content))  # noqa: B010


def _with_parameters_of(function: Any, type_call: Callable[..., Any]) -> Callable[..., Any]:
    """numba looks at the names of an intrinsic's parameters."""
    names = ", ".join(inspect.signature(function).parameters)
    source = f"def {function.__name__}(typing, {names}):\n    return type_call(typing, {names})"
    scope: dict[str, Any] = {"type_call": type_call}
    exec(source.replace("typing, )", "typing)"), scope)
    made: Callable[..., Any] = scope[function.__name__]
    return made
