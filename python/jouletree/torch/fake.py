"""Runs without computing: every tensor is replaced by one that has a shape and no data.

Example:
    >>> with torch.device("meta"):
    ...     model = LlamaForCausalLM(LlamaConfig.from_dict(seventy_billion))
    >>> recording = record_fake(model, {"input_ids": torch.zeros(1, 2048, dtype=torch.int64)})
"""

from __future__ import annotations

import contextlib
import gc
import logging
from collections.abc import Iterator, Mapping
from typing import Any

import torch
from torch import nn
from torch._subclasses.fake_tensor import (
    DataDependentOutputException,
    DynamicOutputShapeException,
)

from jouletree._interrupts import held
from jouletree.errors import BadInput
from jouletree.torch.exported import module_of
from jouletree.torch.fake_recorder import FakeRecorder
from jouletree.torch.fake_tensors import FakeTensors, real_tensors
from jouletree.torch.live import LiveState, call_arguments, without_compiler
from jouletree.torch.recording import Recording
from jouletree.torch.runs import TrainingStep, grad_mode, put_back, record_call, record_step
from jouletree.torch.scripted import is_scripted
from jouletree.torch.values import tensors_in
from jouletree.torch.walks import modules


@contextlib.contextmanager
def _without_logs() -> Iterator[None]:
    """A model that cannot be counted without running is run instead: no need for pages of why."""
    log = logging.getLogger("torch._subclasses.fake_tensor")
    before, log.disabled = log.disabled, True  # A level would empty the caches of all loggers.
    try:
        yield
    finally:
        log.disabled = before


@contextlib.contextmanager
def without_collections() -> Iterator[None]:
    """Recording makes many small objects that all stay. To look through them, and through all of
    the program's, for garbage may take longer than the recording."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def has_no_data(model: nn.Module, inputs: Any) -> bool:
    """Whether the model can only be counted, because tensors of it are on the meta device."""
    tensors = [*model.parameters(), *model.buffers(), *tensors_in(inputs)]
    return any(tensor.device.type == "meta" for tensor in tensors)


def record_fake(
    model: Any,
    inputs: Any = None,
    *,
    kwargs: Mapping[str, Any] | None = None,
    step: TrainingStep | None = None,
    gradients: bool = False,
) -> Recording:
    """Records a run, or a training step, in which nothing is computed and no memory is needed.
    `gradients` keeps the caller's grad mode for a run; otherwise no gradients are prepared for.

    Raises whatever the model raises where it needs to know the content of a tensor.
    """
    module = module_of(model)
    parts = modules(module)
    if any(map(is_scripted, parts)):
        raise BadInput("TorchScript runs it with tensors of its own")
    args, named = call_arguments(inputs)
    named = {**named, **(kwargs or {})}
    optimizer = None if step is None else step.optimizer
    others = [*args, *named.values()]
    if step is not None:
        others += [step.target, step.loss]
    state = LiveState(module, optimizer, others, parts)
    with held(), without_collections(), put_back(state), without_compiler(), _without_logs():
        recording = None
        if step is None and not gradients:
            recording = _recorded_beside_data(state, parts, args, named)
        if recording is None:
            recording = _recorded_without_data(module, args, named, step, gradients)
    recording.fake = True
    return recording


def _recorded_beside_data(
    state: LiveState,
    parts: list[nn.Module],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> Recording | None:
    """What the model stores stays as it is, because to replace it takes longer than most calls.
    None where that cannot be done."""
    if _in_autocast():
        return None
    real = real_tensors(parts)
    if real is None:
        return None
    module = parts[0]
    fakes = FakeTensors(module)
    try:
        recorder = FakeRecorder(module, fakes, real)
        given, named = fakes.inside(args), fakes.inside(kwargs)
        for tensor, made in fakes.replaced():
            recorder.describer.stand_in(made, tensor)
        with fakes.mode, grad_mode(False):
            recording = record_call(recorder, module, given, named)
        fakes.give_back()
        return recording
    except (DataDependentOutputException, DynamicOutputShapeException):
        raise  # Nobody can tell without data.
    except Exception:
        state.restore()
        return None


def _in_autocast() -> bool:
    """It keeps what it makes of parameters, for as long as it lasts."""
    depth = torch.autocast_increment_nesting()
    torch.autocast_decrement_nesting()
    return depth > 1


def _recorded_without_data(
    module: nn.Module,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    step: TrainingStep | None,
    gradients: bool,
) -> Recording:
    fakes = FakeTensors(module)
    fakes.put_into(module)
    args, kwargs = fakes.inside(args), fakes.inside(kwargs)
    if step is not None:
        return _record_fake_step(fakes, module, args, kwargs, step)
    with fakes.mode, grad_mode(gradients):
        return record_call(FakeRecorder(module, fakes), module, args, kwargs)


def _record_fake_step(
    fakes: FakeTensors,
    module: nn.Module,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    step: TrainingStep,
) -> Recording:
    if isinstance(step.loss, nn.Module):
        fakes.put_into(step.loss)
    if step.optimizer is not None:
        fakes.put_into_optimizer(step.optimizer)
    faked = TrainingStep(step.loss, fakes.inside(step.target), step.optimizer, step.context)
    with fakes.mode:
        if step.optimizer is not None and not step.optimizer.state:
            record_step(FakeRecorder(module, fakes), module, args, kwargs, faked)
        return record_step(FakeRecorder(module, fakes), module, args, kwargs, faked)
