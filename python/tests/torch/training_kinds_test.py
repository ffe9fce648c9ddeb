"""Training steps of many kinds of models and optimisers: everything runs again, and is left as it
was."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch")

from torch import nn
from training_kinds import (
    MODELS,
    OPTIMIZERS,
    ROWS,
    SEQUENCES,
    Checkpointed,
    First,
    equal,
    everything,
    square,
)

from jouletree.torch.engine import TorchEngine
from jouletree.torch.live_runs import InferenceRun, TrainingRun
from jouletree.torch.program import Context
from jouletree.torch.runs import TrainingStep
from jouletree.torch.trained_modules import TrainedModules


def run_all(engine: Any) -> list[Any]:
    """The whole, the program, every call and every module. Gives the workloads of modules."""
    calls = engine._recording.calls
    engine.take_operators(range(len(calls)), [1024] * len(calls))
    engine.prepare_whole(0.0)
    engine.prepare_program(0.0)
    for slot in ("whole", "program"):
        engine.run(slot, 2)
    engine.watch(1)
    for at in range(len(calls)):
        for context in (Context(), Context(8192, 8192)):
            engine.prepare_part([at], 2, 2, {}, None, context, 0.0)
            engine.run("part", 2)
    modules = []
    for path in {call.path for call in engine._recording.module_calls if call.path}:
        inside = [
            at
            for at, call in enumerate(calls)
            if call.path is not None and call.path[: len(path)] == path
        ]
        if len(inside) > 1:
            engine.prepare_part(inside, 2, 2, {}, None, Context(), 0.0)
            engine.run("part", 1)
            modules.append(engine._slots["part"])
    return modules


def check_training(
    model: Any,
    given: tuple[Any, ...],
    optimizer: Any,
    context: Callable[[], Any] = contextlib.nullcontext,
) -> None:
    step = TrainingStep(square, None, optimizer, context)
    with context():  # A model with gradients and an optimiser with a past.
        square(model(*given)).backward()
    optimizer.step()
    before = everything(model, optimizer)
    with TorchEngine(TrainingRun(model, given, {}, step)) as engine:
        modules = run_all(engine)
    assert equal(everything(model, optimizer), before)
    assert all(isinstance(one, TrainedModules) for one in modules)


@pytest.mark.parametrize("name", MODELS)
def test_a_step_runs_again_and_leaves_everything_as_it_was(name: str) -> None:
    torch.manual_seed(2)
    make, given = MODELS[name]
    model = make().train()
    check_training(model, given, OPTIMIZERS["SGD"](model.parameters()))


class Turning(nn.Module):  # type: ignore[misc]
    """Changes in place how tensors are shown."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, x: Any) -> Any:
        y = self.layer(x).unsqueeze_(1).squeeze_().t_().transpose_(0, 1).unsqueeze_(0)
        z = self.layer(y[0]).swapaxes_(0, 1).swapdims_(0, 1).squeeze_(1)
        return torch.relu(z.as_strided_((4, 2), (2, 1))).detach_() + self.layer(x)[:, :2]


@pytest.mark.parametrize("training", [True, False])
def test_what_changes_how_a_tensor_is_shown_runs_again(training: bool) -> None:
    model = Turning().train(training)
    if training:
        check_training(model, (ROWS,), OPTIMIZERS["SGD"](model.parameters()))
        return
    with torch.no_grad(), TorchEngine(InferenceRun(model, (ROWS,), {})) as engine:
        run_all(engine)
        (result,) = engine._whole_program().run()
        assert torch.equal(result, model(ROWS))
        names = {call.name for call in engine._recording.calls}
    assert {"aten::t_", "aten::transpose_", "aten::unsqueeze_", "aten::squeeze_"} <= names


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_every_optimizer_steps_again_and_forgets_it(name: str) -> None:
    torch.manual_seed(3)
    model = nn.Sequential(nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 4)).train()
    check_training(model, (ROWS,), OPTIMIZERS[name](model.parameters()))


