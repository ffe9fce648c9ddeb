"""What a profile that ends early leaves behind: nothing."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch")

from training_kinds import MODELS, OPTIMIZERS, equal, everything, square

import jouletree as jt

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


def interrupted(after: float, profile: Callable[[], Any]) -> None:
    timer = threading.Timer(after, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            profile()
    finally:
        timer.cancel()
        timer.join()


@pytest.mark.parametrize("name", KINDS)
def test_ctrl_c_in_a_training_step_changes_nothing(name: str) -> None:
    model, optimizer, given = trained(name)
    before = everything(model, optimizer)
    interrupted(
        0.8,
        lambda: jt.profile(
            model,
            given,
            mode="train",
            loss=square,
            optimizer=optimizer,
            context=lambda: torch.autocast("cpu", dtype=torch.bfloat16, enabled=name == "in place"),
            budget="60s",
            baseline=0,
        ),
    )
    assert equal(everything(model, optimizer), before)


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


def test_ctrl_c_while_a_compiled_model_is_measured_changes_nothing() -> None:
    model, _, given = trained("attention")
    model.compile(backend="eager")
    before = everything(model, None)
    called = model._compiled_call_impl
    interrupted(1.5, lambda: jt.profile(model, given, budget="60s", baseline=0))
    assert equal(everything(model, None), before)
    assert model._compiled_call_impl is called


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
