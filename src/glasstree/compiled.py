"""Compile a numeric kernel once, keep it on disk, and tell listeners when that takes a moment."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from numba import boolean, float64, int64, njit, types

from glasstree import progress

Function = TypeVar("Function", bound=Callable[..., Any])

integer = int64
real = float64
integers = int64[::1]
reals = float64[::1]
integers2 = int64[:, ::1]
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
        source = Path(python.__code__.co_filename)
        if not any((source.parent / "__pycache__").glob(f"{source.stem}.{python.__name__}-*.nbi")):
            progress.emit(progress.Compiling(python.__name__))
        compiled: Function = njit(signature, cache=True, nogil=True, **options)(python)
        return compiled

    return compile_function