def test_a_step_in_autocast_runs_again() -> None:
    torch.manual_seed(4)
    model = nn.Sequential(nn.Linear(8, 8), nn.LayerNorm(8), nn.Linear(8, 4)).train()
    check_training(
        model,
        (ROWS,),
        OPTIMIZERS["AdamW"](model.parameters()),
        lambda: torch.autocast("cpu", dtype=torch.bfloat16),
    )


@pytest.mark.parametrize("name", MODELS)
def test_inference_with_gradients_runs_again(name: str) -> None:
    torch.manual_seed(5)
    make, given = MODELS[name]
    model = make().eval()
    before = everything(model, None)
    with TorchEngine(InferenceRun(model, given, {})) as engine:
        run_all(engine)
    assert equal(everything(model, None), before)


def trained_alone(model: Any, given: tuple[Any, ...], module: Any) -> dict[str, int]:
    """Forward and backward calls of a module while it is trained alone, per run."""
    optimizer = OPTIMIZERS["SGD"](model.parameters())
    run = TrainingRun(model.train(), given, {}, TrainingStep(square, None, optimizer))
    with TorchEngine(run) as engine:
        calls = engine._recording.calls
        engine.take_operators(range(len(calls)))
        (path,) = {call.path for call in engine._recording.module_calls if call.module is module}
        inside = [
            at
            for at, call in enumerate(calls)
            if call.path is not None and call.path[: len(path)] == path
        ]
        engine.prepare_part(inside, 1, 1, {}, None, Context(), 0.0)
        from torch.utils._python_dispatch import TorchDispatchMode

        class Count(TorchDispatchMode):  # type: ignore[misc]
            def __init__(self) -> None:
                super().__init__()
                self.seen: dict[str, int] = {}

            def __torch_dispatch__(
                self, func: Any, types: Any, args: Any = (), kwargs: Any = None
            ) -> Any:
                name = func._schema.name
                self.seen[name] = self.seen.get(name, 0) + 1
                return func(*args, **(kwargs or {}))

        with Count() as count, engine._quiet(engine._slots["part"]):
            engine._slots["part"].run(1)
    recorded: dict[str, int] = {}
    for at in inside:
        recorded[calls[at].name] = recorded.get(calls[at].name, 0) + 1
    ignored = {"aten::detach", "aten::clone", "aten::view"}
    assert {k: v for k, v in count.seen.items() if k not in ignored} == {
        k: v for k, v in recorded.items() if k not in ignored
    }
    return count.seen


def test_a_module_trained_alone_makes_the_calls_of_the_step() -> None:
    torch.manual_seed(6)
    model = nn.Sequential(nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 4))
    seen = trained_alone(model, (ROWS,), model[2])
    assert seen["aten::addmm"] == 1 and seen["aten::mm"] == 2, "gradients of input and weight"
    first = trained_alone(model, (ROWS,), model[0])
    assert first["aten::mm"] == 1, "nobody wants the gradient of the model's own input"


@pytest.mark.parametrize("reentrant", [False, True])
def test_a_checkpointed_module_runs_forward_twice(reentrant: bool) -> None:
    torch.manual_seed(7)
    model = Checkpointed(reentrant)
    seen = trained_alone(model, (ROWS,), model.kept[0])
    assert seen["aten::addmm"] == 2 and seen["aten::mm"] == 2


def test_results_that_nobody_uses_get_no_gradient() -> None:
    torch.manual_seed(8)
    model = First(nn.LSTMCell(8, 8))
    optimizer = OPTIMIZERS["SGD"](model.parameters())
    run = TrainingRun(model.train(), (ROWS,), {}, TrainingStep(square, None, optimizer))
    with TorchEngine(run) as engine:
        (call,) = [one for one in engine._recording.module_calls if one.module is model.inner]
        assert 0 in call.differentiated
    whole = First(nn.LSTM(8, 8, batch_first=True))
    run = TrainingRun(whole.train(), (SEQUENCES,), {}, TrainingStep(square, None, None))
    with TorchEngine(run) as engine:
        (call,) = [one for one in engine._recording.module_calls if one.module is whole.inner]
        assert call.differentiated == {0}, "the last states are not used"
