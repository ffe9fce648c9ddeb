"""Modules of a recorded training step, to be trained alone: forward, backward and their part of the
optimiser's step."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch.utils import _pytree as pytree

from jouletree.torch.compiled import CompiledModules
from jouletree.torch.module_runs import CopiedModules
from jouletree.torch.modules import ModuleCall
from jouletree.torch.pages import give_back_free_memory
from jouletree.torch.recording import Recording
from jouletree.torch.values import tensors_in
from jouletree.torch.wiring import WiredCall
from jouletree.torch.workloads import CallsInOrder, CopySettings

_OPTIMIZER_PHASES = ("optimizer", "zero_grad")


class TrainedModules(CopiedModules):
    """Calls of modules in order, the backward calls that they lead to, and the optimiser's calls
    for their parameters.

    Gradients of results are random numbers; results that got none in the step get none here.
    """

    def __init__(
        self,
        calls: Sequence[ModuleCall],
        inner: Sequence[WiredCall],
        copies: CopySettings,
        storage_of: Callable[[torch.Tensor], int],
        compiled: CompiledModules,
        context: Callable[[], contextlib.AbstractContextManager[Any]],
        recording: Recording,
    ) -> None:
        self._leaves: dict[int, torch.Tensor] = {}  # What gets a gradient, by id.
        self._overwritten: set[int] = set()  # Of these, what the module writes to, by id.
        self._written = {storage for call in inner for storage in call.written}
        self._storage_of = storage_of
        super().__init__(calls, inner, copies, storage_of, compiled, context)
        self._differentiated = _differentiated(calls, recording)
        steps = [one for one in inner if recording.calls[one.index].phase in _OPTIMIZER_PHASES]
        self._steps = CallsInOrder(steps, CopySettings(), set()) if steps else None
        self._gradients: dict[tuple[int, int, torch.Size], torch.Tensor] = {}
        for module, _, _ in self._calls:
            for parameter in module.parameters():
                self._leaves[id(parameter)] = parameter

    def _argument(self, original: torch.Tensor, copied: torch.Tensor) -> torch.Tensor:
        if not original.requires_grad:
            return copied
        leaf = copied.detach().requires_grad_()
        self._leaves[id(leaf)] = leaf
        if self._storage_of(original) in self._written:
            self._overwritten.add(id(leaf))
        return leaf

    def run(self, times: int) -> None:
        span = len(self._differentiated)
        is_due = self.faults.is_due if self.faults.share > 0 else None
        with torch.enable_grad():
            for _ in range(times):
                for begin in range(0, len(self._calls), span):
                    self._train(self._calls[begin : begin + span])
                    if self._objects:
                        self._objects.restore()
                    if is_due is not None and is_due():
                        give_back_free_memory()

    def _train(self, calls: Sequence[tuple[Any, tuple[Any, ...], dict[str, Any]]]) -> None:
        outputs: list[torch.Tensor] = []
        gradients: list[torch.Tensor] = []
        for at, (module, args, kwargs) in enumerate(calls):
            places = self._differentiated[at]
            if self._overwritten:
                args, kwargs = pytree.tree_map(self._unshared, (args, kwargs))
            with self._context(), torch.set_grad_enabled(places is not None):
                output = module(*args, **kwargs)
            results = tensors_in(output)
            for place in places or ():
                if place < len(results) and results[place].requires_grad:
                    outputs.append(results[place])
                    gradients.append(self._gradient(at, place, results[place]))
        if outputs:
            torch.autograd.backward(outputs, gradients)
        del outputs, output, results
        if self._steps is not None:
            with torch.no_grad():
                self._steps.run(1)
        for leaf in self._leaves.values():
            leaf.grad = None

    def _gradient(self, call: int, place: int, tensor: torch.Tensor) -> torch.Tensor:
        key = (call, place, tensor.shape)
        known = self._gradients.get(key)
        if known is None:
            known = self._gradients[key] = torch.randn_like(tensor.detach())
        return known

    def _unshared(self, value: Any) -> Any:
        """What requires a gradient cannot be written to, its copy can."""
        return value.clone() if id(value) in self._overwritten else value

    def restore(self) -> None:
        super().restore()
        if self._steps is not None:
            self._steps.restore()


def _differentiated(calls: Sequence[ModuleCall], recording: Recording) -> list[set[int] | None]:
    """Which results of each call get gradients; None where a checkpoint keeps nothing of it and
    makes it again in the backward phase."""

    def is_made_again(call: ModuleCall) -> bool:
        return call.first < call.last and recording.calls[call.first].phase == "backward"

    again = {call.path for call in calls if is_made_again(call)}
    # Gradients may come to the results of the first call.
    first = {call.path: call.differentiated for call in calls if not is_made_again(call)}
    found: list[set[int] | None] = []
    for call in calls:
        if is_made_again(call):
            found.append(call.differentiated | first.get(call.path, set()))
        else:
            found.append(None if call.path in again else call.differentiated)
    return found
