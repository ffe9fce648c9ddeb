"""Modules of a recorded run, to be called alone with what they were given in it."""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.utils import _pytree as pytree

from jouletree.torch.compiled import CompiledModules
from jouletree.torch.copies import TensorCopies, is_plain
from jouletree.torch.live import uncompiled
from jouletree.torch.modules import ModuleCall, Path
from jouletree.torch.objects import ObjectState
from jouletree.torch.pages import FaultShare, give_back_free_memory
from jouletree.torch.wiring import WiredCall
from jouletree.torch.workloads import CopySettings


@dataclass
class _Span:
    """Calls of modules that together make the same recorded calls as a module of the tree."""

    calls: list[ModuleCall]


def _outermost(calls: Sequence[ModuleCall], prefix: Path) -> list[ModuleCall]:
    found: list[ModuleCall] = []
    for call in calls:
        if is_below(call.path, prefix) and (not found or call.first >= found[-1].last):
            found.append(call)
    return found


def is_below(path: Path, prefix: Path) -> bool:
    """Whether a path is that of a module or of one inside it."""
    return path[: len(prefix)] == prefix


class ModuleRuns:
    """Finds the calls of modules that stand for a set of recorded calls."""

    def __init__(
        self,
        calls: Sequence[ModuleCall],
        operators: Collection[int],
        owners: Sequence[Path | None] | None = None,
    ) -> None:
        """`owners` are the paths of all recorded calls, where modules have calls of several
        phases."""
        self._spans: dict[tuple[int, ...], _Span] = {}
        known = set(operators)
        finished = [call for call in calls if call.last >= 0]
        # Containers such as lists of modules are never called: those inside them are.
        paths = {call.path[:length] for call in finished for length in range(1, len(call.path) + 1)}
        for path in sorted(paths, key=len):
            span = _outermost(finished, path)
            if owners is None:
                own = [at for call in span for at in range(call.first, call.last)]
            else:
                own = [at for at, owner in enumerate(owners) if owner and is_below(owner, path)]
            self._spans.setdefault(tuple(at for at in own if at in known), _Span(span))

    def find(self, calls: Sequence[int]) -> list[ModuleCall] | None:
        """None where the calls are not those of modules alone."""
        span = self._spans.get(tuple(sorted(calls)))
        return None if span is None else span.calls


class CopiedModules:
    """Calls of modules in order, on sets of their inputs and, by deep copies, their weights."""

    def __init__(
        self,
        calls: Sequence[ModuleCall],
        inner: Sequence[WiredCall],
        copies: CopySettings,
        storage_of: Callable[[torch.Tensor], int],
        compiled: CompiledModules,
        context: Callable[[], contextlib.AbstractContextManager[Any]] = contextlib.nullcontext,
    ) -> None:
        self._compiled = compiled
        self._context = context
        leaves = [leaf for call in calls for leaf in pytree.tree_leaves((call.args, call.kwargs))]
        tensors = [leaf for leaf in leaves if isinstance(leaf, torch.Tensor) and is_plain(leaf)]
        # Views of the same memory are one piece, and history would keep a whole run alive.
        self._detached = {id(tensor): tensor.detach() for tensor in tensors}
        self._alive = tensors
        written = {storage for call in inner for storage in call.written}
        plain = list(self._detached.values())
        self._copies = TensorCopies(
            plain,
            [storage_of(tensor) for tensor in plain],
            lambda storage: copies.sets_of(storage, set()),
            written,
        )
        self._objects = ObjectState(leaves)
        self.faults = FaultShare()
        self.count = copies.count
        self._calls: list[tuple[Any, tuple[Any, ...], dict[str, Any]]] = []
        sets = [self._weights(calls, turn) for turn in range(copies.weight_sets)]
        for turn in range(copies.count):
            modules = sets[turn % len(sets)]
            for module, call in zip(modules, calls, strict=True):
                args, kwargs = self._given(call, turn)
                self._calls.append((module, args, kwargs))

    def _weights(self, calls: Sequence[ModuleCall], turn: int) -> list[Any]:
        originals = [call.module for call in calls]
        if turn > 0:
            memo: dict[int, Any] = {}
            # Not everything can be copied; then all share one set.
            with contextlib.suppress(Exception):
                copied = [copy.deepcopy(uncompiled(module), memo) for module in originals]
                return [
                    self._compiled.like(module, one)
                    for module, one in zip(originals, copied, strict=True)
                ]
        return [self._compiled.as_in_model(module) for module in originals]

    def _given(self, call: ModuleCall, turn: int) -> tuple[tuple[Any, ...], dict[str, Any]]:
        def in_turn(leaf: Any) -> Any:
            detached = self._detached.get(id(leaf))
            if detached is None:
                return leaf
            return self._argument(leaf, self._copies.tensor(detached, turn))

        args, kwargs = pytree.tree_map(in_turn, (call.args or (), call.kwargs or {}))
        return args, kwargs

    def _argument(self, _original: torch.Tensor, copied: torch.Tensor) -> torch.Tensor:
        """What a module is given for a tensor of the recorded run."""
        return copied

    def run(self, times: int) -> None:
        with self._context():
            self._run(times)

    def _run(self, times: int) -> None:
        calls, put_back = self._calls, self._objects.restore if self._objects else None
        is_due = self.faults.is_due if self.faults.share > 0 else None
        # What autocast makes of weights is used again only inside of one run of the model.
        forget = None if self._context is contextlib.nullcontext else torch.clear_autocast_cache
        for _ in range(times):
            for module, args, kwargs in calls:
                module(*args, **kwargs)
                if put_back is not None:
                    put_back()
                if forget is not None:
                    forget()
                if is_due is not None and is_due():
                    give_back_free_memory()

    def restore(self) -> None:
        self._copies.restore()
