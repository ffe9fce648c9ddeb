"""Measuring live models: what `jouletree.profile` does with a PyTorch model.

Example:
    >>> jouletree.profile(model, x, budget="30s")
    >>> jouletree.profile(model, x, mode="train", loss=loss_fn, target=y, optimizer=optimizer)
"""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import torch

from jouletree import _core
from jouletree._interrupts import interruptible
from jouletree.errors import BadInput
from jouletree.torch.engine import TorchEngine
from jouletree.torch.exported import module_of
from jouletree.torch.live import call_arguments
from jouletree.torch.live_runs import InferenceRun, TrainingRun
from jouletree.torch.reasons import model_raised
from jouletree.torch.runs import TrainingError, TrainingStep
from jouletree.torch.scripted import type_name
from jouletree.torch.values import tensors_in

_MODES = ("inference", "train")


def profiled(
    model: Any,
    x: Any,
    arguments: dict[str, Any],
    show: Callable[[str | None], None] | None = None,
    *,
    mode: str = "inference",
    loss: Callable[..., Any] | None = None,
    target: Any = None,
    optimizer: torch.optim.Optimizer | None = None,
    kwargs: Mapping[str, Any] | None = None,
    context: Callable[[], contextlib.AbstractContextManager[Any]] = contextlib.nullcontext,
    threads: int = 1,
    name: str | None = None,
    seed: int = 1,
    notes: Sequence[str] = (),
    model_bytes: int | None = None,
    **unknown: Any,
) -> _core.ProfiledModel:
    """Measures a live model and leaves it as it was.

    The model runs as it is: in the caller's grad mode, with its train or eval flag, compiled or
    not. `mode="train"` measures a training step: forward, loss, backward, and with an `optimizer`
    its step and `zero_grad`. `threads` are those that one operator may use.
    """
    if unknown:
        raise BadInput(f"{', '.join(unknown)}: profile of a PyTorch model has no such argument")
    _check(model, mode, loss, target, optimizer, threads)
    args, named = call_arguments(x)
    named = {**named, **(kwargs or {})}
    module = module_of(model)
    _check_devices(module, [*args, *named.values()], "input")
    _check_devices(module, [target], "target")
    run: InferenceRun | TrainingRun
    if mode == "train":
        run = TrainingRun(model, args, named, TrainingStep(loss, target, optimizer, context))
    else:
        run = InferenceRun(model, args, named)
    with _opened(TorchEngine(run, threads), was_given=bool(args or named)) as engine:
        engine.add_notes(notes)
        shown_name = name or type_name(module)
        return interruptible(
            partial(_core.profile_live, engine, shown_name, seed, arguments, show, model_bytes)
        )


@contextlib.contextmanager
def _opened(engine: TorchEngine, was_given: bool) -> Iterator[TorchEngine]:
    try:
        engine.__enter__()
    except TrainingError as error:
        raise BadInput(f"the model cannot be trained: {error}") from error
    except Exception as error:
        raise model_raised(error, was_given) from error
    try:
        yield engine
    finally:
        engine.__exit__()


def _check(
    model: Any,
    mode: str,
    loss: Any,
    target: Any,
    optimizer: Any,
    threads: int,
) -> None:
    if mode not in _MODES:
        raise BadInput(f"mode is {mode!r}: give 'inference' or 'train'")
    if not 1 <= threads <= 1024:
        raise BadInput(f"threads is {threads}: give a number from 1 to 1024")
    if mode == "inference":
        given = [
            name
            for name, value in (("loss", loss), ("target", target), ("optimizer", optimizer))
            if value is not None
        ]
        if given:
            raise BadInput(f"{', '.join(given)}: only for training; say mode='train', too")
        return
    if optimizer is not None and not isinstance(optimizer, torch.optim.Optimizer):
        raise BadInput(f"optimizer is a {type(optimizer).__name__}: give a torch.optim.Optimizer")
    if target is not None and loss is None:
        raise BadInput(
            "target needs a loss: give loss=…, a function of the model's output and the target"
        )
    if optimizer is None:
        return
    closure = inspect.signature(optimizer.step).parameters.get("closure")
    if closure is not None and closure.default is inspect.Parameter.empty:
        raise BadInput(
            f"{type(optimizer).__name__} runs the model inside its step, by a closure; "
            "only optimizers whose step needs none can be measured"
        )
    own = {id(parameter) for parameter in module_of(model).parameters()}
    others = [parameter for group in optimizer.param_groups for parameter in group["params"]]
    if own and not any(id(parameter) in own for parameter in others):
        raise BadInput(
            "the optimizer has no parameter of the model: make it with model.parameters()"
        )


def _check_devices(module: torch.nn.Module, values: list[Any], what: str) -> None:
    """A model on several devices moves its inputs by itself."""
    devices = {tensor.device for tensor in [*module.parameters(), *module.buffers()]}
    if len(devices) != 1:
        return
    (device,) = devices
    for tensor in tensors_in(values):
        # A number on the CPU goes with any device.
        if tensor.device != device and tensor.dim() > 0:
            raise BadInput(
                f"an {what} is on {tensor.device} and the model on {device}: "
                f"move one of them with .to({str(device)!r})".replace("an target", "the target")
            )
