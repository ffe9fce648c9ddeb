"""What a profile that ends early leaves behind: nothing."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch")

from torch.utils._python_dispatch import TorchDispatchMode, _get_current_dispatch_mode_stack
from training_kinds import MODELS, OPTIMIZERS, ROWS, equal, everything, square

import jouletree as jt
import jouletree.torch
from jouletree.torch.engine import TorchEngine
from jouletree.torch.live import LiveState, _RandomState
from jouletree.torch.module_runs import CopiedModules
from jouletree.torch.recording import Recorder

KINDS = ["LSTM both ways", "packed GRU", "batch norm, cumulative", "checkpoint", "in place"]


def trained(name: str, optimizer: str = "AdamW foreach") -> tuple[Any, Any, tuple[Any, ...]]:
    """A model with gradients, and an optimiser with a past."""
    torch.manual_seed(9)
    make, given = MODELS[name]
    model = make().train()
    stepping = OPTIMIZERS[optimizer](model.parameters())
    square(model(*given)).backward()
    stepping.step()
    return model, stepping, given


def ctrl_c() -> None:
    signal.raise_signal(signal.SIGINT)


class At:
    """Calls a function as ever, and presses Ctrl-C in the so-manieth call."""

    def __init__(self, number: int, function: Callable[..., Any]) -> None:
        self.number = number
        self.function = function
        self.calls = 0

    def __call__(self, *given: Any, **named: Any) -> Any:
        self.calls += 1
        if self.calls == self.number:
            ctrl_c()
        return self.function(*given, **named)


def surroundings() -> list[Any]:
    """What a profile changes besides model and optimiser."""
    return [
        torch.nn.Module.__call__,
        len(_get_current_dispatch_mode_stack()),
        gc.isenabled(),
        torch.get_num_threads(),
        signal.getsignal(signal.SIGINT),
    ]


@contextlib.contextmanager
def stopped(model: Any, optimizer: Any = None) -> Iterator[None]:
    """Ctrl-C inside ends the work and changes nothing."""
    before, around = everything(model, optimizer), surroundings()
    with pytest.raises(KeyboardInterrupt):
        yield
    assert equal(everything(model, optimizer), before)
    assert surroundings() == around


def profile_step(model: Any, given: Any, optimizer: Any, **more: Any) -> Any:
    arguments: dict[str, Any] = {"loss": square, "budget": "60s", "baseline": 0, **more}
    return jt.profile(model, given, mode="train", optimizer=optimizer, **arguments)


def autocast(name: str) -> Any:
    return torch.autocast("cpu", dtype=torch.bfloat16, enabled=name == "in place")


@pytest.mark.parametrize("number", [1, 2, 3, 4, 20, 100])
@pytest.mark.parametrize("name", KINDS)
def test_ctrl_c_in_a_training_step_changes_nothing(name: str, number: int) -> None:
    model, optimizer, given = trained(name)
    loss = At(number, square)
    with stopped(model, optimizer):
        profile_step(model, given, optimizer, loss=loss, context=lambda: autocast(name))
    assert loss.calls >= number


@pytest.mark.parametrize("calls", [1, 100, 1_000, 3_000, 10_000, 30_000, 100_000])
def test_ctrl_c_in_any_function_changes_nothing(calls: int) -> None:
    """Destructors, hooks and callbacks of torch among them."""
    model, optimizer, given = trained("packed GRU")
    at = At(calls, lambda *_: None)
    with stopped(model, optimizer):
        sys.setprofile(at)
        try:
            profile_step(model, given, optimizer)
        finally:
            sys.setprofile(None)
    assert at.calls >= calls


PLACES = [
    (LiveState, "__init__"),
    (LiveState, "save_buffers"),
    (Recorder, "__enter__"),
    (Recorder, "__exit__"),
    (TorchEngine, "take_operators"),
    (TorchEngine, "strides"),
    (TorchEngine, "prepare_part"),
    (TorchEngine, "run"),
    (TorchEngine, "run_each"),
    (TorchEngine, "watch"),
    (TorchEngine, "__exit__"),
    (CopiedModules, "restore"),
    (torch.optim.AdamW, "step"),
    (torch.autocast, "__enter__"),
    (torch.autocast, "__exit__"),
    (torch.Tensor, "backward"),
]


@pytest.mark.parametrize(("where", "name"), PLACES, ids=lambda one: getattr(one, "__name__", one))
def test_ctrl_c_at_the_end_of_a_piece_of_work_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, where: Any, name: str
) -> None:
    model, optimizer, given = trained("LSTM both ways")
    function = getattr(where, name)
    pressed: list[int] = []

    def followed(*given: Any, **named: Any) -> Any:
        done = function(*given, **named)
        if not pressed:
            pressed.append(1)
            ctrl_c()
        return done

    monkeypatch.setattr(where, name, followed)
    with stopped(model, optimizer):
        profile_step(
            model, given, optimizer, context=lambda: autocast("in place"), budget="3s", modules=True
        )
    assert pressed


def test_ctrl_c_while_a_model_is_put_back_waits_for_that(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pressed thrice, and again where it is put back because of that."""
    model, optimizer, given = trained("batch norm, cumulative")
    restore = _RandomState.restore

    def pressed(state: Any) -> None:
        for _ in range(3):
            ctrl_c()
        restore(state)

    monkeypatch.setattr(_RandomState, "restore", pressed)
    with stopped(model, optimizer):
        profile_step(model, given, optimizer)


