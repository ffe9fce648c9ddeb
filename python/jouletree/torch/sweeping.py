"""Live models over sizes of their inputs: what `jouletree.sweep` does with a PyTorch model.

Example:
    >>> jouletree.sweep(net, {50: x50, 100: x100}, folder="studies/net")
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import torch

from jouletree import _core
from jouletree._interrupts import interruptible
from jouletree.errors import BadInput
from jouletree.torch.checks import Context, checked_context
from jouletree.torch.engine import TorchEngine
from jouletree.torch.exported import module_of
from jouletree.torch.profiling import live_engine
from jouletree.torch.runs import TrainingStep
from jouletree.torch.scripted import type_name


def swept(
    model: Any,
    inputs: Mapping[float, Any],
    arguments: dict[str, Any],
    show: Callable[[str | None], None] | None = None,
    *,
    mode: str = "inference",
    loss: Callable[..., Any] | None = None,
    target: Mapping[float, Any] | None = None,
    optimizer: torch.optim.Optimizer | None = None,
    kwargs: Mapping[str, Any] | None = None,
    context: Context | None = None,
    device: str | torch.device | None = None,
    threads: int = 1,
    name: str | None = None,
) -> tuple[str, str]:
    """Measures a live model with each of these inputs, and leaves it as it was: its table, and what
    stands in sweep.json. Targets of a training step belong to the sizes of the inputs."""
    sizes = sorted(inputs)
    targets = dict(target or {})
    if target is not None and set(targets) != set(sizes):
        raise BadInput("target: give one for each size of the inputs, such as {50: y50, 100: y100}")
    around = checked_context(context)
    open_runs: dict[int, contextlib.ExitStack] = {}

    def open_run(place: int) -> TorchEngine:
        size = sizes[place]
        stack = contextlib.ExitStack()
        engine = stack.enter_context(
            live_engine(
                model,
                inputs[size],
                mode=mode,
                step=TrainingStep(loss, targets.get(size), optimizer, around),
                kwargs=kwargs,
                device=device,
                threads=threads,
            )
        )
        open_runs[id(engine)] = stack
        return engine

    def close_run(engine: object) -> None:
        open_runs.pop(id(engine)).close()

    arguments = {
        **arguments,
        "name": name or type_name(module_of(model)),
        "sizes": [float(size) for size in sizes],
    }
    try:
        return interruptible(partial(_core.sweep_live, open_run, close_run, arguments, show))
    finally:
        for stack in open_runs.values():
            stack.close()
