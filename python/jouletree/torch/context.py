"""A call measured right after the calls that come before it in the model.

In a loop of its own, a short call finds its code, the interpreter's and the allocator's in the
nearest caches. In a model, other calls ran in between. So the calls before it run before it here,
too, as many as fill the caches of a core several times; only the call itself counts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import torch

from jouletree.torch.copies import TensorCopies
from jouletree.torch.pages import FaultShare, give_back_free_memory
from jouletree.torch.program import Program
from jouletree.torch.wiring import WiredCall

#: Places in the model where a kind of call is measured.
MOST_PLACES = 3
_FAULT_RUNS = 8


def spread(places: Sequence[int], most: int = MOST_PLACES) -> list[int]:
    """Some of the places, evenly spread.

    >>> spread([0, 10, 20, 30, 40, 50])
    [10, 30, 50]
    """
    count = min(most, len(places))
    return [places[(2 * at + 1) * len(places) // (2 * count)] for at in range(count)]


class _Place:
    """A call after its context. From run to run it takes turns at sets of memory from outside."""

    def __init__(
        self, program: Program, position: int, context: Sequence[int], sets: Sequence[int]
    ) -> None:
        call = program.call_at(position)
        before = [program.call_at(one) for one in context]
        self._before = _written_copies(before)
        self._run, outside = program.in_context(position, context, self._shown)
        storage_of = dict(zip(map(id, call.tensors), call.storages, strict=True))
        sets_of = dict(zip(call.storages, sets, strict=True))
        storages = [storage_of[id(tensor)] for tensor in outside]
        self._own = TensorCopies(outside, storages, lambda one: sets_of[one], call.written)
        turns = max([sets_of[storage] for storage in storages], default=1)
        self._turns = [
            [self._own.tensor(tensor, turn) for tensor in outside] for turn in range(turns)
        ]
        self._turn = 0
        self.writes = bool(call.written) or any(one.written for one in before)

    def _shown(self, tensor: torch.Tensor) -> torch.Tensor:
        return self._before.tensor(tensor, 0)

    def run(self, stamps: list[int], clock: Callable[[], int], before: Any) -> None:
        self._turn = (self._turn + 1) % len(self._turns)
        self._run(stamps, clock, self._turns[self._turn], before)

    def restore(self) -> None:
        self._before.restore()
        self._own.restore()


def _written_copies(calls: Sequence[WiredCall]) -> TensorCopies:
    written = {storage for call in calls for storage in call.written}
    pairs = [
        (tensor, storage)
        for call in calls
        for tensor, storage in zip(call.tensors, call.storages, strict=True)
        if storage in written
    ]
    return TensorCopies(
        [tensor for tensor, _ in pairs],
        [storage for _, storage in pairs],
        lambda _storage: 1,
        written,
    )


class CallInContext:
    """One run is the call at each of some places; what counts is their mean."""

    count = 1

    def __init__(
        self,
        program: Program,
        positions: Sequence[int],
        contexts: Sequence[Sequence[int]],
        sets: Sequence[int],
    ) -> None:
        """`sets` are those of the memory of each tensor that the call is given."""
        # Every place has memory of its own.
        each = [-(-one // len(positions)) for one in sets]
        self._places = [
            _Place(program, position, context, each)
            for position, context in zip(positions, contexts, strict=True)
        ]
        self._writes = any(place.writes for place in self._places)
        self._stamps = [0, 0, 0]
        self.faults = FaultShare()
        #: Nanoseconds of the calls in the last `run`.
        self.inside_ns = 0.0

    def run(self, times: int) -> None:
        self.inside_ns = self._sum(times, time.monotonic_ns)

    def faults_of_a_call(self, count: Callable[[], int]) -> float:
        """As `count` counts them."""
        self._sum(1, count)
        return self._sum(_FAULT_RUNS, count) / _FAULT_RUNS

    def _sum(self, times: int, clock: Callable[[], int]) -> float:
        stamps, total = self._stamps, 0
        gives_back = self.faults.share > 0
        for _ in range(times):
            for place in self._places:
                due = gives_back and self.faults.is_due()
                place.run(stamps, clock, give_back_free_memory if due else None)
                # What a look at the clock takes is the difference of the last two.
                total += stamps[1] - stamps[0] - (stamps[2] - stamps[1])
        return total / len(self._places)

    def restore(self) -> None:
        if self._writes:
            for place in self._places:
                place.restore()
