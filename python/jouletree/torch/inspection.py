"""Counting a live model: without running it wherever that is possible.

Example:
    >>> jouletree.inspect(model, x)
    >>> inspect_training(model, x, loss=loss, target=y, optimizer=optimizer)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import torch

from jouletree import _core
from jouletree._arguments import by_names
from jouletree._interrupts import held
from jouletree.errors import BadInput, Error
from jouletree.inspection import Inspection
from jouletree.torch.checks import check_training
from jouletree.torch.exported import given_inputs, module_of
from jouletree.torch.fake import has_no_data, record_fake, without_collections
from jouletree.torch.gradients import has_same_work, heard_questions
from jouletree.torch.live import call_arguments
from jouletree.torch.reasons import hint_at_inputs, model_raised, step_raised
from jouletree.torch.recording import Recording
from jouletree.torch.runs import TrainingError, TrainingStep, record, recorded_training
from jouletree.torch.scripted import type_name


def recorded(
    model: Any, inputs: Any = None, kwargs: Mapping[str, Any] | None = None
) -> tuple[Any, ...]:
    """The recording of an inference that was only thought through, as the C++ library takes it."""
    args, named = given_inputs(model, inputs, by_names("kwargs", kwargs, "{'labels': y}"))
    with without_collections():
        return counted_recording(model, args, kwargs=named).to_objects()


def name_of(model: Any) -> str:
    """What tables call the model: the class of its module."""
    return type_name(module_of(model))


def counted_recording(
    model: Any,
    inputs: Any = None,
    *,
    kwargs: Mapping[str, Any] | None = None,
    step: TrainingStep | None = None,
) -> Recording:
    """Records a run without computing anything. A model that decides by the content of tensors is
    run for real instead, and a note says so; on the meta device it has no content to decide by.

    No gradients are prepared for, unless the caller has them on and the model runs other operators
    then, as it does when it is profiled.
    """
    module = module_of(model)
    with held():
        if step is not None or not torch.is_grad_enabled():
            return _recorded(module, inputs, kwargs, step)
        with heard_questions() as askers:
            recording = _recorded(module, inputs, kwargs, None)
        if not askers:
            return recording
        with_gradients = _recorded(module, inputs, kwargs, None, gradients=True)
    if has_same_work(recording, with_gradients):
        return recording
    with_gradients.notes.append(
        "counted with gradients on, because the model runs other operators with them; "
        "torch.no_grad() around the call counts it without"
    )
    return with_gradients


def _recorded(
    module: torch.nn.Module,
    inputs: Any,
    kwargs: Mapping[str, Any] | None,
    step: TrainingStep | None,
    gradients: bool = False,
) -> Recording:
    try:
        recording = record_fake(module, inputs, kwargs=kwargs, step=step, gradients=gradients)
        recording.notes.insert(0, f"counted by {recording.engine} without running the model")
        return recording
    except TrainingError:
        raise
    except Exception as problem:
        if has_no_data(module, [inputs, kwargs]):
            raise BadInput(
                f"{type_name(module)} cannot be counted on the meta device: "
                f"{_first_line(problem)}; load it on a real device, where it can be run once"
            ) from problem
        reason = problem
    try:
        recording = _run_for_real(module, inputs, kwargs, step, gradients)
    except Error:
        raise
    except Exception as problem:
        args, named = call_arguments(inputs)
        hint = hint_at_inputs(args, {**named, **(kwargs or {})})
        if step is not None:
            raise step_raised(problem, step, hint) from problem
        raise model_raised(problem, hint) from problem
    recording.notes.insert(
        0,
        f"counted from one run in {recording.engine}, because the model cannot be counted "
        f"without running it: {_first_line(reason)}",
    )
    return recording


def _run_for_real(
    module: torch.nn.Module,
    inputs: Any,
    kwargs: Mapping[str, Any] | None,
    step: TrainingStep | None,
    gradients: bool,
) -> Recording:
    if step is None:
        return record(module, inputs, kwargs=kwargs, gradients=gradients)
    return recorded_training(module, inputs, kwargs, step)


def inspect_training(
    model: Any,
    inputs: Any = None,
    *,
    kwargs: Mapping[str, Any] | None = None,
    loss: Callable[..., Any] | None = None,
    target: Any = None,
    optimizer: torch.optim.Optimizer | None = None,
) -> Inspection:
    """Counts a training step: forward, loss, backward, optimiser and zero_grad."""
    step = TrainingStep(loss, target, optimizer)
    check_training(module_of(model), step)
    recording = counted_recording(model, inputs, kwargs=kwargs, step=step)
    return Inspection(_core.inspect_run(recording.to_objects(), name_of(model)))


def _first_line(problem: BaseException) -> str:
    lines = [line.strip() for line in str(problem).splitlines() if line.strip()]
    text = lines[0] if lines else type(problem).__name__
    return text if len(text) <= 200 else text[:197] + "…"
