"""Counting without running: the same numbers, no data, no memory."""

from __future__ import annotations

import resource
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch")

from torch import nn

import jouletree as jt
from jouletree.torch import Counter, count, inspect_training, record, record_training
from jouletree.torch.fake import record_fake
from jouletree.torch.runs import TrainingStep


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.embed = nn.Embedding(50, 16)
        self.lstm = nn.LSTM(16, 16, batch_first=True)
        self.attend = nn.MultiheadAttention(16, 4, batch_first=True)
        self.conv = nn.Conv1d(16, 8, 3)
        self.norm = nn.BatchNorm1d(8)
        self.head = nn.Linear(8, 3)

    def forward(self, ids: Any) -> Any:
        # A fast path of torch is not for tensors without data; what it counts is tested below.
        torch.backends.mha.set_fastpath_enabled(False)
        x, _ = self.lstm(self.embed(ids))
        x, _ = self.attend(x, x, x, need_weights=False)
        return self.head(torch.relu(self.norm(self.conv(x.transpose(1, 2)))).mean(2))


def described(recording: Any) -> list[Any]:
    return [(call.phase, call.name, call.path, shapes(call)) for call in recording.calls]


def shapes(call: Any) -> list[Any]:
    """Of all results but the working memory of recurrent layers, which depends on the machine."""
    tensors = [one["tensor"][1:3] for one in call.outputs if isinstance(one, dict)]
    return [one for one in tensors if one[0] != "uint8"]


IDS = torch.randint(0, 50, (2, 12))


@pytest.mark.parametrize("train", [False, True])
def test_a_fake_run_makes_the_calls_of_a_real_one(train: bool) -> None:
    net = Net().train(train)
    assert described(record_fake(net, IDS)) == described(record(net, IDS))


@pytest.mark.parametrize("kind", ["SGD", "AdamW"])
def test_a_fake_training_step_makes_the_calls_of_a_real_one(kind: str) -> None:
    net = Net()
    optimizer = getattr(torch.optim, kind)(net.parameters(), lr=0.1)
    loss, target = nn.CrossEntropyLoss(), torch.tensor([0, 2])
    fake = record_fake(net, IDS, step=TrainingStep(loss, target, optimizer))
    real = record_training(net, IDS, loss=loss, target=target, optimizer=optimizer)
    assert described(fake) == described(real)
    assert fake.fake and not real.fake


@pytest.fixture(autouse=True)
def fast_path() -> Any:
    yield
    torch.backends.mha.set_fastpath_enabled(True)


def test_the_fast_path_of_attention_counts_as_its_parts() -> None:
    encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(32, 4, 64, batch_first=True), 2)
    x = torch.randn(2, 10, 32)
    with torch.no_grad(), Counter(encoder.eval()) as counter:
        encoder(x)
    assert counter.recording.calls[0].name == "aten::_transformer_encoder_layer_fwd"
    assert counter.macs == count(encoder, x)[0]


def test_a_model_on_the_meta_device_counts_as_on_the_cpu() -> None:
    with torch.device("meta"):
        empty = Net()
    assert count(empty, IDS) == count(Net(), IDS)
    assert count(empty, IDS.to("meta")) == count(Net(), IDS)
    assert all(parameter.device.type == "meta" for parameter in empty.parameters())


def test_seventy_billion_parameters_take_no_memory() -> None:
    transformers = pytest.importorskip(
        "transformers", reason="transformers is not installed: pip install transformers"
    )
    config = transformers.LlamaConfig(
        vocab_size=128256, hidden_size=8192, intermediate_size=28672, num_hidden_layers=80,
        num_attention_heads=64, num_key_value_heads=8,
    )  # fmt: skip
    with torch.device("meta"):
        model = transformers.LlamaForCausalLM(config).eval()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    macs, params = count(model, {"input_ids": torch.zeros(1, 2048, dtype=torch.int64)})
    grown_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert params == 70_553_706_496
    products = params - 8192 * 128256 - 8192 * (2 * 80 + 1)  # All but embedding and norms.
    attention = 80 * 64 * 2048 * 2048 * 128 * 2
    assert macs == 2048 * products + attention
    assert grown_kib < 1_000_000


