"""What is run over and over in windows: the whole, the program, copies of a call, or a module."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import torch

from jouletree.torch.copies import TensorCopies
from jouletree.torch.pages import FaultShare, give_back_free_memory
from jouletree.torch.program import Program
from jouletree.torch.wiring import WiredCall, mapped

# Runs after which what is written is put back; copying all of it takes longer than a window.
_MOST_RUNS = 50


class Workload(Protocol):
    """Something that can run again and again."""

    def run(self, times: int) -> None:
        """Runs it so many times."""

    def restore(self) -> None:
        """Puts back what its runs changed; called between windows."""


@dataclass
class CopySettings:
    """How often a call stands in one run, and how many sets of memory its copies take turns at."""

    count: int = 1
    weight_sets: int = 1
    input_sets: Mapping[str, int] = field(
        default_factory=dict
    )  # By "sN", N the number of a storage.
    output_sets: int | None = 1  # Results that are kept before the oldest is given back; None: all.

    def by_argument(self, storages: Sequence[int], weights: set[int]) -> list[int]:
        """Sets of the memory of each argument."""
        return [self.sets_of(storage, weights) for storage in storages]

    def sets_of(self, storage: int, weights: set[int]) -> int:
        if storage in weights:
            return self.weight_sets
        return self.input_sets.get(f"s{storage}", 1)


class CopiedCalls:
    """Copies of one call, one after the other."""

    def __init__(self, call: WiredCall, copies: CopySettings, weights: set[int]) -> None:
        self._tensors = TensorCopies(
            call.tensors,
            call.storages,
            lambda storage: copies.sets_of(storage, weights),
            call.written,
        )
        self._calls = []
        self._gradients = call.gradients
        self.faults = FaultShare()
        #: Calls in one run.
        self.count = copies.count
        kept = copies.count if copies.output_sets is None else copies.output_sets
        self._kept: list[Any] = [None] * (kept if kept > 1 and call.makes_memory else 0)
        self._writes = bool(call.written)
        self._runs = 0  # Since what was written was put back.
        for turn in range(copies.count):

            def copied(tensor: torch.Tensor, turn: int = turn) -> torch.Tensor:
                return self._tensors.tensor(tensor, turn)

            args = mapped(call.args, copied)
            kwargs = {name: mapped(value, copied) for name, value in call.kwargs.items()}
            self._calls.append((call.operator, args, kwargs, turn % max(1, len(self._kept))))

    def run(self, times: int) -> None:
        self._runs += times
        # Arguments have no history, so that nothing is made for a backward call but by kernels.
        with torch.set_grad_enabled(self._gradients):
            if self.faults.share > 0:
                self._run_giving_back(times)
            else:
                self._run_keeping(times)

    def _run_keeping(self, times: int) -> None:
        calls, kept = self._calls, self._kept
        if kept:
            for _ in range(times):
                for operator, args, kwargs, place in calls:
                    kept[place] = operator(*args, **kwargs)
        else:
            for _ in range(times):
                for operator, args, kwargs, _place in calls:
                    operator(*args, **kwargs)

    def _run_giving_back(self, times: int) -> None:
        kept = self._kept or [None]
        is_due = self.faults.is_due
        for _ in range(times):
            for operator, args, kwargs, place in self._calls:
                kept[place] = None
                if is_due():
                    give_back_free_memory()
                kept[place] = operator(*args, **kwargs)

    def restore(self) -> None:
        if self._writes and self._runs >= _MOST_RUNS:
            self._tensors.restore()
            self._runs = 0


class CallsInOrder:
    """Copies of several calls as they follow each other in the run, one copy after the other."""

    def __init__(self, calls: Sequence[WiredCall], copies: CopySettings, weights: set[int]) -> None:
        written = {storage for call in calls for storage in call.written}
        tensors = [tensor for call in calls for tensor in call.tensors]
        storages = [storage for call in calls for storage in call.storages]
        self._tensors = TensorCopies(
            tensors, storages, lambda storage: copies.sets_of(storage, weights), written
        )
        self._programs = [self._program(calls, turn).run for turn in range(copies.count)]

    def _program(self, calls: Sequence[WiredCall], turn: int) -> Program:
        return Program(
            list(calls), None, constant=lambda tensor: self._tensors.tensor(tensor, turn)
        )

    def run(self, times: int) -> None:
        for _ in range(times):
            for call in self._programs:
                call()

    def restore(self) -> None:
        self._tensors.restore()
