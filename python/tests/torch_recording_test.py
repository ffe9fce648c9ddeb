"""What the recorder sees of live modules: calls, modules, phases, arguments."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch")

from torch import nn
from torch.utils.checkpoint import checkpoint

from jouletree.torch import Recording, TrainingError, record, record_training
from jouletree.torch.recording import RecordedCall


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x: Any, *, scale: Any = None) -> Any:
        y = torch.relu(self.fc(x))
        return y if scale is None else y * scale


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList([Block(), Block()])
        self.head = nn.Sequential(nn.LayerNorm(4), nn.Linear(4, 3))

    def forward(self, x: Any) -> Any:
        for layer in self.layers:
            x = layer(x) + x
        return self.head(x)


def calls_named(recording: Recording, name: str, phase: str = "forward") -> list[RecordedCall]:
    return [one for one in recording.calls if one.name == name and one.phase == phase]


def paths(recording: Recording, name: str, phase: str = "forward") -> list[Any]:
    return [one.path for one in calls_named(recording, name, phase)]


FIRST = ("layers(ModuleList)", "0(Block)", "fc(Linear)")
SECOND = ("layers(ModuleList)", "1(Block)", "fc(Linear)")
HEAD = ("head(Sequential)", "1(Linear)")


def test_calls_carry_the_path_of_the_innermost_module() -> None:
    recording = record(Net(), torch.randn(2, 4))
    assert paths(recording, "aten::addmm") == [FIRST, SECOND, HEAD]
    assert paths(recording, "aten::relu") == [FIRST[:2], SECOND[:2]]
    assert paths(recording, "aten::add") == [(), ()]


def test_the_json_has_all_arguments_in_the_order_of_the_signature() -> None:
    net = Net()
    content = json.loads(record(net, torch.randn(2, 4)).to_json())
    assert [one["name"] for one in content["stored"]] == [
        name for name, _ in net.named_parameters()
    ]
    assert content["inputs"][0]["name"] == "x"
    product = next(call for call in content["calls"] if call["op"] == "aten::addmm")
    assert product["overload"] == "default"
    assert product["phase"] == "forward"
    assert product["path"] == list(FIRST)
    bias, x, weight, beta, alpha = product["args"]
    assert (beta, alpha) == (1, 1)
    assert x["tensor"] == content["inputs"][0]["value"]["tensor"]
    assert weight["tensor"][2] == [4, 4]
    stored = {one["name"]: one["tensor"] for one in content["stored"]}
    assert bias["tensor"] == stored["layers.0.fc.bias"]
    # The transposed weight is another tensor in the same memory.
    assert weight["tensor"][0] != stored["layers.0.fc.weight"][0]
    assert weight["tensor"][3] == stored["layers.0.fc.weight"][3]


def test_numbers_of_tensors_are_never_used_again() -> None:
    class Loop(nn.Module):
        def forward(self, x: Any) -> Any:
            for _ in range(50):
                x = x * 2  # Each result may get the memory of the one before the last.
            return x

    recording = record(Loop(), torch.randn(64))
    numbers = [call.outputs[0]["tensor"][0] for call in recording.calls]
    assert len(set(numbers)) == 50


def test_a_call_in_place_keeps_the_number_and_says_that_it_writes() -> None:
    recording = record(nn.Sequential(nn.Linear(4, 4), nn.ReLU(inplace=True)), torch.randn(2, 4))
    product, relu = calls_named(recording, "aten::addmm")[0], recording.calls[-1]
    assert relu.writes and not product.writes
    assert relu.outputs[0]["tensor"][0] == product.outputs[0]["tensor"][0]


def test_backward_calls_belong_to_the_module_of_their_forward_call() -> None:
    recording = record_training(
        Net(), torch.randn(2, 4), loss=nn.CrossEntropyLoss(), target=torch.tensor([0, 2])
    )
    products = paths(recording, "aten::mm", "backward")
    # The gradient of the input is not asked for, so the first layer has one product only.
    assert products == [HEAD, HEAD, SECOND, SECOND, FIRST]
    assert paths(recording, "aten::threshold_backward", "backward") == [SECOND[:2], FIRST[:2]]
    assert paths(recording, "aten::nll_loss_forward", "loss") == [("loss(CrossEntropyLoss)",)]
    assert paths(recording, "aten::nll_loss_backward", "backward") == [("loss(CrossEntropyLoss)",)]


def test_a_call_that_belongs_to_no_module_has_no_path() -> None:
    recording = record_training(Net(), torch.randn(2, 4), loss=lambda y: y.pow(2).mean())
    assert paths(recording, "aten::ones_like", "backward") == [None]
    assert paths(recording, "aten::mean", "loss") == [None]
    written = [call.to_json() for call in recording.calls if call.path is None]
    assert written and all("path" not in one for one in written)


@pytest.mark.parametrize("reentrant", [False, True])
def test_what_a_checkpoint_runs_again_belongs_to_its_module_and_to_backward(
    reentrant: bool,
) -> None:
    class Checkpointed(Net):
        def forward(self, x: Any) -> Any:
            for layer in self.layers:
                x = checkpoint(layer, x, use_reentrant=reentrant)
            return self.head(x)

    recording = record_training(
        Checkpointed(), torch.randn(2, 4, requires_grad=True), loss=lambda y: y.sum()
    )
    assert paths(recording, "aten::addmm") == [FIRST, SECOND, HEAD]
    assert paths(recording, "aten::addmm", "backward") == [SECOND, FIRST]
    assert set(paths(recording, "aten::mm", "backward")) == {HEAD, SECOND, FIRST}


def test_optimizer_calls_belong_to_the_owner_of_the_parameter() -> None:
    net = Net()
    optimizer = torch.optim.AdamW(net.parameters(), foreach=False)
    recording = record_training(net, torch.randn(2, 4), loss=lambda y: y.sum(), optimizer=optimizer)
    updates = paths(recording, "aten::addcdiv_", "optimizer")
    norm = ("head(Sequential)", "0(LayerNorm)")
    assert updates == [FIRST, FIRST, SECOND, SECOND, norm, norm, HEAD, HEAD]
    # A steady step, not the first one, which makes the state.
    assert not calls_named(recording, "aten::zeros_like", "optimizer")


def test_an_optimizer_call_on_many_parameters_belongs_to_no_module() -> None:
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, foreach=True)
    recording = record_training(net, torch.randn(2, 4), loss=lambda y: y.sum(), optimizer=optimizer)
    step = calls_named(recording, "aten::_foreach_add_", "optimizer")
    assert [one.path for one in step] == [None]
    assert len(step[0].outputs[0]) == len(list(net.parameters()))  # What it changed.


def test_a_shared_module_is_recorded_every_time_it_is_called() -> None:
    class Shared(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.a = nn.Linear(4, 4)
            self.b = nn.Sequential(self.a)

        def forward(self, x: Any) -> Any:
            return self.b(self.a(self.a(x)))

    recording = record(Shared(), torch.randn(2, 4))
    alone, below = ("a(Linear)",), ("b(Sequential)", "0(Linear)")
    assert paths(recording, "aten::addmm") == [alone, alone, below]
    assert len(recording.stored) == 2


def test_tied_weights_are_stored_once() -> None:
    class Tied(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.embed = nn.Embedding(10, 4)
            self.out = nn.Linear(4, 10, bias=False)
            self.out.weight = self.embed.weight

        def forward(self, x: Any) -> Any:
            return self.out(self.embed(x))

    recording = record(Tied(), torch.tensor([1, 2]))
    assert [one["name"] for one in recording.stored] == ["embed.weight"]


def test_modules_called_by_other_methods_still_name_those_inside() -> None:
    class Coder(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.fc = nn.Linear(4, 4)

        def encode(self, x: Any) -> Any:
            return torch.tanh(self.fc(x))

    class Whole(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.coder = Coder()

        def forward(self, x: Any) -> Any:
            return self.coder.encode(x)

    recording = record(Whole(), torch.randn(2, 4))
    assert paths(recording, "aten::addmm") == [("coder(Coder)", "fc(Linear)")]
    assert paths(recording, "aten::tanh") == [()]


@dataclass
class Output:
    logits: torch.Tensor
    hidden: list[torch.Tensor]


class Odd:
    """An argument that torch knows nothing about, one of many that know each other."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, friends: int = 20) -> None:
        self.friends = [Odd(0) for _ in range(friends)]
        for friend in self.friends:
            friend.friends = [self, *self.friends]


