"""What a model stores stays in it while it is counted, and nothing ever happens to it."""

from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch")

from torch import nn
from torch._subclasses.fake_tensor import FakeTensor

from jouletree.torch import fake, record
from jouletree.torch.fake import record_fake


class Seen(nn.Module):  # type: ignore[misc]
    """Notes what its weight is in each of its calls, and does something with it."""

    def __init__(self, does: Any = None) -> None:
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.register_buffer("times", torch.tensor([2.0]))
        self.does = does

    def forward(self, x: Any) -> Any:
        _kinds.append(type(self.fc.weight))
        if self.does is not None:
            self.does(self)
        return self.fc(x)


_kinds: list[type] = []


@pytest.fixture(autouse=True)
def no_kinds() -> None:
    _kinds.clear()


def write(model: Any) -> None:
    with torch.no_grad():
        model.fc.weight.mul_(2)


def write_to_view(model: Any) -> None:
    with torch.no_grad():
        model.fc.weight.view(-1).add_(1)


def write_to_data(model: Any) -> None:
    model.fc.weight.data.clamp_(-0.1, 0.1)


def set_data(model: Any) -> None:
    model.fc.weight.data = model.fc.weight.data * 0.5


def differentiate(model: Any) -> None:
    with torch.enable_grad():
        model.fc(torch.ones(1, 4)).sum().backward()


def copy_into(model: Any) -> None:
    torch.mul(model.times, 3, out=model.times)


WRITERS = [write, write_to_view, write_to_data, set_data, differentiate, copy_into]


def calls_of(recording: Any) -> list[Any]:
    return [(one.name, one.path, [out["tensor"][1:3] for out in one.outputs])
            for one in recording.calls]  # fmt: skip


def test_a_model_that_only_reads_is_counted_with_what_it_stores() -> None:
    model = Seen()
    recording = record_fake(model, torch.ones(2, 4))
    assert _kinds == [nn.Parameter]
    assert calls_of(recording) == calls_of(record(model, torch.ones(2, 4)))


@pytest.mark.parametrize("does", WRITERS)
@pytest.mark.parametrize("times", [1, 2])
def test_a_model_that_writes_is_counted_without_data(does: Any, times: int) -> None:
    model = Seen(does)
    held = {name: one.clone() for name, one in model.state_dict().items()}
    wanted = calls_of(record(model, torch.ones(2, 4)))
    for _ in range(times):
        _kinds.clear()
        recording = record_fake(model, torch.ones(2, 4))
        assert _kinds == [nn.Parameter, FakeTensor]
        assert calls_of(recording) == wanted
    assert type(model.fc.weight) is nn.Parameter and model.fc.weight.grad is None
    for name, one in model.state_dict().items():
        assert torch.equal(one, held[name]), name
    assert model(torch.ones(2, 4)).isfinite().all()


def test_views_of_a_weight_are_in_its_memory() -> None:
    for _ in range(2):  # The second time from memory.
        recording = record_fake(nn.Linear(4, 4), torch.ones(2, 4))
        weight = recording.stored[0]["tensor"]
        (turned,) = (one for one in recording.calls if one.name == "aten::t")
        assert turned.arguments[0]["tensor"] == weight
        assert turned.outputs[0]["tensor"][3] == weight[3]
        assert turned.outputs[0]["tensor"][0] != weight[0]


def test_content_that_is_read_is_that_of_the_model() -> None:
    class Repeats(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("times", torch.tensor([3.0]))

        def forward(self, x: Any) -> Any:
            for _ in range(int(self.times.tolist()[0])):
                x = x + 1
            return x

    assert len(record_fake(Repeats(), torch.ones(2)).calls) == 3


def test_casts_of_weights_do_not_stay_in_the_autocast_of_the_user() -> None:
    model, x = nn.Linear(4, 4), torch.ones(2, 4)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        names = [one.name for one in record_fake(model, x).calls]
        assert type(model(x)) is torch.Tensor
        assert [one.name for one in record_fake(model, x).calls] == names


def test_a_model_that_cannot_tell_without_data_is_asked_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fake, "_recorded_without_data", lambda *_: pytest.fail("asked again"))
    model = Seen(lambda model: model.times.item())
    with pytest.raises(RuntimeError):
        record_fake(model, torch.ones(2, 4))
    assert _kinds == [nn.Parameter]
