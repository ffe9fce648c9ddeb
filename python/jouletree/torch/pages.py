"""Page faults: memory that the system hands out anew costs a model more than its kernels.

Inside a model, memory is often given back to the system and taken again; a call in a loop keeps
its own. A loop therefore gives free memory back so often that it takes as many page faults as the
call takes in the model.
"""

from __future__ import annotations

import ctypes
import resource
import sys
from collections.abc import Callable

import torch

#: Fewer faults are noise.
FEWEST = 8
# Of blocks that glibc may keep, less its own bookkeeping.
_LARGEST_LIMIT = (32 << 20) - (1 << 16)
_BLOCKS = 3
_TRIES = 4
_CLOSE = 0.2


def _find_trim() -> Callable[[int], int] | None:
    """What gives free memory back, where the allocator is glibc's."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        trim = ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError):
        return None
    trim.argtypes = (ctypes.c_size_t,)
    trim.restype = ctypes.c_int
    found: Callable[[int], int] = trim
    return found


_TRIM = _find_trim()


def can_give_back() -> bool:
    """Whether free memory can be given back on this system."""
    return _TRIM is not None


def give_back_free_memory() -> None:
    """Gives what the allocator keeps for later back to the system. Nothing in use is touched."""
    if _TRIM is not None:
        _TRIM(0)


def settle_allocator() -> None:
    """Lets the allocator keep as much memory as it ever will.

    glibc gives blocks above a limit back at once, and raises the limit to the largest block below
    32 MiB that was ever given back. Sooner or later every long process gets there; in the middle of
    a profile it would make a model faster.
    """
    if _TRIM is None:
        return
    # Only a block that comes from the system itself raises the limit, not one that was free.
    _TRIM(0)
    blocks = [torch.empty(_LARGEST_LIMIT, dtype=torch.uint8) for _ in range(_BLOCKS)]
    del blocks


def fault_counter(threads: int) -> Callable[[], int]:
    """Counts the faults of this thread; of all threads where operators use several."""
    own = getattr(resource, "RUSAGE_THREAD", resource.RUSAGE_SELF)
    whose = resource.RUSAGE_SELF if threads > 1 else own
    usage = resource.getrusage
    return lambda: usage(whose).ru_minflt


class FaultShare:
    """Says after which calls memory is given back, so that faults come as often as in the model."""

    def __init__(self) -> None:
        self.share = 0.0
        self._due = 0.0

    def is_due(self) -> bool:
        """Whether to give memory back after this call."""
        self._due += self.share
        if self._due < 1:
            return False
        self._due -= 1
        return True


def settled_share(in_model: float, faults_at: Callable[[float], float]) -> float:
    """The share at which a loop takes as many faults per call as the model does.

    `faults_at` runs the loop with a share. More than in proportion may come of it, because an
    allocator takes turns at free blocks, so the share is searched for.
    """
    kept = faults_at(0.0)
    if in_model - kept < FEWEST:
        return 0.0
    given_back = faults_at(1.0)
    if given_back - kept < FEWEST:
        return 0.0
    low, high = 0.0, 1.0
    share = min(1.0, (in_model - kept) / (given_back - kept))
    for _ in range(_TRIES):
        found = faults_at(share)
        if abs(found - in_model) <= _CLOSE * in_model or (share == 1.0 and found < in_model):
            break
        if found > in_model:
            high = share
        else:
            low = share
        share = (low + high) / 2
    return share