class Mortal:
    def __del__(self) -> None:
        ctrl_c()


def test_ctrl_c_in_a_destructor_is_not_lost() -> None:
    model, optimizer, given = trained("in place")
    dying = [Mortal()]

    def loss(y: Any) -> Any:
        dying.clear()
        return square(y)

    with stopped(model, optimizer):
        profile_step(model, given, optimizer, loss=loss)


def test_ctrl_c_from_another_thread_ends_a_measurement() -> None:
    model, optimizer, given = trained("checkpoint")
    begun = threading.Event()

    def press() -> None:
        begun.wait()
        os.kill(os.getpid(), signal.SIGINT)

    def loss(y: Any) -> Any:
        begun.set()
        return square(y)

    thread = threading.Thread(target=press)
    thread.start()
    try:
        with stopped(model, optimizer):
            profile_step(model, given, optimizer, loss=loss)
    finally:
        begun.set()
        thread.join()


def test_ctrl_c_while_the_idle_machine_is_measured_does_not_wait_for_that() -> None:
    """C++ is at work then, and looks for signals itself."""
    model, _, given = trained("in place")
    began = time.monotonic()
    idle = threading.Event()

    def press() -> None:
        idle.wait()
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=press)
    thread.start()
    with pytest.MonkeyPatch.context() as patch:
        settings = TorchEngine.settings
        patch.setattr(TorchEngine, "settings", lambda self: (idle.set(), settings(self))[1])
        try:
            with stopped(model):
                jt.profile(model, given, budget="60s", baseline=600)
        finally:
            idle.set()
            thread.join()
    assert time.monotonic() - began < 300


def test_whoever_asks_twice_does_not_wait_for_a_long_call() -> None:
    model, optimizer, given = trained("in place")
    later: list[int] = []

    def loss(y: Any) -> Any:
        ctrl_c()
        ctrl_c()
        later.append(1)
        return square(y)

    with stopped(model, optimizer):
        profile_step(model, given, optimizer, loss=loss)
    assert not later


@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("number", [1, 2, 10])
def test_ctrl_c_inside_torchscript_is_no_error_of_the_model(number: int, times: int) -> None:
    """The interpreter makes a RuntimeError of what comes out of Python."""
    model = torch.jit.script(torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU()))
    seen: list[int] = []

    class Pressed(TorchDispatchMode):  # type: ignore[misc, no-untyped-call]
        def __torch_dispatch__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            seen.append(1)
            if len(seen) == number:
                for _ in range(times):
                    ctrl_c()
            return func(*args, **(kwargs or {}))

    with stopped(model), Pressed():
        jt.profile(model, ROWS, budget="60s", baseline=0)
    assert len(seen) >= number