class Flexible(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.block = Block()

    def forward(self, pair: Any, options: Any = None, *, scale: Any, odd: Any = None) -> Output:
        y = self.block(pair[0] + pair[1]["x"], scale=scale)
        return Output(y, [y, y * options["factor"]])


def test_nested_named_and_odd_arguments_and_dataclass_outputs_work() -> None:
    inputs = {
        "pair": (torch.ones(2, 4), {"x": torch.ones(2, 4)}),
        "options": {"factor": 3},
        "scale": torch.tensor(2.0),
        "odd": Odd(),
    }
    recording = record(Flexible(), inputs)
    assert [one["name"] for one in recording.inputs] == ["pair.0", "pair.1.x", "scale"]
    assert len(recording.outputs) == 3


class Marked(torch.Tensor):
    """A subclass that only carries a name."""


class Wrapped(torch.Tensor):
    """A subclass that holds another tensor and runs calls on it itself."""

    inner: torch.Tensor

    @staticmethod
    def __new__(cls, inner: torch.Tensor) -> Wrapped:
        made = torch.Tensor._make_wrapper_subclass(cls, inner.shape, dtype=inner.dtype)
        made.inner = inner
        return made

    @classmethod
    def __torch_dispatch__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        plain = [one.inner if isinstance(one, Wrapped) else one for one in args]
        result = func(*plain, **(kwargs or {}))
        return cls(result) if isinstance(result, torch.Tensor) else result


@pytest.mark.parametrize("kind", [lambda x: x.as_subclass(Marked), Wrapped])
def test_tensor_subclasses_do_not_disturb(kind: Any) -> None:
    recording = record(nn.ReLU(), kind(torch.randn(2, 4)), keep_arguments=True)
    assert [call.name for call in recording.calls] == ["aten::relu"]
    assert recording.calls[0].outputs[0]["tensor"][2] == [2, 4]


def test_kept_arguments_replay_every_call() -> None:
    net = Net()
    recording = record_training(
        net,
        torch.randn(2, 4),
        loss=lambda y: y.sum(),
        optimizer=torch.optim.SGD(net.parameters(), lr=0.0),
        keep_arguments=True,
    )
    for call in recording.calls:
        assert call.live is not None
        result = call.operator(*call.live.args, **call.live.kwargs)
        if isinstance(result, torch.Tensor):
            assert list(result.shape) == call.outputs[0]["tensor"][2]
            assert result.grad_fn is None
    module_calls = [(one.path, one.first, one.last) for one in recording.module_calls]
    assert module_calls[0][0] == ()
    assert all(first <= last for _, first, last in module_calls)
    assert recording.module_calls[1].args is not None


def test_without_kept_arguments_nothing_is_kept() -> None:
    recording = record(Net(), torch.randn(2, 4))
    assert all(call.live is None for call in recording.calls)
    assert all(call.args is None for call in recording.module_calls)


def test_inference_mode_shows_the_same_calls() -> None:
    net, x = Net(), torch.randn(2, 4)
    usual = [(call.name, call.path) for call in record(net, x).calls]
    with torch.inference_mode():
        inside = [(call.name, call.path) for call in record(net, x).calls]
    assert inside == usual


def test_models_that_other_threads_run_are_left_out() -> None:
    elsewhere = Net()

    class Waits(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.fc = nn.Linear(4, 4)

        def forward(self, x: Any) -> Any:
            other = threading.Thread(target=elsewhere, args=(x,))
            other.start()
            other.join()
            return self.fc(x)

    recording = record(Waits(), torch.randn(2, 4))
    assert [call.path for call in recording.calls] == [("fc(Linear)",)] * 2
    assert [one["name"] for one in recording.stored] == ["fc.weight", "fc.bias"]
    assert len(recording.module_calls) == 2


def test_gradients_leave_the_callers_grad_mode() -> None:
    class Asks(nn.Module):
        def forward(self, x: Any) -> Any:
            return x + 1 if torch.is_grad_enabled() else x * 1

    x = torch.ones(1)
    assert record(Asks(), x).calls[0].name == "aten::mul"
    assert record(Asks(), x, gradients=True).calls[0].name == "aten::add"


def test_exported_programs_know_their_modules() -> None:
    exported = torch.export.export(Net().eval(), (torch.randn(2, 4),))
    recording = record(exported, torch.randn(2, 4))
    products = [one.path for one in recording.calls if one.name == "aten::addmm"]
    names = [tuple(step.split("(")[0] for step in path or ()) for path in products]
    assert names == [("layers", "0", "fc"), ("layers", "1", "fc"), ("head", "1")]


def test_scripted_modules_are_recorded() -> None:
    scripted = torch.jit.trace(nn.Sequential(nn.Linear(4, 4), nn.ReLU()), torch.randn(2, 4))
    names = [call.name for call in record(scripted, torch.randn(2, 4)).calls]
    assert names == ["aten::t", "aten::addmm", "aten::relu"]


def test_compiled_modules_are_recorded_as_they_were_written() -> None:
    net = Net()
    x = torch.randn(2, 4)
    compiled = torch.compile(net, backend="eager")
    assert [(one.name, one.path) for one in record(compiled, x).calls] == [
        (one.name, one.path) for one in record(net, x).calls
    ]


def test_what_a_model_raises_comes_out_as_it_is() -> None:
    class Broken(nn.Module):
        def forward(self, x: Any) -> Any:
            raise KeyError("no such layer")

    with pytest.raises(KeyError, match="no such layer"):
        record(Broken(), torch.ones(1))
    assert nn.Module.__call__.__name__ == "_wrapped_call_impl"
    assert nn.Module._call_impl.__name__ == "_call_impl"
    assert nn.Module._compiled_call_impl is None


@pytest.mark.parametrize(
    ("model", "loss", "sentence"),
    [
        (nn.Linear(4, 2), None, "the model returned no loss"),
        (nn.Linear(4, 2), lambda y: y, r"the loss has the shape \[2, 2\]"),
        (nn.Linear(4, 2), lambda y: y.detach().sum(), "depends on no parameter"),
        (nn.Linear(4, 2), lambda y: 3.0, "returned float, not a tensor"),
    ],
)
def test_a_model_that_cannot_be_trained_gets_a_clear_error(
    model: Any, loss: Any, sentence: str
) -> None:
    with pytest.raises(TrainingError, match=sentence):
        record_training(model, torch.randn(2, 4), loss=loss)
