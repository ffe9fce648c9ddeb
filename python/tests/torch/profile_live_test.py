"""`jouletree.profile` of live modules: what it finds, and that it leaves everything as it was."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import textwrap
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch")

import jouletree as jt
from jouletree.torch import inspect_training

QUICK: dict[str, Any] = {"budget": "1.5s", "baseline": 0}


class Two(torch.nn.Module):  # type: ignore[misc, name-defined]
    """Two linear layers, one with 64 times the work of the other."""

    def __init__(self) -> None:
        super().__init__()
        self.small = torch.nn.Linear(256, 256)
        self.act = torch.nn.ReLU()
        self.large = torch.nn.Linear(256, 16384)

    def forward(self, x: Any) -> Any:
        return self.large(self.act(self.small(x)))


@pytest.fixture(scope="module")
def inference() -> jt.Profile:
    torch.manual_seed(1)
    with torch.no_grad():
        return jt.profile(Two().eval(), torch.randn(32, 256), budget="4s", baseline=0)


@pytest.fixture(scope="module")
def training() -> jt.Profile:
    torch.manual_seed(1)
    model = Two().train()
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3, momentum=0.9)
    return jt.profile(
        model,
        torch.randn(32, 256),
        mode="train",
        optimizer=optimizer,
        loss=torch.nn.functional.mse_loss,
        target=torch.randn(32, 16384),
        budget="6s",
        baseline=0,
    )


def rows(profile: jt.Profile) -> dict[str, Any]:
    return {row["scope"]: row for row in json.loads(profile.to_json())["tree"]}


def test_the_larger_layer_takes_longer(inference: jt.Profile) -> None:
    # It has 64 times the work; a busy machine leaves little of that.
    modules = rows(inference)
    assert modules["large"]["time_s"] > modules["small"]["time_s"]
    assert modules["small"]["type"] == "Linear" and modules["small"]["kind"] == "module"
    assert modules["large.addmm"]["time_s"] > modules["small.addmm"]["time_s"]
    whole = inference.time.value
    assert whole is not None and modules["large"]["time_s"] < 10 * whole


def test_what_is_python_is_a_line_of_the_ledger(inference: jt.Profile) -> None:
    ledger = json.loads(inference.to_json())["ledger"]
    assert ledger["caller"] == "Python and dispatch"
    assert ledger["time_s"]["caller"]["provenance"] == "measured"
    assert ledger["failed"] == 0
    assert inference.ledger.caller == "Python and dispatch"
    assert inference.ledger.caller_time.value == ledger["time_s"]["caller"]["value"]
    assert inference.ledger.caller_energy.unit == "J"
    assert "Python and dispatch" in str(inference)
    assert "Attribution counts Python and dispatch" in str(inference)


def test_the_settings_say_how_the_model_ran(inference: jt.Profile, training: jt.Profile) -> None:
    settings = json.loads(inference.to_json())["environment"]["settings"]
    assert settings["mode"] == "inference" and settings["gradients"] == "off"
    assert settings["threads"] == "1" and settings["engine"].startswith("PyTorch ")
    assert json.loads(training.to_json())["environment"]["settings"]["mode"] == "train"


def test_a_training_step_has_phases_in_every_module(training: jt.Profile) -> None:
    modules = rows(training)
    whole = modules[""]["phases"]
    assert {"forward", "loss", "backward", "optimizer"} <= set(whole)
    large, small = modules["large"]["phases"], modules["small"]["phases"]
    for phase in ("forward", "backward", "optimizer"):
        assert large[phase]["time_s"] > small[phase]["time_s"] > 0, phase
    assert modules["act"]["phases"].keys() == {"forward", "backward"}
    assert "Phases of the step" in str(training)
    by_module = {node.scope: node for node in training.modules}
    forward = by_module["large"].phases["forward"]
    assert forward.time.value == large["forward"]["time_s"] and forward.time.unit == "s"
    assert by_module["large"].phases["backward"].energy.unit == "J"


def state_of(model: Any, optimizer: Any = None) -> list[Any]:
    state: list[Any] = [{name: value.clone() for name, value in model.state_dict().items()}]
    state.append([None if p.grad is None else p.grad.clone() for p in model.parameters()])
    state.append([(module.training, len(module._forward_hooks)) for module in model.modules()])
    state.append([p.requires_grad for p in model.parameters()])
    state.append((torch.get_rng_state(), torch.get_num_threads(), torch.is_grad_enabled()))
    if optimizer is not None:
        state.append(json.dumps(optimizer.state_dict(), default=lambda t: t.tolist()))
    return state


def same(a: Any, b: Any) -> bool:
    if isinstance(a, torch.Tensor):
        return bool(torch.equal(a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    return bool(a == b)


def trainable() -> tuple[Any, Any, Any]:
    """With dropout, running means, a frozen parameter, gradients and an optimiser with a past."""
    torch.manual_seed(5)
    model = torch.nn.Sequential(
        torch.nn.Linear(16, 16),
        torch.nn.BatchNorm1d(16),
        torch.nn.Dropout(),
        torch.nn.Linear(16, 4),
    )
    model[3].bias.requires_grad_(False)
    model[0].register_forward_hook(lambda *_given: None)
    optimizer = torch.optim.Adam([p for p in model.parameters() if p.requires_grad])
    x = torch.randn(8, 16)
    model(x).sum().backward()
    optimizer.step()
    model(x).mean().backward()
    return model, optimizer, x


@pytest.mark.parametrize("mode", ["inference", "train"])
def test_everything_is_left_as_it_was(mode: str) -> None:
    model, optimizer, x = trainable()
    before = state_of(model, optimizer)
    more = {"loss": lambda y: y.pow(2).mean(), "optimizer": optimizer} if mode == "train" else {}
    jt.profile(model, x, mode=mode, **QUICK, **more)
    assert same(state_of(model, optimizer), before)


def test_a_model_that_raises_shows_its_own_traceback() -> None:
    class Broken(torch.nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.layer = torch.nn.Linear(4, 4)

        def forward(self, x: Any) -> Any:
            self.layer(x)
            raise KeyError("no such head")

    model, x = Broken(), torch.randn(2, 4)
    before = state_of(model)
    with pytest.raises(jt.BadInput, match=r"the model raised KeyError.*no such head") as caught:
        jt.profile(model, x, **QUICK)
    assert isinstance(caught.value.__cause__, KeyError)
    assert caught.value.__cause__.__traceback__ is not None
    assert same(state_of(model), before)


def test_a_model_that_raises_later_is_left_as_it_was() -> None:
    class Moody(torch.nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.norm = torch.nn.BatchNorm1d(4)
            self.calls = 0

        def forward(self, x: Any) -> Any:
            self.calls += 1
            if self.calls > 3:
                raise RuntimeError("out of patience")
            return self.norm(x)

    model, x = Moody(), torch.randn(8, 4)
    before = state_of(model)
    with pytest.raises(jt.Error, match="out of patience"):
        jt.profile(model, x, **QUICK)
    assert same(state_of(model), before)
    assert model.calls == 0


def test_inputs_on_another_device_are_refused_before_anything_runs() -> None:
    model = torch.nn.Linear(4, 4)
    with pytest.raises(jt.BadInput, match=r"on meta and the model on cpu: move one of them"):
        jt.profile(model, torch.empty(2, 4, device="meta"), **QUICK)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"mode": "backwards"}, "it takes one of 'inference', 'train'"),
        ({"loss": lambda y: y}, "say mode='train'"),
        ({"mode": "train"}, "cannot be trained.*give loss="),
        ({"mode": "train", "loss": lambda y: y.detach().sum()}, "cannot be trained.*requires_grad"),
        ({"mode": "train", "loss": lambda y: y}, "it must be one number"),
        ({"mode": "train", "target": torch.zeros(1)}, "target needs a loss"),
        (
            {"mode": "train", "loss": lambda y: y.sum(), "optimizer": 3},
            "give a torch.optim.Optimizer",
        ),
        ({"threads": 0}, "threads is 0"),
    ],
)
def test_what_cannot_be_done_is_said(arguments: dict[str, Any], says: str) -> None:
    with pytest.raises(jt.BadInput, match=says):
        jt.profile(torch.nn.Linear(4, 4), torch.randn(2, 4), **QUICK, **arguments)


def test_an_optimizer_of_another_model_is_refused() -> None:
    other = torch.optim.SGD(torch.nn.Linear(4, 4).parameters(), lr=0.1)
    with pytest.raises(jt.BadInput, match="no parameter of the model"):
        jt.profile(
            torch.nn.Linear(4, 4),
            torch.randn(2, 4),
            mode="train",
            loss=lambda y: y.sum(),
            optimizer=other,
            **QUICK,
        )


def test_custom_arguments_data_dependent_shapes_and_odd_hooks_do_no_harm() -> None:
    class Options:
        __hash__ = None  # type: ignore[assignment]
        scale = 2.0

    class Picky(torch.nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.layer = torch.nn.Linear(8, 8)

        def forward(self, x: Any, options: Any, names: set[str]) -> Any:
            hidden = self.layer(x) * options.scale * len(names)
            return hidden[hidden > 0].sum(), torch.nonzero(hidden)

    model = Picky().eval()
    model.layer.register_forward_hook(lambda *_given: None)
    with torch.no_grad():
        profile = jt.profile(model, (torch.randn(16, 8), Options(), {"a", "b"}), **QUICK)
    assert json.loads(profile.to_json())["ledger"]["failed"] == 0
    assert {"layer"} <= set(rows(profile))


def test_a_model_that_returns_its_loss_needs_no_loss_function() -> None:
    class Own(torch.nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.layer = torch.nn.Linear(8, 2)

        def forward(self, x: Any, labels: Any) -> dict[str, Any]:
            scores = self.layer(x)
            return {"loss": torch.nn.functional.cross_entropy(scores, labels), "logits": scores}

    profile = jt.profile(
        Own(), {"x": torch.randn(4, 8), "labels": torch.tensor([0, 1, 1, 0])}, mode="train", **QUICK
    )
    phases = rows(profile)[""]["phases"]
    assert "backward" in phases and "optimizer" not in phases


def test_ctrl_c_ends_a_script_as_python_does() -> None:
    script = textwrap.dedent("""
        import os, signal, torch, jouletree
        model, calls = torch.nn.Linear(64, 64), []
        def press(*_):
            calls.append(1)
            if len(calls) == 50:
                os.kill(os.getpid(), signal.SIGINT)
        model.register_forward_hook(press)
        jouletree.profile(model, torch.randn(8, 64), budget="60s", baseline=0)
    """)
    ended = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False
    )
    assert ended.returncode == -signal.SIGINT, ended.stderr
    assert "KeyboardInterrupt" in ended.stderr


def test_an_optimizer_that_needs_a_closure_is_refused() -> None:
    model = torch.nn.Linear(4, 1)
    with pytest.raises(jt.BadInput, match="LBFGS runs the model inside its step"):
        jt.profile(
            model,
            torch.randn(2, 4),
            mode="train",
            loss=lambda y: y.sum(),
            optimizer=torch.optim.LBFGS(model.parameters()),
            **QUICK,
        )


def test_a_recurrent_layer_is_trained_as_a_whole_and_by_operators() -> None:
    class Recurrent(torch.nn.Module):  # type: ignore[misc, name-defined]
        """Its forward call keeps for its backward call only what gradients need."""

        def __init__(self) -> None:
            super().__init__()
            self.lstm = torch.nn.LSTM(8, 8, 2, batch_first=True)

        def forward(self, x: Any) -> Any:
            return self.lstm(x)[0]

    profile = jt.profile(
        Recurrent(), torch.randn(2, 4, 8), mode="train", loss=lambda y: y.pow(2).mean(), **QUICK
    )
    ledger = json.loads(profile.to_json())["ledger"]
    assert ledger["failed"] == 0 and ledger["caller"] == "Python, dispatch and autograd"
    assert {"forward", "backward"} <= set(rows(profile)["lstm"]["phases"])


def test_a_call_that_cannot_be_made_again_costs_its_own_row() -> None:
    inside: list[bool] = []

    @torch.library.custom_op("jouletree_test::only_inside", mutates_args=())  # type: ignore[misc]
    def only_inside(x: torch.Tensor) -> torch.Tensor:
        if not inside:
            raise RuntimeError("called from outside the model")
        return x + 1

    class Jealous(torch.nn.Module):  # type: ignore[misc, name-defined]
        def forward(self, x: Any) -> Any:
            inside.append(True)
            try:
                return only_inside(x.exp()).tanh()
            finally:
                inside.clear()

    # On a busy machine a small budget may be used up before the call has its turn.
    profile = jt.profile(Jealous(), torch.randn(64, 64), **{**QUICK, "budget": "8s"})
    failures = {one.type: one.failure for one in profile.operators}
    assert "called from outside the model" in (failures["only_inside"] or ""), failures
    assert [failure for kind, failure in failures.items() if kind != "only_inside"] == [None, None]
    assert profile.time.value is not None


@pytest.mark.parametrize("way", ["train", "inference", "inspect", "inspect_training"])
def test_a_graph_that_was_made_before_can_still_be_differentiated(way: str) -> None:
    model, optimizer, x = trainable()
    x.requires_grad_()
    step: dict[str, Any] = {
        "loss": torch.nn.functional.mse_loss,
        "target": torch.zeros(8, 4),
        "optimizer": optimizer,
    }
    loss = step["loss"](model(x), step["target"])
    if way == "train":
        jt.profile(model, x, mode="train", **step, **QUICK)
    elif way == "inference":
        jt.profile(model, x, **QUICK)
    elif way == "inspect":
        jt.inspect(model, x)
    else:
        inspect_training(model, x, **step)
    loss.backward()
    assert x.grad is not None
