"""Compile a numeric kernel once, keep it on disk, and tell listeners when that takes a moment."""

from collections.abc import Callable
from contextlib import nullcontext, suppress
from typing import Any, TypeVar

from numba import boolean, float32, float64, int64, njit, types

from glasstree import caches, progress

Function = TypeVar("Function", bound=Callable[..., Any])

integer = int64
real = float64
integers = int64[::1]
reals = float64[::1]
single = float32
singles = float32[::1]
integers2 = int64[:, ::1]
integers3 = int64[:, :, ::1]
reals2 = float64[:, ::1]
reals3 = float64[:, :, ::1]
truth = boolean
truths = boolean[::1]
nothing = types.void
tuple_of = types.Tuple
function = types.FunctionType
random_generator = types.npy_rng


def kernel(signature: Any, **options: Any) -> Callable[[Function], Function]:
    """Compile a function for one signature, cached between processes.

    Kernels with equal signatures are interchangeable as arguments of other kernels.
    """

    def compile_function(python: Function) -> Function:
        folder = caches.folder_for(python)
        new = folder is None or not caches.holds(folder, python)
        if new:
            progress.emit(progress.Compiling(python.__name__))
        if folder is not None:
            alone = caches.one_at_a_time(folder, python) if new else nullcontext()
            with suppress(OSError), alone, caches.keeping_in(folder):
                kept: Function = njit(signature, cache=True, nogil=True, **options)(python)
                return kept
        compiled: Function = njit(signature, nogil=True, **options)(python)
        return compiled

    return compile_function
