"""Calls that are answered from memory are those that PyTorch would have answered."""

from __future__ import annotations

import gc
import json
import weakref
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch")

from torch import nn
from torch._subclasses.fake_tensor import FakeTensorMode

from jouletree.torch import TrainingStep, fake_calls
from jouletree.torch.fake import record_fake
from jouletree.torch.fake_tensors import FakeTensors


class Mixed(nn.Module):
    """Convolutions, normalisation, attention, many views, and code that asks for devices."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU(inplace=True))
        self.layers = nn.ModuleList(nn.TransformerEncoderLayer(8, 2, 16) for _ in range(3))
        self.gates = nn.LSTM(8, 4, batch_first=True)

    def forward(self, x: Any) -> Any:
        y = self.stem(x).flatten(2).transpose(1, 2)
        for layer in self.layers:
            y = layer(y) + torch.arange(y.shape[1], device=y.device)[:, None]
        y, _ = self.gates(y)
        first, second = y.chunk(2, dim=-1)
        return torch.roll(first * second[:, ::2].repeat_interleave(2, 1), 1).permute(2, 0, 1)[
            ..., 1:
        ]


def recorded(step: TrainingStep | None = None) -> dict[str, Any]:
    torch.manual_seed(1)
    model = Mixed().train(step is not None)
    x = torch.ones(2, 3, 8, 8)
    return dict(json.loads(record_fake(model, x, step=step).to_json()))


@pytest.mark.parametrize("step", [None, TrainingStep(torch.sum)], ids=["inference", "training"])
def test_what_is_remembered_is_what_was_found(
    monkeypatch: pytest.MonkeyPatch, step: TrainingStep | None
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(fake_calls.FakeCalls, "answer", lambda self, key: None)
        recorded(step)  # PyTorch's own memory makes a difference to what shares memory.
        asked = recorded(step)
    fake_calls._known.clear()
    cold = recorded(step)
    assert fake_calls._known
    warm = recorded(step)
    assert cold == asked
    assert warm == asked


def test_equal_shapes_with_other_strides_or_types_are_other_calls() -> None:
    model = nn.Identity()
    model.forward = lambda x: x + x  # type: ignore[method-assign]
    shapes = []
    for x in (torch.ones(4, 6), torch.ones(6, 4).t(), torch.ones(4, 6, dtype=torch.float64)):
        (call,) = record_fake(model, x).calls
        shapes.append(call.outputs[0]["tensor"][1:3])
    assert shapes == [["float32", [4, 6]], ["float32", [4, 6]], ["float64", [4, 6]]]


def test_tensors_that_share_memory_do_so_without_data() -> None:
    whole = nn.Parameter(torch.ones(4, 6))
    part = torch.ones(8)[2:6]
    fakes = FakeTensors(nn.Module())
    same, turned = fakes.of(whole), fakes.of(whole.detach().t())
    assert isinstance(same, nn.Parameter) and same.requires_grad and same.is_leaf
    assert same.untyped_storage()._cdata == turned.untyped_storage()._cdata
    assert turned.shape == (6, 4) and turned.stride() == (1, 6)
    assert fakes.of(whole) is same
    first, again = fakes.of(part), fakes.of(part[1:])
    assert first.untyped_storage()._cdata == again.untyped_storage()._cdata
    assert again.storage_offset() == 3
    assert fakes.of(torch.empty(0)).shape == (0,)
    assert isinstance(fakes.mode, FakeTensorMode)


def test_garbage_is_collected_again_afterwards() -> None:
    assert gc.isenabled()
    recorded()
    assert gc.isenabled()
    gc.disable()
    try:
        recorded()
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_tensors_are_made_as_their_constructor_makes_them() -> None:
    mode = FakeTensorMode()
    maker = fake_calls.FakeMaker(mode)
    for shape, dtype in (((2, 3), torch.float32), ((4,), torch.int64), ((), torch.bfloat16)):
        with torch.device("meta"):
            plain = torch.empty(shape, dtype=dtype)
        wanted = fake_calls.FakeTensor(mode, plain, torch.device("cpu"))
        for _ in range(2):  # The first one is made by the constructor.
            made = maker.make(plain, torch.device("cpu"))
            assert type(made) is type(wanted)
            assert made.__dict__ == wanted.__dict__
            assert (made.shape, made.dtype, made.device) == (shape, dtype, torch.device("cpu"))
            assert torch._C._dispatch_keys(made) == torch._C._dispatch_keys(wanted)
            assert made.requires_grad == wanted.requires_grad


def test_a_recording_is_freed_without_a_search_for_garbage() -> None:
    gc.collect()
    gc.disable()
    try:
        recording = weakref.ref(record_fake(nn.Linear(4, 4), torch.ones(2, 4)))
        assert recording() is None
    finally:
        gc.enable()