@pytest.mark.parametrize("number", [1, 2, 3, 30])
def test_ctrl_c_while_a_compiled_model_is_measured_changes_nothing(number: int) -> None:
    """In the compiler itself, or in what it made."""
    torch._dynamo.reset()
    model, _, given = trained("attention")
    at = At(number, lambda: None)

    def backend(graph: Any, _inputs: Any) -> Any:
        at()

        def run(*inputs: Any) -> Any:
            at()
            return graph.forward(*inputs)

        return torch._dynamo.disable(run)

    model.compile(backend=backend)
    called = model._compiled_call_impl
    with stopped(model):
        jt.profile(model, given, budget="60s", baseline=0)
    assert model._compiled_call_impl is called
    assert at.calls >= number


@pytest.mark.parametrize("calls", [1, 100, 500, 1_000, 2_000])
def test_ctrl_c_while_a_model_is_counted_changes_nothing(calls: int) -> None:
    model, optimizer, given = trained("LSTM both ways")
    at = At(calls, lambda *_: None)
    with stopped(model, optimizer):
        sys.setprofile(at)
        try:
            jt.torch.inspect_training(model, given, loss=square, optimizer=optimizer)
        finally:
            sys.setprofile(None)
    assert at.calls >= calls


def test_ctrl_c_where_layers_are_timed_or_operators_counted_changes_nothing() -> None:
    model, _, given = trained("in place")
    for watching in (jt.torch.LayerTimer(model), jt.torch.Counter(model)):
        for calls in (1, 3, 5, 10, 20, 30, 50):
            at = At(calls, lambda *_: None)
            with stopped(model):
                sys.setprofile(at)
                try:
                    with watching:
                        for _ in range(10):
                            model(*given)
                finally:
                    sys.setprofile(None)


def test_a_handler_that_raises_nothing_is_called_and_the_profile_goes_on() -> None:
    model, optimizer, given = trained("in place")
    told: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _frame: told.append(number))
    try:
        loss = At(5, square)
        profile_step(model, given, optimizer, loss=loss, budget="1.5s")
    finally:
        signal.signal(signal.SIGINT, before)
    assert told == [signal.SIGINT]


@pytest.mark.parametrize("name", KINDS)
def test_a_loss_that_raises_later_changes_nothing(name: str) -> None:
    model, optimizer, given = trained(name, "SGD fused")
    before = everything(model, optimizer)
    calls: list[int] = []

    def moody(y: Any) -> Any:
        calls.append(1)
        if len(calls) > 6:
            raise RuntimeError("out of patience")
        return square(y)

    with pytest.raises(jt.Error, match="out of patience"):
        jt.profile(
            model, given, mode="train", loss=moody, optimizer=optimizer, budget="9s", baseline=0
        )
    assert equal(everything(model, optimizer), before)


@pytest.mark.parametrize(
    ("model", "given", "says"),
    [
        (lambda: torch.nn.Linear(4, 4), (torch.randn(2, 5),), r"the model raised RuntimeError"),
        (lambda: torch.nn.Linear(4, 4), ("text",), r"the model raised TypeError"),
        (lambda: torch.nn.Linear(4, 4), (), r"the model raised TypeError.*input"),
        (torch.nn.Module, (torch.randn(2),), r"the model raised NotImplementedError"),
    ],
)
def test_what_a_model_cannot_be_given_is_said(model: Any, given: Any, says: str) -> None:
    with pytest.raises(jt.BadInput, match=says) as caught:
        jt.profile(model(), given, budget="1.5s", baseline=0)
    assert caught.value.__cause__ is not None, "the traceback of the model is shown"


def test_a_hook_that_raises_and_a_model_without_operators() -> None:
    model = torch.nn.Linear(4, 4)

    def hook(*_given: Any) -> None:
        raise ValueError("no such layer")

    handle = model.register_forward_hook(hook)
    with pytest.raises(jt.BadInput, match=r"the model raised ValueError.*no such layer"):
        jt.profile(model, torch.randn(2, 4), budget="1.5s", baseline=0)
    assert list(model._forward_hooks) == [handle.id]
    with contextlib.suppress(jt.BadInput):  # Nothing to measure is no crash.
        jt.profile(torch.nn.Identity(), torch.randn(2, 4), budget="1.5s", baseline=0)
