"""Training steps of many kinds of models and optimisers: everything runs again, and is left as it
was."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch")

from torch import nn
from torch.utils.checkpoint import checkpoint

from jouletree.torch.engine import TorchEngine
from jouletree.torch.live_runs import InferenceRun, TrainingRun
from jouletree.torch.runs import TrainingStep
from jouletree.torch.trained_modules import TrainedModules


class First(nn.Module):  # type: ignore[misc]
    """Gives the first result of a module that has several."""

    def __init__(self, inner: Any) -> None:
        super().__init__()
        self.inner = inner

    def forward(self, *given: Any) -> Any:
        return self.inner(*given)[0]


class Packed(nn.Module):  # type: ignore[misc]
    def __init__(self, inner: Any) -> None:
        super().__init__()
        self.inner = inner

    def forward(self, x: Any, lengths: Any) -> Any:
        packed = nn.utils.rnn.pack_padded_sequence(x, lengths, True, enforce_sorted=False)
        return nn.utils.rnn.pad_packed_sequence(self.inner(packed)[0], batch_first=True)[0]


class Exponential(torch.autograd.Function):  # type: ignore[misc]
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        result = x.exp()
        ctx.save_for_backward(result)
        return result

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        return gradient * ctx.saved_tensors[0]


class OwnFunction(nn.Module):  # type: ignore[misc]
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, x: Any) -> Any:
        return Exponential.apply(self.layer(x))


class Checkpointed(nn.Module):  # type: ignore[misc]
    def __init__(self, reentrant: bool) -> None:
        super().__init__()
        self.first = nn.Linear(8, 8)
        self.kept = nn.Sequential(nn.Linear(8, 8), nn.Dropout(), nn.ReLU(inplace=True))
        self.reentrant = reentrant

    def forward(self, x: Any) -> Any:
        return checkpoint(self.kept, self.first(x), use_reentrant=self.reentrant)


class Attention(nn.Module):  # type: ignore[misc]
    def __init__(self) -> None:
        super().__init__()
        self.attention = nn.MultiheadAttention(8, 2, dropout=0.1, batch_first=True)

    def forward(self, x: Any) -> Any:
        return self.attention(x, x, x)[0]


class Clipping(torch.optim.SGD):  # type: ignore[misc]
    def step(self, closure: Any = None) -> Any:
        nn.utils.clip_grad_norm_([p for group in self.param_groups for p in group["params"]], 1.0)
        return super().step(closure)


SEQUENCES = torch.randn(4, 5, 8, generator=torch.Generator().manual_seed(1))
ROWS = SEQUENCES[:, 0].clone()
LENGTHS = torch.tensor([5, 3, 2, 4])

MODELS: dict[str, tuple[Callable[[], Any], tuple[Any, ...]]] = {
    "LSTM": (lambda: First(nn.LSTM(8, 8, 2, batch_first=True)), (SEQUENCES,)),
    "LSTM both ways": (
        lambda: First(nn.LSTM(8, 8, 2, batch_first=True, bidirectional=True, dropout=0.5)),
        (SEQUENCES,),
    ),
    "GRU": (lambda: First(nn.GRU(8, 8, batch_first=True)), (SEQUENCES,)),
    "RNN": (lambda: First(nn.RNN(8, 8, batch_first=True)), (SEQUENCES,)),
    "packed LSTM": (lambda: Packed(nn.LSTM(8, 8, batch_first=True)), (SEQUENCES, LENGTHS)),
    "packed GRU": (
        lambda: Packed(nn.GRU(8, 8, batch_first=True, bidirectional=True)),
        (SEQUENCES, LENGTHS),
    ),
    "LSTM cell": (lambda: First(nn.LSTMCell(8, 8)), (ROWS,)),
    "Transformer": (
        lambda: nn.Transformer(8, 2, 1, 1, 16, batch_first=True),
        (SEQUENCES, SEQUENCES.flip(1)),
    ),
    "attention": (Attention, (SEQUENCES,)),
    "batch norm, cumulative": (
        lambda: nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8, momentum=None), nn.Dropout()),
        (ROWS,),
    ),
    "in place": (
        lambda: nn.Sequential(nn.Linear(8, 8), nn.ReLU(inplace=True), nn.Linear(8, 8)),
        (ROWS,),
    ),
    "checkpoint": (lambda: Checkpointed(False), (ROWS,)),
    "reentrant checkpoint": (lambda: Checkpointed(True), (ROWS,)),
    "own function": (OwnFunction, (ROWS,)),
}
OPTIMIZERS: dict[str, Callable[[Any], Any]] = {
    "SGD": lambda p: torch.optim.SGD(p, lr=0.01, foreach=False),
    "clipping": lambda p: Clipping(p, lr=0.01),
    "AdamW": lambda p: torch.optim.AdamW(p, foreach=False),
    "AdamW foreach": lambda p: torch.optim.AdamW(p, foreach=True),
    "AdamW fused": lambda p: torch.optim.AdamW(p, fused=True),
    "SGD fused": lambda p: torch.optim.SGD(p, lr=0.01, momentum=0.9, fused=True),
    "SGD foreach": lambda p: torch.optim.SGD(p, lr=0.01, momentum=0.9, foreach=True),
    "RMSprop": lambda p: torch.optim.RMSprop(p),
}


def copied(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value.detach().clone()
    if isinstance(value, dict):
        return {key: copied(item) for key, item in value.items()}
    return [copied(item) for item in value] if isinstance(value, (list, tuple)) else value


def equal(a: Any, b: Any) -> bool:
    if isinstance(a, torch.Tensor):
        return bool(torch.equal(a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(equal(a[key], b[key]) for key in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(equal(x, y) for x, y in zip(a, b, strict=True))
    return bool(a == b)


def everything(model: Any, optimizer: Any) -> Any:
    return copied(
        [
            model.state_dict(),
            [parameter.grad for parameter in model.parameters()],
            [(module.training, len(module._forward_hooks)) for module in model.modules()],
            optimizer.state_dict() if optimizer is not None else None,
            torch.get_rng_state(),
            torch.is_grad_enabled(),
            torch.is_autocast_enabled("cpu"),
        ]
    )


def square(y: Any) -> Any:
    return y.float().pow(2).mean()


def run_all(engine: Any) -> list[Any]:
    """The whole, the program, every call and every module. Gives the workloads of modules."""
    calls = engine._recording.calls
    engine.take_operators(range(len(calls)))
    engine.prepare_whole(0.0)
    engine.prepare_program(0.0)
    for slot in ("whole", "program"):
        engine.run(slot, 2)
    engine.watch(1)
    for at in range(len(calls)):
        engine.prepare_part([at], 2, 2, {}, None, 0.0)
        engine.run("part", 1)
    modules = []
    for path in {call.path for call in engine._recording.module_calls if call.path}:
        inside = [
            at
            for at, call in enumerate(calls)
            if call.path is not None and call.path[: len(path)] == path
        ]
        if len(inside) > 1:
            engine.prepare_part(inside, 2, 2, {}, None, 0.0)
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
        engine.prepare_part(inside, 1, 1, {}, None, 0.0)
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
