"""One recorded run of a live model, for inference or for a training step; everything is put back
afterwards.

Example:
    >>> recording = record(model, x)
    >>> recording = record_training(model, x, loss=loss, target=y, optimizer=optimizer)
    >>> sorted({call.phase for call in recording.calls})
    ['backward', 'forward', 'loss', 'optimizer']
"""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import nn

from jouletree._interrupts import held
from jouletree.errors import BadInput
from jouletree.torch.exported import module_of, run_exported
from jouletree.torch.live import (
    LiveState,
    argument_names,
    call_arguments,
    named_tensors,
    without_compiler,
)
from jouletree.torch.recording import Recorder, Recording
from jouletree.torch.scripted import has_scripted
from jouletree.torch.values import tensors_in

InPhase = Callable[[str], contextlib.AbstractContextManager[Any]]
"""What stands around the part of a step that has this name."""


class TrainingError(BadInput):
    """The model cannot be trained as it was asked to."""


@dataclass
class TrainingStep:
    """How a step is made: forward, loss, backward, optimiser, zero_grad.

    Without a loss function, the model returns its loss: as `.loss`, as `["loss"]`, or as its only
    number.
    """

    loss: Callable[..., Any] | None = None
    target: Any = None
    optimizer: torch.optim.Optimizer | None = None
    #: Around the forward call and the loss: autocast, for example.
    context: Callable[[], contextlib.AbstractContextManager[Any]] = field(
        default=contextlib.nullcontext
    )
    #: The phase that the last step came to.
    reached: str = field(default="forward", init=False)

    def loss_of(self, output: Any) -> torch.Tensor:
        """The number to differentiate. Raises TrainingError where there is none."""
        if self.loss is None:
            found = own_loss(output)
        else:
            found = self.loss(output) if self.target is None else self.loss(output, self.target)
        if not isinstance(found, torch.Tensor):
            what = (
                "the model returned no loss: give loss=…, a function of its output and the target"
            )
            if self.loss is not None:
                what = f"the loss function returned {type(found).__name__}, not a tensor"
            raise TrainingError(what)
        if found.numel() != 1:
            raise TrainingError(
                f"the loss has the shape {list(found.shape)}; it must be one number, for example "
                "a mean"
            )
        if not found.requires_grad:
            raise TrainingError(
                "the loss depends on no parameter that can be trained: check requires_grad, "
                "detach() and no_grad in the model"
            )
        return found

    def run(
        self,
        forward: Callable[[], Any],
        in_phase: InPhase,
    ) -> Any:
        """Makes one step and gives the output of the model."""
        in_phase = self._noting(in_phase)
        outputs: list[Any] = []

        def differentiate() -> torch.Tensor:
            with torch.enable_grad():
                with self.context():
                    with in_phase("forward"):
                        outputs.append(forward())
                    with in_phase("loss"):
                        loss = self.loss_of(outputs[-1])
                with in_phase("backward"):
                    loss.backward()  # type: ignore[no-untyped-call]
            return loss

        def evaluate() -> torch.Tensor:
            with in_phase("zero_grad"):
                if self.optimizer is not None:
                    self.optimizer.zero_grad()
            return differentiate().detach()

        if self.optimizer is not None and _wants_to_evaluate(self.optimizer):
            with in_phase("optimizer"):
                self.optimizer.step(evaluate)  # type: ignore[arg-type]
        else:
            differentiate()
            if self.optimizer is not None:
                with in_phase("optimizer"):
                    self.optimizer.step()
        if self.optimizer is not None:
            with in_phase("zero_grad"):
                self.optimizer.zero_grad()
        return outputs[-1]

    def _noting(self, in_phase: InPhase) -> InPhase:
        def entered(phase: str) -> contextlib.AbstractContextManager[Any]:
            self.reached = phase
            return in_phase(phase)

        return entered


def _wants_to_evaluate(optimizer: torch.optim.Optimizer) -> bool:
    """Optimisers such as LBFGS evaluate the model several times in a step."""
    try:
        closure = inspect.signature(type(optimizer).step).parameters.get("closure")
    except (TypeError, ValueError):
        return False
    return closure is not None and closure.default is inspect.Parameter.empty


def own_loss(output: Any) -> Any:
    """The loss that a model returns; None where it returns none."""
    if isinstance(output, torch.Tensor):
        return output if output.numel() == 1 else None
    if isinstance(output, Mapping) and "loss" in output:
        return output["loss"]
    found = getattr(output, "loss", None)
    if found is None and isinstance(output, (tuple, list)) and output:
        first = output[0]
        return first if isinstance(first, torch.Tensor) and first.numel() == 1 else None
    return found


