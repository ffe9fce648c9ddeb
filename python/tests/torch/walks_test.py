"""Walks through modules give what torch's own generators give."""

from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch")

from torch import nn

from jouletree.torch.walks import modules, named_modules, stored_tensors


def shared() -> Any:
    """A module in two places, a parameter in two, a place without a module, and a circle."""
    inner = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4))
    outer = nn.ModuleDict({"a": inner, "b": nn.ModuleList([nn.Linear(4, 4), inner]), "c": inner[0]})
    outer["b"][0].weight = inner[0].weight
    outer.register_module("nothing", None)
    inner.register_parameter("none", None)
    inner.register_buffer("same", outer["a"][1].running_mean)
    inner.add_module("back", outer["b"])
    return outer


@pytest.mark.parametrize(
    "make",
    [
        shared,
        lambda: nn.Transformer(8, 2, 1, 1, 16),
        lambda: nn.Identity(),
        lambda: torch.jit.script(nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))),
    ],
)
def test_walks_are_those_of_torch(make: Any) -> None:
    model = make()
    assert [name for name, _ in named_modules(model)] == [name for name, _ in model.named_modules()]
    assert len(modules(model)) == len(list(model.modules()))
    if not isinstance(model, torch.jit.ScriptModule):  # Whose parts are made anew when asked for.
        assert all(a is b for a, b in zip(modules(model), model.modules(), strict=True))
    expected = [("parameter", name, one.shape) for name, one in model.named_parameters()]
    expected += [("buffer", name, one.shape) for name, one in model.named_buffers()]
    assert [(kind, name, one.shape) for kind, name, one in stored_tensors(model)] == expected
