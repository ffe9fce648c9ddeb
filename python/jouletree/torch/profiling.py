"""Measuring live models: what `jouletree.profile` does with a PyTorch model.

Example:
    >>> jouletree.profile(model, x, budget="30s")
    >>> jouletree.profile(model, x, mode="train", loss=loss_fn, target=y, optimizer=optimizer)
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import torch

from jouletree import _core
from jouletree._arguments import by_names, one_of
from jouletree._interrupts import interruptible
from jouletree.errors import BadInput, Error
from jouletree.torch.checks import (
    Context,
    check_devices,
    check_needs_no_closure,
    check_training,
    checked_context,
)
from jouletree.torch.engine import TorchEngine
from jouletree.torch.exported import given_inputs, module_of
from jouletree.torch.live_runs import InferenceRun, TrainingRun
from jouletree.torch.reasons import hint_at_inputs, model_raised, step_raised
from jouletree.torch.runs import TrainingError, TrainingStep
from jouletree.torch.scripted import type_name

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
    context: Context | None = None,
    device: str | torch.device | None = None,
    threads: int = 1,
    name: str | None = None,
    seed: int = 1,
    notes: Sequence[str] = (),
    model_bytes: int | None = None,
) -> _core.ProfiledModel:
    """Measures a live model and leaves it as it was.

    The model runs as it is: in the caller's grad mode, with its train or eval flag, compiled or
    not. `mode="train"` measures a training step: forward, loss, backward, and with an `optimizer`
    its step and `zero_grad`. `threads` are those that one operator may use.
    """
    module = module_of(model)
    opened = live_engine(
        model,
        x,
        mode=mode,
        step=TrainingStep(loss, target, optimizer, checked_context(context)),
        kwargs=kwargs,
        device=device,
        threads=threads,
    )
    with opened as engine:
        engine.add_notes(notes)
        shown_name = name or type_name(module)
        measure = partial(
            _core.profile_live, engine, shown_name, seed, arguments, show, model_bytes
        )
        try:
            return interruptible(measure)
        except Error as error:
            if engine.raised is None:
                raise
            raise error from engine.raised


@contextlib.contextmanager
def live_engine(
    model: Any,
    x: Any,
    *,
    mode: str,
    step: TrainingStep,
    kwargs: Mapping[str, Any] | None,
    device: str | torch.device | None,
    threads: int,
) -> Iterator[TorchEngine]:
    """What runs a live model, which is left as it was in the end."""
    module = module_of(model)
    _check_mode(module, mode, step)
    args, named = given_inputs(model, x, by_names("kwargs", kwargs, "{'labels': y}"))
    check_devices(module, [*args, *named.values()], step.target, device)
    run: InferenceRun | TrainingRun
    if mode == "train":
        run = TrainingRun(model, args, named, step)
    else:
        run = InferenceRun(model, args, named, step.context)
    with _opened(TorchEngine(run, threads)) as engine:
        yield engine


@contextlib.contextmanager
def _opened(engine: TorchEngine) -> Iterator[TorchEngine]:
    try:
        engine.__enter__()
    except TrainingError as error:
        raise BadInput(f"the model cannot be trained: {error}") from error
    except Error:
        raise
    except Exception as error:
        raise _raised_by(engine.users_run, error) from error
    try:
        yield engine
    finally:
        engine.__exit__()


def _raised_by(run: InferenceRun | TrainingRun, error: Exception) -> BadInput:
    hint = hint_at_inputs(run.args, run.kwargs)
    if isinstance(run, TrainingRun):
        return step_raised(error, run.step, hint)
    return model_raised(error, hint)


def _check_mode(module: torch.nn.Module, mode: str, step: TrainingStep) -> None:
    if one_of("mode", mode, _MODES) == "train":
        check_training(module, step)
        check_needs_no_closure(step.optimizer)
        return
    given = [name for name in ("loss", "target", "optimizer") if getattr(step, name) is not None]
    if given:
        raise BadInput(f"{', '.join(given)}: only for training; say mode='train', too")