class Decides(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x: Any) -> Any:
        return self.fc(x) if x.sum().item() > 0 else x


class Picks(nn.Module):
    def forward(self, x: Any) -> Any:
        return x[x > 0].sum()


@pytest.mark.parametrize("model", [Decides(), Picks()])
def test_a_model_that_decides_by_content_is_run_once_and_says_so(model: Any) -> None:
    result = jt.inspect(model, torch.ones(2, 4))
    assert "because the model cannot be counted without running it" in result.notes[0]
    assert result.coverage.value == 1


def test_a_model_that_is_only_counted_says_so() -> None:
    result = jt.inspect(Net(), IDS)
    assert "without running the model" in result.notes[0]


def test_a_model_that_decides_by_content_cannot_be_counted_on_the_meta_device() -> None:
    with torch.device("meta"):
        empty = Decides()
    with pytest.raises(jt.BadInput, match="cannot be counted on the meta device"):
        count(empty, torch.ones(2, 4))
    assert empty.fc.weight.device.type == "meta"


@pytest.mark.parametrize(
    ("model", "given", "says"),
    [
        (nn.Linear(4, 4), torch.ones(2, 5), "RuntimeError.*shapes cannot be multiplied"),
        (nn.Linear(4, 4), torch.ones(2, 4, dtype=torch.int64), "RuntimeError.*dtype"),
        (nn.Linear(4, 4), "text", "TypeError"),
        (nn.Linear(4, 4), None, "TypeError.*'input'; give x, what the model is called with"),
        (nn.Module(), torch.ones(2), "NotImplementedError"),
    ],
)
@pytest.mark.parametrize("ask", [jt.inspect, count, inspect_training, jt.profile])
def test_what_a_model_raises_is_the_cause_of_the_error(
    model: Any, given: Any, says: str, ask: Any
) -> None:
    with pytest.raises(jt.BadInput, match=f"the model raised {says}") as caught:
        ask(model, given)
    assert caught.value.__cause__ is not None, "the traceback of the model is shown"
    assert not isinstance(caught.value.__cause__, jt.Error)


class Asks(nn.Module):  # type: ignore[misc]
    """Asks whether gradients are on; what it does then is up to `other`."""

    def __init__(self, other: bool) -> None:
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.other = other

    def forward(self, x: Any) -> Any:
        y = self.layer(x)
        return y.relu().exp() if torch.is_grad_enabled() and self.other else y.relu()


def test_a_model_is_counted_as_it_is_profiled() -> None:
    """Without gradients an encoder layer is one operator."""
    encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), 2)
    x = torch.randn(2, 5, 8)
    for model, given in ((encoder.eval(), x), (Asks(True), x[0, :, :4])):
        for gradients in (True, False):
            with torch.set_grad_enabled(gradients):
                counted = jt.inspect(model, given)
                profile = jt.profile(model, given, budget="1s", baseline=0, modules=False)
            assert counted.metrics["operators"] == profile.metrics["operators"]
            assert any("with gradients on" in note for note in counted.notes) == gradients
            assert torch.is_grad_enabled()


@pytest.mark.parametrize("model", [Asks(False), nn.Linear(4, 4), nn.LSTM(4, 4)])
def test_gradients_are_left_off_where_they_change_nothing(model: Any) -> None:
    x = torch.randn(3, 4)
    counted = jt.inspect(model, x)
    with torch.no_grad():
        without = jt.inspect(model, x)
    assert [one.type for one in counted.operators] == [one.type for one in without.operators]
    assert counted.notes == without.notes


def test_a_training_step_is_counted_with_all_its_phases() -> None:
    net = nn.Sequential(nn.Linear(8, 4, bias=False), nn.Linear(4, 2, bias=False))
    result = inspect_training(
        net,
        torch.ones(3, 8),
        loss=nn.MSELoss(),
        target=torch.zeros(3, 2),
        optimizer=torch.optim.SGD(net.parameters(), lr=0.1),
    )
    forward = 3 * (8 * 4 + 4 * 2)
    # The gradient of the input of the first layer is not asked for.
    assert result.metrics["macs"].value == forward * 2 + 3 * 4 * 2
    assert result.metrics["params"].value == 40
    assert result.coverage.value == 1
