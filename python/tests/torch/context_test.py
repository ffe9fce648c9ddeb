"""Calls that are measured right after those that come before them in the model."""

from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch")

from jouletree.torch.context import CallInContext, spread
from jouletree.torch.engine import TorchEngine
from jouletree.torch.live_runs import InferenceRun
from jouletree.torch.program import Context, Program
from jouletree.torch.runs import record
from jouletree.torch.wiring import wired_calls


class Chain(torch.nn.Module):  # type: ignore[misc, name-defined]
    """Four calls, of which the third writes to a buffer and the last to a result."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("seen", torch.zeros(64, 64))

    def forward(self, x: Any) -> Any:
        hidden = torch.tanh(torch.exp(x))
        self.seen.add_(hidden)
        return hidden.mul_(self.seen)


def chain() -> tuple[Any, Any, list[Any]]:
    model, x = Chain(), torch.rand(64, 64, generator=torch.Generator().manual_seed(1))
    recording = record(model, x, keep_arguments=True)
    return model, x, wired_calls(recording)


def logged(calls: list[Any], log: list[str]) -> None:
    for call in calls:

        def operator(*args: Any, _operator: Any = call.operator, **kwargs: Any) -> Any:
            log.append(_operator._schema.name.removeprefix("aten::"))
            return _operator(*args, **kwargs)

        call.operator = operator


def test_only_the_call_itself_counts() -> None:
    _, _, calls = chain()
    log: list[str] = []
    logged(calls, log)
    program = Program(calls, None)
    function, given = program.in_context(2, [0, 1], lambda tensor: tensor)
    stamps = [0, 0, 0]
    with torch.no_grad():
        function(stamps, lambda: len(log), given, lambda: log.append("before"))
    assert log == ["exp", "tanh", "before", "add_"]
    assert stamps == [3, 4, 4]
    assert len(given) == 1, "the buffer; the other tensor comes from the context"


def test_the_context_moves_as_many_bytes_as_asked_for_and_goes_round() -> None:
    _, _, calls = chain()
    program, moved = Program(calls, None), [10, 20, 30, 40]

    def context_of(at: int, wanted: int) -> list[int]:
        return program.context_of(at, moved, Context(wanted, wanted), {})

    assert context_of(3, 30) == [2]
    assert context_of(3, 31) == [1, 2]
    assert context_of(1, 45) == [3, 0], "before the first call comes the last one"
    assert context_of(1, 1000) == [2, 3, 0], "all others, at most"
    assert context_of(1, 0) == []


def test_a_context_goes_further_back_while_that_is_quick() -> None:
    _, _, calls = chain()
    program, moved, took = Program(calls, None), [10, 20, 30, 40], {0: 1.0, 1: 2.0, 2: 3.0}

    def context_of(*wanted: Any) -> list[int]:
        return program.context_of(3, moved, Context(*wanted), took)

    assert context_of(0, 1000, 0.0) == [2], "the call right before, however long it takes"
    assert context_of(31, 1000, 0.0) == [1, 2], "as many bytes as it needs"
    assert context_of(0, 1000, 5.0) == [1, 2]
    assert context_of(0, 1000, 6.0) == [0, 1, 2]
    assert context_of(0, 40, 6.0) == [1, 2], "not more bytes than asked for"


def test_a_call_is_measured_at_several_places() -> None:
    assert spread([7]) == [7]
    assert spread([1, 2]) == [1, 2]
    assert spread(list(range(0, 120, 10))) == [20, 60, 100]


def test_what_a_call_and_its_context_write_to_are_copies() -> None:
    model, x, calls = chain()
    before = [model.seen.clone(), x.clone()]
    program = Program(calls, None)
    with torch.no_grad():
        for at in range(4):
            context = program.context_of(at, [1] * 4, Context(100, 100), {})
            workload = CallInContext(program, [at], [context], [2] * len(calls[at].tensors))
            workload.run(3)
            workload.restore()
            workload.run(1)
            assert workload.inside_ns != 0
    assert torch.equal(model.seen, before[0]) and torch.equal(x, before[1])


def test_sets_from_outside_take_turns() -> None:
    _, _, calls = chain()
    seen: list[int] = []
    call = calls[0]
    operator = call.operator

    def noting(tensor: Any) -> Any:
        seen.append(tensor.data_ptr())
        return operator(tensor)

    call.operator = noting
    with torch.no_grad():
        CallInContext(Program(calls, None), [0], [[]], [2]).run(4)
    assert len(set(seen)) == 2 and seen[0] == seen[2] and seen[1] == seen[3]


def test_the_engine_tells_the_time_of_the_call_without_its_context() -> None:
    model = torch.nn.Sequential(torch.nn.Linear(512, 512), torch.nn.ReLU())
    x = torch.randn(256, 512)
    with torch.no_grad(), TorchEngine(InferenceRun(model, (x,), {})) as engine:
        last = len(engine._calls) - 1
        assert "relu" in str(engine._calls[last].operator)
        engine.take_operators(range(last + 1), [1 << 20] * (last + 1))
        engine.prepare_part([last], 1, 1, {}, 1, (1 << 20, 1 << 20, 0.0), 0.0)
        begin, end, _cpu, _memory, inside = engine.run("part", 20)
        assert inside is not None and 0 < inside < 0.6e-9 * (end - begin)
        engine.prepare_part([last], 1, 1, {}, 1, Context(), 0.0)
        assert engine.run("part", 20)[4] is None


def test_a_call_whose_context_cannot_run_again_runs_alone() -> None:
    model, x, _ = chain()
    with torch.no_grad(), TorchEngine(InferenceRun(model, (x,), {})) as engine:
        engine.take_operators(range(4), [1 << 20] * 4)

        def broken(*_given: Any) -> Any:
            raise RuntimeError("only once")

        engine._calls[0].operator = broken
        engine.prepare_part([1], 1, 1, {}, 1, (1 << 20, 1 << 20, 0.0), 0.0)
        assert engine.run("part", 3)[4] is None
