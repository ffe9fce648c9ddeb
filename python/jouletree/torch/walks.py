"""All modules of a model, in one go: torch's own generators take a step of each level for each
module."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import nn


def named_modules(root: nn.Module) -> list[tuple[str, nn.Module]]:
    """What `root.named_modules()` gives, in the same order."""
    found: list[tuple[str, nn.Module]] = []
    seen: set[nn.Module] = set()
    pending: list[tuple[str, nn.Module]] = [("", root)]
    while pending:
        name, module = pending.pop()
        if module in seen:
            continue
        seen.add(module)
        found.append((name, module))
        children = module._modules
        if children:
            prefix = f"{name}." if name else ""
            pending += [
                (prefix + own, child)
                for own, child in reversed(list(children.items()))
                if child is not None
            ]
    return found


def modules(root: nn.Module) -> list[nn.Module]:
    """What `root.modules()` gives."""
    return [module for _, module in named_modules(root)]


def stored_tensors(root: nn.Module) -> Iterator[tuple[str, str, torch.Tensor]]:
    """Kind, name and tensor of what `root.named_parameters()` and `root.named_buffers()` give."""
    parts = named_modules(root)
    for kind in ("parameter", "buffer"):
        seen: set[int] = set()
        for name, part in parts:
            held = part._parameters if kind == "parameter" else part._buffers
            if not held:
                continue
            prefix = f"{name}." if name else ""
            for own, tensor in held.items():
                if tensor is not None and id(tensor) not in seen:
                    seen.add(id(tensor))
                    yield kind, prefix + own, tensor
