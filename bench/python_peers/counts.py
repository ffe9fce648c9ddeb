"""MACs of real models by JouleTree, FlopCounterMode, thop and fvcore, side by side.

Prints a table in Markdown: ratios to JouleTree's count, and what each of the others leaves out. The
models are those of python/tests/torch_models.py, inference on two inputs each.
"""

from __future__ import annotations

import warnings
from collections import Counter
from typing import Any

import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode
from torch_models import MODELS

import jouletree.torch as jt

# fvcore also counts operations of normalisation; these are its multiply-accumulates.
FVCORE_PRODUCTS = ("conv", "linear", "matmul", "addmm", "bmm", "einsum", "baddbmm", "mm")


class Logits(nn.Module):
    """Traces want tensors: the first output of a model for its first input."""

    def __init__(self, model: nn.Module, name: str, others: dict[str, Any]) -> None:
        super().__init__()
        self.model = model
        self.name = name
        self.others = others

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        output = self.model(**{self.name: x}, **self.others, return_dict=False)
        first: torch.Tensor = output[0]
        return first


def by_torch(model: nn.Module, x: torch.Tensor) -> int:
    with FlopCounterMode(display=False) as counter:
        model(x)  # With gradients: without them it raises on some models.
    return int(counter.get_total_flops()) // 2


def by_thop(model: nn.Module, x: torch.Tensor) -> int:
    import thop

    return int(thop.profile(model, inputs=(x,), verbose=False)[0])


def by_fvcore(model: nn.Module, x: torch.Tensor) -> int:
    from fvcore.nn import FlopCountAnalysis

    analysis = FlopCountAnalysis(model, (x,))
    analysis.unsupported_ops_warnings(False).uncalled_modules_warnings(False)
    counts: Counter[str] = analysis.by_operator()
    return int(sum(count for name, count in counts.items() if name in FVCORE_PRODUCTS))


def ratio(count: Any, model: nn.Module, x: torch.Tensor, ours: int) -> str:
    try:
        theirs = count(model, x)
    except Exception as problem:  # A peer that cannot count a model is part of the table.
        return f"fails ({type(problem).__name__})"
    return "equal" if theirs == ours else f"{theirs / ours:.3f}"


def left_out(counter: jt.Counter) -> str:
    """What JouleTree counted beside plain products and convolutions."""
    kinds = {"Attention": "attention", "GroupedMatMul": "experts", "RecurrentStack": "recurrence"}
    types = {one.type for one in counter.inspection.types}
    return ", ".join(word for kind, word in kinds.items() if kind in types) or "-"


def main(_rounds: int) -> list[str]:
    """Where others count less, the table says so; nothing is missed by that."""
    warnings.filterwarnings("ignore")
    print("| model | MACs | coverage | FlopCounterMode | thop | fvcore | has |")
    print("|---|--:|--:|--:|--:|--:|---|")
    for name, make in MODELS.items():
        torch.manual_seed(1)
        model, inputs = make()
        if name not in ("t5", "whisper"):  # Their decoders start from the labels.
            inputs.pop("labels")
        key, *others = inputs
        wrapped = Logits(model.eval(), key, {other: inputs[other] for other in others})
        x = inputs[key]
        with torch.no_grad(), jt.Counter(wrapped) as counter:
            wrapped(x)
        ours = counter.macs or 0
        cells = [ratio(count, wrapped, x, ours) for count in (by_torch, by_thop, by_fvcore)]
        row = [name, f"{ours:,}", f"{counter.coverage:.0%}", *cells, left_out(counter)]
        print(f"| {' | '.join(row)} |", flush=True)
    return []
