"""Live PyTorch models and PyTorch's files as `jouletree.score` calls them."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import torch
from torch.utils import _pytree as pytree

from jouletree._interrupts import held
from jouletree._outputs import chosen
from jouletree._scored_models import Called
from jouletree.errors import BadInput, Error
from jouletree.torch.exported import module_of
from jouletree.torch.files import load_file
from jouletree.torch.fixed_batch import check_batch, fixed_batch, in_fixed_batches, notes_of
from jouletree.torch.reasons import hint_at_arrays, model_raised


@contextlib.contextmanager
def caller(
    model: Any, output: str | int | None, device: str | None, batch: int | None
) -> Iterator[Called]:
    """In eval mode and without gradients; afterwards everything is as it was."""
    if isinstance(model, (str, os.PathLike)):
        path = os.fspath(model)
        model = load_file(path, device or "cpu")
        module, name = module_of(model), Path(path).name
    else:
        if device is not None:
            raise BadInput("device is for model files; move a live model with model.to(device)")
        # A compiled one runs as it is.
        is_module = isinstance(model, torch.nn.Module)
        module, name = model if is_module else module_of(model), type(model).__name__
    place = _device_of(module)
    fixed = fixed_batch(model)
    check_batch(fixed, batch)

    def run(inputs: Any) -> torch.Tensor:
        try:
            with torch.no_grad():
                returned = _applied(module, _moved(inputs, place))
        except Error:
            raise
        except Exception as error:
            leaves = pytree.tree_flatten(_moved(inputs, place))[0]
            raise model_raised(error, hint_at_arrays(leaves)) from error
        result = chosen(returned, output)
        if not isinstance(result, torch.Tensor):
            raise BadInput(
                f"the model returns {type(result).__name__}, not a tensor; name an output"
            )
        return result.detach().cpu()

    def call(inputs: Any, examples: int) -> torch.Tensor:
        return run(inputs) if fixed is None else in_fixed_batches(run, inputs, examples, fixed)

    with _left_as_it_was(module):
        called = Called(call, name, f"PyTorch {torch.__version__}", lambda: notes_of(fixed))
        called.fixed_batch = lambda: fixed
        called.params = lambda: _params_of(module)
        called.batch = fixed or called.batch
        yield called


def _applied(module: torch.nn.Module, inputs: Any) -> Any:
    if isinstance(inputs, Mapping):
        return module(**inputs)
    return module(*inputs) if isinstance(inputs, (tuple, list)) else module(inputs)


def _params_of(module: torch.nn.Module) -> int | None:
    """Frozen and quantised modules keep them elsewhere."""
    try:
        return sum(one.numel() for one in module.parameters()) or None
    except ValueError:  # Lazy ones do not know their size yet.
        return None


def _device_of(module: torch.nn.Module) -> torch.device:
    """Of its parameters, else of its buffers."""
    for tensor in (*module.parameters(), *module.buffers()):
        return tensor.device
    return torch.device("cpu")


def _moved(inputs: Any, device: torch.device) -> Any:
    if isinstance(inputs, Mapping):
        return {name: _moved(one, device) for name, one in inputs.items()}
    if isinstance(inputs, (tuple, list)):
        return tuple(_moved(one, device) for one in inputs)
    if isinstance(inputs, torch.Tensor):
        return inputs.to(device)
    if hasattr(inputs, "__array__"):
        import numpy as np

        # Of memory that PyTorch may write to, which that of a mapped file is not.
        return torch.from_numpy(np.array(inputs)).to(device)
    return inputs


@contextlib.contextmanager
def _left_as_it_was(module: torch.nn.Module) -> Iterator[None]:
    """Flags of training, one by one: some may have been frozen. Buffers that a run changes."""
    flags = [(one, one.training) for one in module.modules()]
    buffers = [(one, one._version, one.detach().clone()) for one in module.buffers()]
    try:
        for one, is_training in flags:
            if is_training:
                one.training = False
        yield
    finally:
        with held(firmly=True):
            for one, was_training in flags:
                one.training = was_training
            with torch.no_grad():
                for buffer, version, content in buffers:
                    if buffer._version != version:
                        buffer.copy_(content)