@contextlib.contextmanager
def put_back(state: LiveState) -> Iterator[LiveState]:
    """Everything is as it was afterwards. A signal waits until it is."""
    with held():
        try:
            yield state
        finally:
            state.restore()


def record(
    model: Any,
    inputs: Any = None,
    *,
    kwargs: Mapping[str, Any] | None = None,
    keep_arguments: bool = False,
    gradients: bool = False,
) -> Recording:
    """Runs the model once for real and records its calls.

    `gradients` keeps the caller's grad mode; otherwise no gradients are prepared for. What the
    model raises comes out as it is, after everything has been put back.
    """
    module = module_of(model)
    args, named = call_arguments(inputs)
    named = {**named, **(kwargs or {})}
    with put_back(LiveState(module, others=[*args, *named.values()])) as state:
        state.save_buffers()
        recorder = Recorder(module, keep_arguments=keep_arguments, state=state)
        with without_compiler(), grad_mode(gradients):
            return record_call(recorder, module, args, named)


def record_call(
    recorder: Recorder, module: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Recording:
    """Calls the module once under the recorder."""
    _name_inputs(recorder, module, args, kwargs)
    try:
        with recorder:
            output = run_exported(recorder, module, args, kwargs)
    except RuntimeError:
        if has_scripted(module):
            # TorchScript loses the words of what a listener raises. Alone it says what is wrong.
            module(*args, **kwargs)
        raise
    recorder.set_outputs(output)
    return recorder.recording


def record_training(
    model: Any,
    inputs: Any = None,
    *,
    kwargs: Mapping[str, Any] | None = None,
    loss: Callable[..., Any] | None = None,
    target: Any = None,
    optimizer: torch.optim.Optimizer | None = None,
    context: Callable[[], contextlib.AbstractContextManager[Any]] = contextlib.nullcontext,
    keep_arguments: bool = False,
) -> Recording:
    """Makes one training step for real and records its calls; see TrainingStep for what it consists
    of."""
    step = TrainingStep(loss, target, optimizer, context)
    return recorded_training(model, inputs, kwargs, step, keep_arguments)


def recorded_training(
    model: Any,
    inputs: Any,
    kwargs: Mapping[str, Any] | None,
    step: TrainingStep,
    keep_arguments: bool = False,
) -> Recording:
    """The same of a step that can be asked afterwards how far it came."""
    module = module_of(model)
    args, named = call_arguments(inputs)
    named = {**named, **(kwargs or {})}
    others = [*args, *named.values(), step.target, step.loss]
    with put_back(LiveState(module, step.optimizer, others)) as state:
        state.save_buffers()
        with without_compiler():
            if step.optimizer is not None and not step.optimizer.state:
                # The first step of an optimiser makes its state; all later ones are alike.
                record_step(Recorder(module, state=state), module, args, named, step)
            recorder = Recorder(module, keep_arguments=keep_arguments, state=state)
            return record_step(recorder, module, args, named, step)


def record_step(
    recorder: Recorder,
    module: nn.Module,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    step: TrainingStep,
) -> Recording:
    """Makes one training step under the recorder."""
    _name_inputs(recorder, module, args, kwargs)
    for name, tensor in named_tensors("target", step.target):
        recorder.add_input(name, tensor)
    recorder.watch.follows_gradients = True
    if isinstance(step.loss, nn.Module):
        recorder.tree.add(step.loss, "loss")

    @contextlib.contextmanager
    def in_phase(phase: str) -> Iterator[None]:
        if phase in ("optimizer", "zero_grad") and step.optimizer is not None:
            _own_gradients(recorder, step.optimizer)
        with recorder.in_phase(phase):
            yield

    with recorder:
        output = step.run(lambda: run_exported(recorder, module, args, kwargs), in_phase)
    recorder.set_outputs(output)
    return recorder.recording


def _own_gradients(recorder: Recorder, optimizer: torch.optim.Optimizer) -> None:
    for group in optimizer.param_groups:
        for parameter in group["params"]:
            kept = tensors_in(optimizer.state.get(parameter, {}))
            if parameter.grad is not None:
                kept.append(parameter.grad)
            recorder.own(parameter, kept)


def _name_inputs(
    recorder: Recorder, module: nn.Module, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> None:
    for name, value in argument_names(module, args, kwargs):
        for full_name, tensor in named_tensors(name, value):
            recorder.add_input(full_name, tensor)


@contextlib.contextmanager
def grad_mode(gradients: bool) -> Iterator[None]:
    """The grad mode of a recorded inference: the caller's own, or none."""
    if gradients or torch.is_inference_mode_enabled():
        yield
        return
    with torch.no_grad():
        yield
