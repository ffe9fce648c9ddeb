"""Arguments of `jouletree.profile` and `jouletree.inspect` for live modules."""

from __future__ import annotations

import itertools
import json
import threading
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch")

import jouletree as jt

QUICK: dict[str, Any] = {"budget": "1s", "baseline": 0}


class Untouched(torch.nn.Module):  # type: ignore[misc, name-defined]
    """Must not run."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(4, 4)

    def forward(self, _x: Any) -> Any:
        raise AssertionError("the model ran")


def test_a_model_on_the_meta_device_is_counted_but_not_measured() -> None:
    model = torch.nn.Linear(4, 4, device="meta")
    x = torch.empty(2, 4, device="meta")
    assert jt.inspect(model, x).metrics["macs"].value == 32
    with pytest.raises(jt.BadInput, match="Linear is on the meta device, where nothing is"):
        jt.profile(model, x)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"device": "cuda:0"}, "device is 'cuda:0', but a live model runs where it is, on cpu"),
        ({"level": "none"}, "level is for ONNX files"),
        ({"execution": "parallel"}, "execution is for ONNX files"),
        ({"provider_options": {"a": "b"}}, "provider_options is for ONNX files"),
        ({"data": ["x.npy"]}, "data is for model files; a live PyTorch model gets its inputs in x"),
        ({"dims": {"batch": 1}}, "dims is for model files"),
        ({"dims": [3]}, "dims is for model files"),
        ({"values": {"x": 1}}, "values is for model files"),
        ({"seed": "a"}, "seed is 'a': give a whole number"),
        ({"seed": -1}, "seed is -1: give a whole number"),
        ({"threads": "2"}, "threads is '2': give a whole number, from 1 to 1024"),
        ({"threads": 1.5}, "threads is 1.5: give a whole number"),
        ({"threads": True}, "threads is True: give a whole number"),
        ({"modules": "no"}, "modules is 'no': give True or False"),
        ({"budget": [1]}, r"budget is \[1\]: give a time above 0"),
        ({"baseline": -2}, "baseline is -2: give a time of 0 or more"),
        ({"kwargs": 3}, "kwargs is 3: give a dictionary"),
        ({"precision": -1}, "precision is -1: give a share above 0 and up to 1"),
        ({"precision": 2}, "precision is 2: give a share"),
        ({"target": torch.zeros(2)}, "target: a tensor is only for training; say mode='train'"),
        ({"cache": "warm?"}, r"cache is 'warm\?'; it takes one of 'hot', 'model', 'cold'"),
        ({"context": torch.no_grad()}, "context is a no_grad: .*lambda: torch.autocast"),
        ({"context": "no_grad"}, "context is a str: .*lambda: torch.autocast"),
        ({"context": lambda: 3}, "context is a function that returns an int"),
        ({"context": lambda _x: 3}, "context is a function that raised TypeError"),
    ],
)
def test_what_cannot_be_used_is_said_before_anything_runs(
    arguments: dict[str, Any], says: str
) -> None:
    with pytest.raises(jt.BadInput, match=says):
        jt.profile(Untouched(), torch.randn(2, 4), **{**QUICK, **arguments})


def settings_of(profile: jt.Profile) -> dict[str, str]:
    settings: dict[str, str] = json.loads(profile.to_json())["environment"]["settings"]
    return settings


def test_the_models_own_device_may_be_named() -> None:
    profile = jt.profile(torch.nn.Linear(4, 4), torch.randn(2, 4), device="cpu", seed=7, **QUICK)
    assert settings_of(profile)["seed"] == "7"


class Twice(torch.nn.Module):  # type: ignore[misc, name-defined]
    def __init__(self) -> None:
        super().__init__()
        self.first = torch.nn.Linear(64, 64)
        self.second = torch.nn.Linear(64, 64)

    def forward(self, x: Any) -> Any:
        return self.second(self.first(x).relu())


@pytest.mark.parametrize("context", [torch.no_grad, torch.inference_mode])
def test_a_context_stands_around_every_run(context: Any) -> None:
    seen: set[Any] = set()
    model = Twice()
    model.register_forward_hook(lambda *_given: seen.add(torch.is_grad_enabled()))
    profile = jt.profile(model, torch.randn(8, 64), context=context, **QUICK)
    assert seen == {False}
    assert settings_of(profile)["gradients"] == "off"
    assert not any("gradients on" in note for note in profile.notes)
    assert profile.ledger.failed == 0


def test_autocast_stands_around_the_model_and_its_modules_alone() -> None:
    types: set[Any] = set()
    model = Twice()
    for part in (model, model.first, model.second):
        part.register_forward_hook(lambda _module, _args, output: types.add(output.dtype))
    profile = jt.profile(
        model,
        torch.randn(8, 64),
        context=lambda: torch.autocast("cpu", dtype=torch.bfloat16),
        budget="3s",
        baseline=0,
    )
    assert types == {torch.bfloat16}
    assert settings_of(profile)["gradients"] == "on"
    assert any(node.alone for node in profile.modules if node.kind == "module")
    assert profile.ledger.failed == 0


def test_a_live_model_is_compared_by_its_inspection() -> None:
    model = torch.nn.Linear(4, 4)
    with pytest.raises(jt.BadInput, match=r"give jouletree.inspect\(model, x\) in its place"):
        jt.compare(model, "resnet-18")
    x = torch.randn(2, 4)
    assert jt.compare(jt.inspect(model, x), jt.inspect(model, x[:1])).ratios("macs")


def test_two_threads_measure_one_after_the_other() -> None:
    running: list[int] = []

    class Counted(torch.nn.Module):  # type: ignore[misc, name-defined]
        def forward(self, x: Any) -> Any:
            running.append(threading.get_ident())
            return x.exp()

    def measure() -> None:
        jt.profile(Counted(), torch.randn(4), **QUICK)

    threads = [threading.Thread(target=measure) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    changes = sum(one != other for one, other in itertools.pairwise(running))
    assert changes == 1 and len(set(running)) == 2


class Masked(torch.nn.Module):  # type: ignore[misc, name-defined]
    def __init__(self) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(4, 4)

    def forward(self, x: Any, *, mask: Any) -> Any:
        return self.layer(x) * mask


def test_a_model_is_counted_with_positional_and_named_arguments() -> None:
    x, mask = torch.randn(2, 4), torch.ones(4)
    counted = jt.inspect(Masked(), x, kwargs={"mask": mask})
    assert counted.metrics["macs"].value == 32
    with pytest.raises(jt.BadInput, match="kwargs is 3: give a dictionary"):
        jt.inspect(Masked(), x, kwargs=3)  # type: ignore[arg-type]
    with pytest.raises(jt.BadInput, match="kwargs: only for live PyTorch models"):
        jt.inspect("resnet-18", kwargs={"mask": mask})


@pytest.mark.parametrize("ask", [jt.inspect, lambda model: jt.profile(model, **QUICK)])
def test_an_exported_program_runs_with_what_it_was_exported_with(ask: Any) -> None:
    program = torch.export.export(Masked(), (torch.randn(2, 4),), {"mask": torch.ones(4)})
    assert ask(program).metrics["macs"].value == 32
