"""What is asked of a live model is looked at before it runs."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from jouletree._arguments import kind_of
from jouletree.errors import BadInput
from jouletree.torch.fake import has_no_data
from jouletree.torch.runs import TrainingStep
from jouletree.torch.scripted import type_name
from jouletree.torch.values import tensors_in

Context = Callable[[], contextlib.AbstractContextManager[Any]]


def checked_context(given: Any) -> Context:
    """A function that makes what stands around the calls of a model."""
    if given is None:
        return contextlib.nullcontext
    # torch.no_grad() and its like can be called, too, but only with a function to decorate.
    is_used_up = hasattr(given, "__enter__") and not isinstance(given, type)
    if is_used_up or not callable(given):
        raise _no_context(kind_of(given))
    try:
        made = given()
    except Exception as error:
        raise _no_context(f"a function that raised {type(error).__name__}: {error}") from error
    if not hasattr(made, "__enter__"):
        raise _no_context(f"a function that returns {kind_of(made)}")
    context: Context = given
    return context


def _no_context(what: str) -> BadInput:
    return BadInput(
        f"context is {what}: give a function that makes a context manager for each run, such as "
        "context=lambda: torch.autocast('cpu')"
    )


def check_training(module: nn.Module, step: TrainingStep) -> None:
    """Whether a step can be made of what was given."""
    if torch.is_inference_mode_enabled():
        raise BadInput(
            "a training step needs gradients, which torch.inference_mode() around this call rules "
            "out: call it outside of that"
        )
    if step.loss is not None and not callable(step.loss):
        raise BadInput(
            f"loss is {step.loss!r}: give a function of the model's output and the target, such "
            "as torch.nn.functional.cross_entropy"
        )
    if step.target is not None and step.loss is None:
        raise BadInput(
            "target needs a loss: give loss=…, a function of the model's output and the target"
        )
    if step.optimizer is not None:
        _check_optimizer(module, step.optimizer)


def _check_optimizer(module: nn.Module, optimizer: Any) -> None:
    if not isinstance(optimizer, torch.optim.Optimizer):
        raise BadInput(f"optimizer is {kind_of(optimizer)}: give a torch.optim.Optimizer")
    own = {id(parameter) for parameter in module.parameters()}
    others = [parameter for group in optimizer.param_groups for parameter in group["params"]]
    if own and not any(id(parameter) in own for parameter in others):
        raise BadInput(
            "the optimizer has no parameter of the model: make it with model.parameters()"
        )


def check_needs_no_closure(optimizer: torch.optim.Optimizer | None) -> None:
    """Whether an optimiser's step can be measured apart from the model."""
    if optimizer is None:
        return
    closure = inspect.signature(optimizer.step).parameters.get("closure")
    if closure is not None and closure.default is inspect.Parameter.empty:
        raise BadInput(
            f"{type(optimizer).__name__} runs the model inside its step, by a closure; "
            "only optimizers whose step needs none can be measured"
        )


def check_devices(module: nn.Module, inputs: list[Any], target: Any, device: Any) -> None:
    """Whether all is where the model is, and where something can be computed."""
    _check_on_one_device(module, inputs, "an input")
    _check_on_one_device(module, [target], "the target")
    if has_no_data(module, [inputs, target]):
        raise BadInput(
            f"{type_name(module)} is on the meta device, where nothing is computed: load it on a "
            "real device to measure it; jouletree.inspect counts it as it is"
        )
    own = {tensor.device for tensor in [*_stored(module), *tensors_in(inputs)]}
    if device is not None and own and not any(_is_on(one, str(device)) for one in own):
        where = ", ".join(sorted(map(str, own))) or "no device of its own"
        raise BadInput(
            f"device is {str(device)!r}, but a live model runs where it is, on {where}: move it "
            "with model.to(…)"
        )


def _check_on_one_device(module: nn.Module, values: list[Any], what: str) -> None:
    """A model on several devices moves its inputs by itself."""
    devices = {tensor.device for tensor in _stored(module)}
    if len(devices) != 1:
        return
    (device,) = devices
    for tensor in tensors_in(values):
        # A number on the CPU goes with any device.
        if tensor.device != device and tensor.dim() > 0:
            raise BadInput(
                f"{what} is on {tensor.device} and the model on {device}: "
                f"move one of them with .to({str(device)!r})"
            )


def _is_on(own: torch.device, asked: str) -> bool:
    """ "cuda" is any of its devices."""
    return asked in (str(own), own.type)


def _stored(module: nn.Module) -> list[torch.Tensor]:
    return [*module.parameters(), *module.buffers()]
