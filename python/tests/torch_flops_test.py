"""Counts of real models equal those of FlopCounterMode wherever that is right."""

from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch")
pytest.importorskip(
    "transformers", reason="transformers is not installed: pip install transformers"
)

from torch import nn
from torch.utils.flop_counter import FlopCounterMode, flop_registry
from torch_models import MODELS

from jouletree.torch import Counter, count

aten = torch.ops.aten


def _attention(query: Any, key: Any, value: Any, *_: Any, out_shape: Any, **__: Any) -> int:
    batch, heads, queries, size = query
    return 2 * batch * heads * queries * key[2] * (size + value[3])


def _attention_gradient(
    gradient: Any, query: Any, key: Any, value: Any, *_: Any, out_shape: Any, **__: Any
) -> int:
    batch, heads, queries, size = query
    return 2 * batch * heads * queries * key[2] * (3 * size + 2 * value[3])


def _groups(a: Any, b: Any, *_: Any, out_shape: Any, **__: Any) -> int:
    return 2 * a[-2] * a[-1] * b[-1]


# What torch leaves out: attention on the CPU, experts.
MISSING = {
    aten._scaled_dot_product_flash_attention_for_cpu: _attention,
    aten._scaled_dot_product_flash_attention_for_cpu_backward: _attention_gradient,
}
if hasattr(aten, "_grouped_mm"):
    MISSING[aten._grouped_mm] = _groups
# FlopCounterMode raises here without gradients, because it asks every tensor for its history.
NEEDS_GRADIENTS = {"deberta"}
# Torch multiplies the gradient of grouped convolutions by the number of groups once too often.
GROUPED = {"convnext", "mobilenet", "efficientnet", "mamba"}


def run(name: str, train: bool) -> tuple[nn.Module, dict[str, Any]]:
    torch.manual_seed(1)
    model, inputs = MODELS[name]()
    return model.train(train), inputs


def counted(
    model: nn.Module, inputs: dict[str, Any], train: bool, mapping: Any, gradients: bool = False
) -> Any:
    theirs = FlopCounterMode(display=False, custom_mapping=mapping)
    with theirs, Counter(model) as ours, torch.set_grad_enabled(train or gradients):
        output = model(**inputs)
        if train:
            output.loss.backward()
    return theirs, ours


def test_there_are_enough_models() -> None:
    assert len(MODELS) >= 20


@pytest.mark.parametrize("name", MODELS)
def test_inference_counts_as_torch_and_parameters_as_the_model(name: str) -> None:
    model, inputs = run(name, False)
    known = {op: rule for op, rule in MISSING.items() if op not in flop_registry}
    theirs, ours = counted(model, inputs, False, known, name in NEEDS_GRADIENTS)
    assert ours.without_rule == []
    assert 2 * ours.macs == theirs.get_total_flops()
    params = sum(parameter.numel() for parameter in model.parameters())
    assert ours.inspection.metrics["params"].value == params
    assert count(model, inputs) == (ours.macs, params)


@pytest.mark.parametrize("name", MODELS)
def test_training_counts_as_torch(name: str) -> None:
    model, inputs = run(name, True)
    known = {op: rule for op, rule in MISSING.items() if op not in flop_registry}
    theirs, ours = counted(model, inputs, True, known)
    assert ours.without_rule == []
    if name in GROUPED:
        assert 2 * ours.macs < theirs.get_total_flops()
    else:
        assert 2 * ours.macs == theirs.get_total_flops()


def test_torch_leaves_attention_on_the_cpu_out() -> None:
    model, inputs = run("llama", False)
    theirs, ours = counted(model, inputs, False, {})
    attention = 2 * 2 * 2 * 4 * 16 * 16 * 16
    assert 2 * ours.macs - theirs.get_total_flops() == attention


def test_torch_counts_gradients_of_grouped_convolutions_too_often() -> None:
    layer = nn.Conv2d(8, 8, 3, groups=8, bias=False)
    x = torch.randn(1, 8, 6, 6, requires_grad=True)
    with FlopCounterMode(display=False) as theirs, Counter() as ours:
        layer(x).sum().backward()
    forward = 8 * 4 * 4 * 9
    assert ours.macs == 3 * forward
    assert theirs.get_total_flops() == 2 * (forward + forward + 8 * forward)
