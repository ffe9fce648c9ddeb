"""Model files that the tests of PyTorch's files share. Scripting needs the source of a class, so
they stand in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from torch import nn


class Scaled(nn.Module):
    """A tensor, a number with a default, and a tensor that may be left out."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(16, 32)
        self.second = nn.Linear(32, 8)

    def forward(
        self, x: torch.Tensor, times: int = 2, shift: torch.Tensor | None = None
    ) -> torch.Tensor:
        y = self.second(torch.relu(self.first(x))) * times
        if shift is not None:
            y = y + shift
        return y


class Grouped(nn.Module):
    """A list, a tuple and a number without a default."""

    def forward(
        self, parts: list[torch.Tensor], pair: tuple[torch.Tensor, torch.Tensor], share: float
    ) -> torch.Tensor:
        return torch.cat(parts).sum() * share + pair[0].sum() + pair[1].sum()


class Worded(nn.Module):
    """Whole numbers in, as language models have them."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(50, 8)

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        return self.words(input_ids) * attention_mask.unsqueeze(-1)


class Chatty(nn.Module):
    """Prints while it runs."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        print("hello from the model")
        return x * 2


def scripted(model: nn.Module, path: Path) -> str:
    torch.jit.script(model.eval()).save(str(path))  # type: ignore[no-untyped-call]
    return str(path)


def frozen(model: nn.Module, path: Path) -> str:
    made: Any = torch.jit.freeze(torch.jit.script(model.eval()))  # type: ignore[no-untyped-call]
    made.save(str(path))
    return str(path)


def exported(model: nn.Module, path: Path, *inputs: torch.Tensor) -> str:
    torch.export.save(torch.export.export(model.eval(), inputs), path)
    return str(path)
