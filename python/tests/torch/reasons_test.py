"""Who raised, and why: the model, the loss, the backward pass or the caller's mode."""

from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch")

import jouletree as jt
from jouletree.torch import inspect_training
from jouletree.torch.reasons import hint_at_inputs

QUICK: dict[str, Any] = {"budget": "1s", "baseline": 0}


def profile_training(model: Any, x: Any, **step: Any) -> Any:
    return jt.profile(model, x, mode="train", **step, **QUICK)


WAYS = pytest.mark.parametrize("ask", [profile_training, inspect_training])


def broken_loss(_output: Any) -> Any:
    raise KeyError("no such class")


class NoWayBack(torch.autograd.Function):  # type: ignore[misc, name-defined]
    @staticmethod
    def forward(_context: Any, x: Any) -> Any:
        return x.clone()

    @staticmethod
    def backward(_context: Any, *_gradients: Any) -> Any:
        raise RuntimeError("lost on the way")


@WAYS
@pytest.mark.parametrize(
    ("step", "says"),
    [
        ({"loss": "ce"}, r"loss is 'ce': give a function .*torch\.nn\.functional\.cross_entropy"),
        ({"loss": broken_loss}, "the loss function broken_loss raised KeyError: 'no such class'"),
        (
            {"loss": torch.nn.CrossEntropyLoss()},
            "the loss function CrossEntropyLoss raised TypeError: .*; give target=…",
        ),
        (
            {"loss": torch.nn.functional.mse_loss},
            "the loss function mse_loss raised TypeError: .*; give target=…",
        ),
        (
            {"loss": lambda y: NoWayBack.apply(y).sum()},
            "the backward pass of the loss raised RuntimeError: lost on the way",
        ),
    ],
)
def test_a_step_says_which_part_of_it_raised(ask: Any, step: dict[str, Any], says: str) -> None:
    with pytest.raises(jt.BadInput, match=says):
        ask(torch.nn.Linear(4, 4), torch.randn(2, 4), **step)


@WAYS
def test_the_callers_mode_is_the_reason_where_it_is(ask: Any) -> None:
    with (
        torch.inference_mode(),
        pytest.raises(jt.BadInput, match=r"needs gradients, which torch\.inference_mode\(\)"),
    ):
        ask(torch.nn.Linear(4, 4), torch.randn(2, 4), loss=lambda y: y.sum())


@WAYS
def test_an_optimizer_of_another_model_is_refused(ask: Any) -> None:
    other = torch.optim.SGD(torch.nn.Linear(4, 4).parameters(), lr=0.1)
    with pytest.raises(jt.BadInput, match="no parameter of the model"):
        ask(torch.nn.Linear(4, 4), torch.randn(2, 4), loss=lambda y: y.sum(), optimizer=other)


@pytest.mark.parametrize("ask", [jt.inspect, jt.profile])
def test_a_shape_is_no_input_of_a_live_model(ask: Any) -> None:
    with pytest.raises(jt.BadInput, match=r"x is a shape, .*: torch\.randn\(2, 3, 32, 32\)"):
        ask(torch.nn.Conv2d(3, 4, 3), (2, 3, 32, 32))


def test_hints_are_given_only_where_they_help() -> None:
    assert "give x" in hint_at_inputs((), {})
    assert hint_at_inputs((3,), {}) == hint_at_inputs((3, 4), {"mask": 1}) == ""


def test_what_a_later_run_raised_is_the_cause() -> None:
    class Moody(torch.nn.Module):  # type: ignore[misc, name-defined]
        calls = 0

        def forward(self, x: Any) -> Any:
            self.calls += 1
            if self.calls > 3:
                raise RuntimeError("out of patience")
            return x.exp()

    with pytest.raises(jt.Error, match="out of patience") as caught:
        jt.profile(Moody(), torch.randn(4), **QUICK)
    cause = caught.value.__cause__
    assert isinstance(cause, RuntimeError) and cause.__traceback__ is not None


class Changing(torch.nn.Module):  # type: ignore[misc, name-defined]
    """Makes ten times the calls in every second run."""

    def __init__(self, more: int) -> None:
        super().__init__()
        self.layer, self.runs, self.more = torch.nn.Linear(8, 8), 0, more

    def forward(self, x: Any) -> Any:
        self.runs += 1
        for _ in range(1 + self.more * (self.runs % 2 == 0)):
            x = self.layer(x)
        return x


@pytest.mark.parametrize("more", [0, 9])
def test_a_model_that_makes_other_calls_in_each_run_has_a_note(more: int) -> None:
    model = Changing(more)
    profile = jt.profile(model, torch.randn(2, 8), **QUICK)
    notes = [note for note in profile.notes if "the same calls" in note]
    assert len(notes) == (more > 0)
    assert not notes or "2 in the first, 20 in the second" in notes[0]
    assert model.runs == 0


def test_an_array_for_a_live_module_is_told_with_the_way_out() -> None:
    numpy = pytest.importorskip("numpy")
    for ask in (jt.inspect, lambda *given: jt.profile(*given, **QUICK)):
        with pytest.raises(
            jt.BadInput, match=r"numpy\.ndarray.*; .*torch\.from_numpy\(x\)"
        ) as told:
            ask(torch.nn.Conv1d(3, 4, 1), numpy.ones((1, 3, 8), numpy.float32))  # type: ignore[operator]
        assert "expected one of" not in str(told.value)
