"""Stowage's planner from Python, over its C interface; nothing but the standard library is needed.

    import stowage
    plan = stowage.plan([stowage.Buffer(0, 3, 64), stowage.Buffer(1, 4, 32), stowage.Buffer(3, 5, 64)])
    print(plan.makespan, plan.offsets)

The shared library is looked for at $STOWAGE_LIBRARY, else beside this file, else where the system looks. Lists of
numbers may be numpy arrays: plan_arrays takes whatever has a length and holds integers.
"""

import ctypes
import os
import pathlib
from dataclasses import dataclass, field
from typing import List, NamedTuple, Optional, Sequence

_STATUS = ("complete", "optimal", "infeasible", "stopped")


class Buffer(NamedTuple):
    """Needs `size` bytes during the steps [lower, upper)."""

    lower: int
    upper: int
    size: int
    alignment: int = 1


@dataclass
class Plan:
    """Offsets in bytes, in the order of the buffers, and what is known about them."""

    makespan: int
    load: int
    lower_bound: int
    status: str
    fits: bool
    seconds: float
    offsets: List[int] = field(default_factory=list)


class StowageError(Exception):
    """What was wrong with the buffers, or why there is no plan."""


class _Result(ctypes.Structure):
    _fields_ = [
        ("makespan", ctypes.c_int64),
        ("load", ctypes.c_int64),
        ("lower_bound", ctypes.c_int64),
        ("status", ctypes.c_int32),
        ("seconds", ctypes.c_double),
    ]


def _load_library():
    name = "libstowage.so"
    beside = pathlib.Path(__file__).resolve().parent / name
    path = os.environ.get("STOWAGE_LIBRARY") or (str(beside) if beside.exists() else name)
    library = ctypes.CDLL(path)
    numbers = ctypes.POINTER(ctypes.c_int64)
    library.stowage_plan.restype = ctypes.c_int32
    library.stowage_plan.argtypes = [
        ctypes.c_size_t, numbers, numbers, numbers, numbers, ctypes.c_int64, ctypes.c_double, numbers,
        ctypes.POINTER(_Result),
    ]
    library.stowage_error.restype = ctypes.c_char_p
    library.stowage_version.restype = ctypes.c_char_p
    return library


_library = _load_library()


def version() -> str:
    """The version of the library, such as "0.1.0"."""
    return _library.stowage_version().decode()


def plan_arrays(
    lower: Sequence[int],
    upper: Sequence[int],
    size: Sequence[int],
    alignment: Optional[Sequence[int]] = None,
    capacity: Optional[int] = None,
    time_limit: float = 0,
) -> Plan:
    """Plans buffers that are given as columns. Raises StowageError; a plan above the capacity is no error."""
    count = len(size)
    if len(lower) != count or len(upper) != count or (alignment is not None and len(alignment) != count):
        raise StowageError("lower, upper, size and alignment must have the same length")

    def column(values):
        return (ctypes.c_int64 * count)(*(int(value) for value in values))

    offsets = (ctypes.c_int64 * count)()
    result = _Result()
    code = _library.stowage_plan(
        count, column(lower), column(upper), column(size), None if alignment is None else column(alignment),
        -1 if capacity is None else capacity, time_limit, offsets, ctypes.byref(result),
    )
    if code > 1:
        raise StowageError(_library.stowage_error().decode())
    return Plan(
        result.makespan, result.load, result.lower_bound, _STATUS[result.status], code == 0, result.seconds,
        list(offsets),
    )


def plan(buffers: Sequence[Buffer], capacity: Optional[int] = None, time_limit: float = 0) -> Plan:
    """Plans buffers: plain (lower, upper, size) or (lower, upper, size, alignment) will do."""
    rows = [Buffer(*row) for row in buffers]
    return plan_arrays(
        [row.lower for row in rows], [row.upper for row in rows], [row.size for row in rows],
        [row.alignment for row in rows], capacity, time_limit,
    )
