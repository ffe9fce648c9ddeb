"""PyTorch's model files: what `jouletree.profile` and `jouletree.inspect` do with a path.

Example:
    >>> jouletree.profile("net.pt", x=(1, 3, 224, 224), budget="30s")
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import torch
from torch.utils import _pytree as pytree

from jouletree import _core
from jouletree._inputs import by_name, leaves_of
from jouletree.errors import BadInput
from jouletree.torch.files import GivenInputs, input_names, load_file
from jouletree.torch.inspection import counted_recording
from jouletree.torch.live import call_arguments
from jouletree.torch.profiling import profiled


def profiled_file(
    path: str,
    x: Any,
    arguments: dict[str, Any],
    show: Callable[[str | None], None] | None,
    *,
    values: Mapping[str, Any],
    data: Mapping[str, Any],
    device: str,
    seed: int,
    threads: int,
) -> _core.ProfiledModel:
    """Loads the file in this process and measures it without gradients, as the command does."""
    try:
        model = load_file(path, device)
        args, kwargs, notes = _call(model, x, values, data, device, seed)
    except BadInput as error:
        raise BadInput(_core.python_words(f"{path}: {error}")) from error
    drawn = torch.get_rng_state()
    try:
        torch.manual_seed(seed)
        with torch.no_grad():
            return profiled(
                model,
                args,
                arguments,
                show,
                kwargs=kwargs,
                threads=threads,
                name=Path(path).stem,
                seed=seed,
                notes=notes,
                model_bytes=Path(path).stat().st_size,
            )
    finally:
        torch.set_rng_state(drawn)


def counted_file(path: str, x: Any, values: Mapping[str, Any]) -> bytes:
    """What the file does in one run, as the library reads it."""
    try:
        model = load_file(path)
        args, kwargs, notes = _call(model, x, values, {}, "cpu", 1)
    except BadInput as error:
        raise BadInput(_core.python_words(f"{path}: {error}")) from error
    with torch.no_grad():  # As the command does.
        recording = counted_recording(model, args, kwargs=kwargs)
    recording.notes += notes
    return recording.to_json()


def _call(
    model: Any,
    x: Any,
    values: Mapping[str, Any],
    data: Mapping[str, Any],
    device: str,
    seed: int,
) -> tuple[tuple[Any, ...], dict[str, Any], list[str]]:
    is_script = isinstance(model, torch.jit.ScriptModule)
    leaves = pytree.tree_leaves(x) if is_script else []
    if leaves and not values and not data and all(isinstance(one, torch.Tensor) for one in leaves):
        args, kwargs = call_arguments(x)
        return args, kwargs, []
    given_x = x if is_script else leaves_of(x)
    named = {**by_name(given_x, lambda: input_names(model)), **data}
    shapes: dict[str, tuple[int, ...]] = {}
    tensors: dict[str, torch.Tensor] = {}
    for name, given in named.items():
        for part, one in _parts(name, given):
            if isinstance(one, torch.Tensor):
                tensors[part] = one
            else:
                shapes[part] = one
    numbers = {
        name: list(given) if isinstance(given, (list, tuple)) else [given]
        for name, given in values.items()
    }
    inputs = GivenInputs(shapes, {}, numbers, tensors, device, seed)
    args, kwargs = inputs.arguments(model)
    return args, kwargs, inputs.notes()


def _parts(name: str, given: Any) -> Iterator[tuple[str, Any]]:
    """Tensors and shapes, those in lists as `name.0`, `name.1`."""
    if isinstance(given, torch.Tensor):
        yield name, given
    elif hasattr(given, "__array__"):
        yield name, torch.as_tensor(given)
    elif isinstance(given, (list, tuple)) and all(isinstance(one, int) for one in given):
        yield name, tuple(given)
    elif isinstance(given, (list, tuple)):
        for place, one in enumerate(given):
            yield from _parts(f"{name}.{place}", one)
    else:
        raise BadInput(f"input '{name}' is {given!r}: give a tensor, an array or a shape")
