"""Models that torch.compile made: the whole and the modules run as compiled."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch")

from torch import nn

import jouletree as jt
from jouletree.torch.engine import TorchEngine
from jouletree.torch.live_runs import InferenceRun, TrainingRun
from jouletree.torch.program import Context
from jouletree.torch.runs import TrainingStep

X = torch.randn(4, 16, generator=torch.Generator().manual_seed(1))


class Net(nn.Module):  # type: ignore[misc]
    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(16, 16), nn.GELU(), nn.Linear(16, 16))
        self.head = nn.Linear(16, 2)

    def forward(self, x: Any) -> Any:
        return self.head(self.body(x)).sigmoid()


class Backend:
    """A compiler that changes nothing and counts how often its functions run."""

    def __init__(self) -> None:
        self.runs = 0

    def __call__(self, graph: Any, _examples: Any) -> Callable[..., Any]:
        def run(*given: Any) -> Any:
            self.runs += 1
            return graph.forward(*given)

        return run


@pytest.fixture
def backend() -> Iterator[Backend]:
    torch.compiler.reset()
    yield Backend()
    torch.compiler.reset()


def wrapped(backend: Backend) -> tuple[Any, Any]:
    model = Net().eval()
    return torch.compile(model, backend=backend), model


def in_place(backend: Backend) -> tuple[Any, Any]:
    model = Net().eval()
    model.compile(backend=backend)
    return model, model


def calls_of(engine: Any, module: Any) -> list[int]:
    (path,) = {call.path for call in engine._recording.module_calls if call.module is module}
    return [
        at
        for at, call in enumerate(engine._recording.calls)
        if call.path is not None and call.path[: len(path)] == path
    ]


def compiled_runs(engine: Any, backend: Backend, module: Any, sets: int = 1) -> int:
    """How many compiled functions run when a module runs alone ten times."""
    engine.prepare_part(calls_of(engine, module), sets, sets, {}, None, Context(), 0.0)
    before = backend.runs
    engine.run("part", 10)
    return (backend.runs - before) // sets


@pytest.mark.parametrize("compiled", [wrapped, in_place])
def test_whole_and_modules_run_compiled(
    compiled: Callable[[Backend], tuple[Any, Any]], backend: Backend
) -> None:
    called, model = compiled(backend)
    fields = {name: set(module.__dict__) for name, module in model.named_modules()}
    with torch.no_grad(), TorchEngine(InferenceRun(called, (X,), {})) as engine:
        engine.take_operators(range(len(engine._calls)))
        assert engine.settings()["compiled"] == "yes"
        engine.prepare_whole(0.0)
        before = backend.runs
        engine.run("whole", 5)
        assert backend.runs == before + 5
        assert compiled_runs(engine, backend, model.body) == 10, "one function for all inside it"
        assert compiled_runs(engine, backend, model.head) == 10
        assert compiled_runs(engine, backend, model.body, 3) == 10, "so do copies of the weights"
    assert fields == {name: set(module.__dict__) for name, module in model.named_modules()}


def test_a_compiled_submodule_runs_compiled_and_others_do_not(backend: Backend) -> None:
    model = Net().eval()
    body = model.body
    model.body = torch.compile(body, backend=backend)
    with torch.no_grad(), TorchEngine(InferenceRun(model, (X,), {})) as engine:
        engine.take_operators(range(len(engine._calls)))
        assert engine.settings()["compiled"] == "yes"
        assert compiled_runs(engine, backend, body) == 10
        assert compiled_runs(engine, backend, body[0]) == 10, "inside the compiled one"
        assert compiled_runs(engine, backend, model.head) == 0
    assert model.body._orig_mod is body


def test_many_modules_of_a_class_all_run_compiled(backend: Backend) -> None:
    """The compiler gives a function up after eight shapes, unless it is told otherwise."""
    layers = [nn.Linear(8 + i, 9 + i) for i in range(12)]
    model = nn.Sequential(*layers).eval()
    called = torch.compile(model, backend=backend)
    with torch.no_grad(), TorchEngine(InferenceRun(called, (torch.ones(2, 8),), {})) as engine:
        engine.take_operators(range(len(engine._calls)))
        assert [compiled_runs(engine, backend, layer) for layer in layers] == [10] * 12


def test_modules_of_a_compiled_model_train_compiled(backend: Backend) -> None:
    model = Net().train()
    called = torch.compile(model, backend=backend)
    step = TrainingStep(lambda y: y.pow(2).mean(), None, torch.optim.SGD(model.parameters()))
    before = [parameter.clone() for parameter in model.parameters()]
    with TorchEngine(TrainingRun(called, (X,), {}, step)) as engine:
        engine.take_operators(range(len(engine._calls)))
        assert compiled_runs(engine, backend, model.body) == 10
    assert all(torch.equal(a, b) for a, b in zip(model.parameters(), before, strict=True))


def test_the_view_says_what_was_compiled(backend: Backend) -> None:
    called, _ = wrapped(backend)
    with torch.no_grad():
        profile = jt.profile(called, X, budget="1.5s", baseline=0)
    written = json.loads(profile.to_json())
    assert "caller" not in written["ledger"]
    assert "operators are those of the uncompiled graph" in str(profile)
    rows = {row["scope"]: row for row in written["tree"]}
    assert {"body", "head"} <= set(rows), "names are those of the model, not of its wrapper"
