"""Recorded calls that run again: in order, and each alone on copies."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch")

from jouletree.torch.engine import TorchEngine
from jouletree.torch.live_runs import InferenceRun, TrainingRun
from jouletree.torch.pages import (
    FaultShare,
    can_give_back,
    fault_counter,
    settled_share,
)
from jouletree.torch.program import Context, Program
from jouletree.torch.runs import TrainingStep, record
from jouletree.torch.wiring import wired_calls
from jouletree.torch.workloads import CopiedCalls, CopySettings


class Net(torch.nn.Module):  # type: ignore[misc, name-defined]
    """Views, a call in place, a call with several results, and a buffer that training changes."""

    def __init__(self) -> None:
        super().__init__()
        self.first = torch.nn.Linear(8, 16)
        self.norm = torch.nn.BatchNorm1d(16)
        self.act = torch.nn.ReLU(inplace=True)
        self.last = torch.nn.Linear(8, 3)

    def forward(self, x: Any) -> Any:
        hidden = self.act(self.norm(self.first(x)))
        left, right = hidden.chunk(2, dim=1)
        values, _places = (left + right.flip(1)).sort(dim=1)
        return self.last(values)


def made() -> tuple[Any, Any]:
    torch.manual_seed(3)
    return Net().eval(), torch.randn(5, 8)


def test_the_program_returns_what_the_model_returns() -> None:
    model, x = made()
    with torch.no_grad():
        recording = record(model, x, keep_arguments=True)
        program = Program(wired_calls(recording), recording.outputs)
        (result,) = program.run()
        assert torch.equal(result, model(x))
        other = torch.randn(5, 8)
        expected = model(other)
        x.copy_(other)
        assert torch.equal(program.run()[0], expected), (
            "it computes, and does not hand back what it saw"
        )


def test_the_program_tells_when_each_call_ran() -> None:
    model, x = made()
    with torch.no_grad():
        recording = record(model, x, keep_arguments=True)
        slices = Program(wired_calls(recording), recording.outputs).timed()
    assert [one[0] for one in slices] == list(range(len(recording.calls)))
    assert all(begin <= end for _, begin, end in slices)
    assert all(a[2] <= b[1] for a, b in itertools.pairwise(slices))


def test_calls_that_nobody_needs_are_left_out_of_the_program() -> None:
    model, x = made()
    recording = record(model, x, keep_arguments=True, gradients=True)
    calls = wired_calls(recording)
    needed = [call.index for call in calls if "detach" not in str(call.operator)]
    assert len(needed) < len(calls), "autograd detaches what it keeps"
    program = Program(calls, recording.outputs, needed)
    with torch.no_grad():
        assert {one[0] for one in program.timed()} <= set(needed)
        assert torch.equal(program.run()[0], model(x))


def test_every_call_runs_alone_and_changes_nothing() -> None:
    model, x = made()
    with torch.no_grad():
        recording = record(model, x, keep_arguments=True)
        before = [[tensor.clone() for tensor in call.tensors] for call in wired_calls(recording)]
        weights = {item["tensor"][3] for item in recording.stored}
        for call in wired_calls(recording):
            sets = {f"s{storage}": 2 for storage in call.storages}
            copies = CopiedCalls(call, CopySettings(3, 2, sets, 2), weights)
            copies.run(2)
            copies.restore()
            copies.run(1)
        for call, tensors in zip(wired_calls(recording), before, strict=True):
            for tensor, was in zip(call.tensors, tensors, strict=True):
                assert torch.equal(tensor, was), call.operator


def test_copies_of_a_call_take_turns_at_their_memory() -> None:
    seen: list[int] = []

    def operator(tensor: Any) -> Any:
        seen.append(tensor.data_ptr())
        return tensor + 1

    with torch.no_grad():
        recording = record(torch.nn.Tanh(), torch.randn(64, 64), keep_arguments=True)
        call = wired_calls(recording)[0]
        call.operator = operator
        CopiedCalls(call, CopySettings(4, 1, {f"s{call.storages[0]}": 2}, 1), set()).run(1)
    assert len(set(seen)) == 2
    assert seen[0] == seen[2] and seen[1] == seen[3]
    assert seen[0] == call.tensors[0].data_ptr(), "the first set is the original"


def test_what_a_call_in_place_writes_is_put_back_between_windows() -> None:
    class Doubling(torch.nn.Module):  # type: ignore[misc, name-defined]
        def forward(self, x: Any) -> Any:
            return x.clone().mul_(2)

    with torch.no_grad():
        recording = record(Doubling(), torch.ones(4), keep_arguments=True)
        call = next(one for one in wired_calls(recording) if one.written)
        copies = CopiedCalls(call, CopySettings(1, 1, {}, 1), set())
        (tensor,) = [value for value in copies._calls[0][1] if isinstance(value, torch.Tensor)]
        start = tensor.clone()
        copies.run(1000)
        assert torch.isinf(tensor).all(), "a thousand doublings overflow"
        copies.restore()
        assert torch.equal(tensor, start)


def test_tensors_that_share_memory_share_the_copies() -> None:
    class Shared(torch.nn.Module):  # type: ignore[misc, name-defined]
        def forward(self, x: Any) -> Any:
            return torch.mm(x, x.t())

    with torch.no_grad():
        recording = record(Shared(), torch.randn(64, 64), keep_arguments=True)
        call = next(one for one in wired_calls(recording) if len(one.tensors) == 2)
        assert len(set(call.storages)) == 1
        copies = CopiedCalls(call, CopySettings(2, 1, {f"s{call.storages[0]}": 2}, 1), set())
        left, right = copies._calls[1][1][:2]
        assert left.data_ptr() == right.data_ptr() != call.tensors[0].data_ptr()
        assert right.stride() == (1, 64), "a view stays a view"
        assert torch.equal(left, call.tensors[0])


@pytest.mark.parametrize("train", [False, True])
def test_the_engine_runs_whole_program_and_all_parts(train: bool) -> None:
    model, x = made()
    run: InferenceRun | TrainingRun = InferenceRun(model, (x,), {})
    if train:
        optimizer = torch.optim.Adam(model.train().parameters())
        run = TrainingRun(model, (x,), {}, TrainingStep(lambda y: y.pow(2).mean(), None, optimizer))
    with TorchEngine(run) as engine:
        engine.take_operators(range(len(engine._calls)))
        for slot, prepare in (("whole", engine.prepare_whole), ("program", engine.prepare_program)):
            assert prepare(0.001) > 0
            begin, end, cpu, memory, _inside = engine.run(slot, 3)
            assert end > begin and cpu >= 0 and memory is not None and memory > 0
            assert len(engine.run_each(slot, 4)) == 4
        assert [len(one) for one in engine.watch(2)] == [len(engine._calls)] * 2
        for call in engine._calls:
            assert engine.prepare_part([call.index], 2, 2, {}, None, Context(), 0.0) > 0
            engine.run("part", 2)


def test_modules_run_alone_with_what_they_were_given() -> None:
    model, x = made()
    with torch.no_grad(), TorchEngine(InferenceRun(model, (x,), {})) as engine:
        engine.take_operators(range(len(engine._calls)))
        recording = engine._recording
        assert recording is not None
        first = next(call for call in recording.module_calls if call.module is model.first)
        calls = list(range(first.first, first.last))
        assert len(calls) > 1
        seen: list[Any] = []
        handle = model.first.register_forward_hook(lambda _m, _given, result: seen.append(result))
        engine.prepare_part(calls, 2, 2, {}, None, Context(), 0.0)
        handle.remove()
        assert seen and all(torch.equal(result, model.first(x)) for result in seen)


class _Counted(torch.utils._python_dispatch.TorchDispatchMode):  # type: ignore[misc, name-defined]
    def __init__(self) -> None:
        super().__init__()
        self.calls = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.calls += 1
        return func(*args, **(kwargs or {}))


@pytest.mark.parametrize("kind", ["one call", "module", "calls in order"])
def test_a_run_of_a_part_has_as_many_copies_as_asked_for(kind: str) -> None:
    model, x = made()
    with torch.no_grad(), TorchEngine(InferenceRun(model, (x,), {})) as engine:
        engine.take_operators(range(len(engine._calls)))
        recording = engine._recording
        assert recording is not None
        first = next(call for call in recording.module_calls if call.module is model.first)
        calls = list(range(first.first, first.last))
        if kind == "one call":
            calls = calls[:1]
        elif kind == "calls in order":  # As of files, which have no modules to call.
            recording.module_calls = []
        engine.prepare_part(calls, 3, 2, {}, None, Context(), 0.0)
        with _Counted() as counted:
            engine.run("part", 5)
        assert counted.calls == 5 * 3 * len(calls)


def test_lists_of_modules_run_as_what_is_in_them() -> None:
    class Stack(torch.nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.layers = torch.nn.ModuleList(torch.nn.Linear(8, 8) for _ in range(3))

        def forward(self, x: Any) -> Any:
            for layer in self.layers:
                x = layer(x).relu_()
            return x

    model = Stack().eval()
    called: list[str] = []
    for name, layer in model.layers.named_children():
        layer.register_forward_pre_hook(lambda _m, _given, name=name: called.append(name))
    with torch.no_grad(), TorchEngine(InferenceRun(model, (torch.randn(4, 8),), {})) as engine:
        engine.take_operators(range(len(engine._calls)))
        inside = [call.index for call in engine._calls if "relu" not in str(call.operator)]
        called.clear()
        engine.prepare_part(inside, 1, 1, {}, None, Context(), 0.0)
        assert called[:3] == ["0", "1", "2"]


def test_a_cache_does_not_grow_from_run_to_run() -> None:
    class Cache:
        def __init__(self) -> None:
            self.keys = [torch.ones(1, 4)]

    class Decoder(torch.nn.Module):  # type: ignore[misc, name-defined]
        def forward(self, x: Any, cache: Cache) -> Any:
            cache.keys.append(x)
            return torch.cat(cache.keys).sum()

    cache = Cache()
    with (
        torch.no_grad(),
        TorchEngine(InferenceRun(Decoder(), (torch.ones(1, 4), cache), {})) as engine,
    ):
        engine.take_operators(range(len(engine._calls)))
        engine.prepare_whole(0.001)
        engine.run("whole", 10)
        assert len(cache.keys) == 1


def test_a_loop_gives_memory_back_as_often_as_the_model_takes_faults() -> None:
    share = FaultShare()
    share.share = settled_share(100, lambda share: 400 * share)
    assert [share.is_due() for _ in range(8)] == [False, False, False, True] * 2
    assert settled_share(900, lambda share: 400 * share) == 1, (
        "more than every time is not possible"
    )
    assert settled_share(3, lambda share: 400 * share) == 0, "a few faults are noise"
    assert settled_share(500, lambda share: 500.0) == 0, "the loop takes them anyway"
    twice = settled_share(200, lambda share: min(800 * share, 400))
    assert twice == pytest.approx(0.25, rel=0.25), "free blocks may take turns"


@pytest.mark.skipif(not can_give_back(), reason="the allocator is not glibc's")
def test_calls_alone_take_the_page_faults_of_the_model() -> None:
    model, x = torch.nn.Tanh(), torch.randn(1 << 20)
    with torch.no_grad(), TorchEngine(InferenceRun(model, (x,), {})) as engine:
        engine.take_operators([0])
        engine.watch(1)
        engine._faults = dict.fromkeys(engine._faults, 500.0)
        engine.prepare_part([0], 4, 1, {}, 1, Context(), 0.0)
        count = fault_counter(1)
        engine.run("part", 5)
        before = count()
        engine.run("part", 25)
        assert 250 < (count() - before) / 100 < 1000, "500 faults were asked for"
