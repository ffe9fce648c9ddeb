"""Programs of torch.export that take one number of examples at a time, and no other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import torch

from jouletree.errors import BadInput


def fixed_batch(model: Any) -> int | None:
    """The first size of all inputs, where the program was exported with it and it is the same."""
    if type(model).__name__ != "ExportedProgram":
        return None
    wanted = set(model.graph_signature.user_inputs)
    sizes = set()
    for node in model.graph.nodes:
        value = node.meta.get("val") if node.op == "placeholder" and node.name in wanted else None
        if isinstance(value, torch.Tensor) and value.dim() > 0:
            sizes.add(value.shape[0] if isinstance(value.shape[0], int) else None)
    only = sizes.pop() if len(sizes) == 1 else None
    return only or None


def check_batch(fixed: int | None, asked: int | None) -> None:
    if fixed is not None and asked not in (None, fixed):
        raise BadInput(
            f"a batch of {asked} does not fit: the model takes exactly {_examples(fixed)} at a time"
        )


def notes_of(fixed: int | None) -> list[str]:
    return [] if fixed is None else [f"the model takes exactly {_examples(fixed)} at a time"]


def in_fixed_batches(
    run: Callable[[Any], torch.Tensor], inputs: Any, examples: int, fixed: int
) -> torch.Tensor:
    """The last batch is filled up with its last example; what the model returns for that is left
    out."""
    returned = []
    for first in range(0, examples, fixed):
        count = min(fixed, examples - first)
        result = run(_rows(inputs, first, count, fixed))
        if result.dim() == 0 or result.shape[0] != fixed:
            raise BadInput(
                f"the model returns {tuple(result.shape)} for {_examples(fixed)}: the first "
                "dimension is not that of the examples; name another output"
            )
        returned.append(result[:count])
    return torch.cat(returned)


def _rows(inputs: Any, first: int, count: int, fixed: int) -> Any:
    if isinstance(inputs, Mapping):
        return {name: _rows(one, first, count, fixed) for name, one in inputs.items()}
    if isinstance(inputs, (tuple, list)):
        return tuple(_rows(one, first, count, fixed) for one in inputs)
    if not getattr(inputs, "shape", ()):
        return inputs
    taken = inputs[first : first + count]
    if count == fixed:
        return taken
    if isinstance(taken, torch.Tensor):
        return torch.cat([taken, taken[-1:].expand(fixed - count, *taken.shape[1:])])
    return np.concatenate([taken, np.repeat(taken[-1:], fixed - count, axis=0)])


def _examples(count: int) -> str:
    return f"{count} example{'' if count == 1 else 's'}"
