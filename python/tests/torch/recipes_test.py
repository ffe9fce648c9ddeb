"""Recipes of campaigns: functions of users, inputs by name, and training steps by name."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch")

from torch import nn

import jouletree as jt
from jouletree.torch.file_runner import FileRunner
from jouletree.torch.files import GivenInputs, input_names
from jouletree.torch.planned_training import planned_step
from jouletree.torch.recipes import Recipe, made_model, read_recipe, settings_of
from jouletree.torch.user_code import function_named

TRAINING = {
    "loss": "",
    "target": None,
    "target_type": "",
    "optimizer": "sgd",
    "learning_rate": None,
    "momentum": None,
}


@pytest.fixture(autouse=True)
def grad_mode_and_path(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A worker turns gradients off for good and adds folders."""
    import sys

    monkeypatch.setattr(sys, "path", list(sys.path))
    before = torch.is_grad_enabled()
    yield
    torch.set_grad_enabled(before)


def written(folder: Path, source: str, name: str = "nets_of_test") -> str:
    (folder / f"{name}.py").write_text(source)
    import sys

    sys.modules.pop(name, None)
    return name


def recipe(folder: Path, function: str, **changed: Any) -> Recipe:
    told = {
        "jouletree_recipe": 1,
        "function": function,
        "file": "",
        "arguments": {},
        "inputs": ["x"],
        "folder": str(folder),
        "seed": 1,
        "training": None,
        **changed,
    }
    file = folder / "recipe.json"
    file.write_text(json.dumps(told))
    return read_recipe(str(file))


class Keyed(nn.Module):
    """By position only, by both, by name only."""

    def forward(self, x: Any, /, y: Any = 2, *, z: Any = 3) -> Any:
        return x * y * z


class Open(nn.Module):
    def forward(self, x: Any, **more: Any) -> Any:
        return sum(more.values(), x)


class Row(nn.Module):
    def forward(self, *parts: Any) -> Any:
        return torch.cat(parts)


def arguments(module: nn.Module, *names: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
    return GivenInputs(dict.fromkeys(names, (2, 2)), order=names).arguments(module)


def test_inputs_go_where_forward_takes_them() -> None:
    args, kwargs = arguments(Keyed(), "z", "x")
    assert len(args) == 1 and list(kwargs) == ["z"]
    args, kwargs = arguments(Keyed(), "x", "y")
    assert len(args) == 2 and not kwargs
    args, kwargs = arguments(Open(), "b", "x", "a")
    assert len(args) == 1 and list(kwargs) == ["b", "a"]
    args, kwargs = arguments(Row(), "first", "second")
    assert len(args) == 2 and not kwargs
    args, kwargs = arguments(Row(), "parts.0", "parts.1")
    assert len(args) == 2 and not kwargs
    args, kwargs = arguments(Keyed(), "x.0", "x.1")
    assert len(args) == 1 and len(args[0]) == 2
    assert input_names(Keyed()) == ["x", "y", "z"]


def test_inputs_that_forward_lacks_or_needs_are_named() -> None:
    with pytest.raises(jt.BadInput, match="no input 'w'; its inputs are: x, y, z"):
        arguments(Keyed(), "x", "w")
    with pytest.raises(jt.BadInput, match="forward also needs x"):
        arguments(Keyed(), "y")


def test_a_compiled_module_takes_what_its_module_takes() -> None:
    compiled = torch.compile(Keyed())
    args, kwargs = arguments(compiled, "x", "z")
    assert len(args) == 1 and list(kwargs) == ["z"]


def test_the_same_recipe_makes_the_same_weights(tmp_path: Path) -> None:
    name = written(
        tmp_path,
        "import random, torch\nfrom torch import nn\n"
        "def make(width):\n    return nn.Linear(width, random.randint(1, 1000))\n",
    )
    told = recipe(tmp_path, f"{name}:make", arguments={"width": 4})
    one, other = (made_model(told, "cpu") for _ in range(2))
    assert torch.equal(one.weight, other.weight)
    assert (
        not one.training
        and made_model(
            recipe(tmp_path, f"{name}:make", arguments={"width": 4}, training=TRAINING), "cpu"
        ).training
    )


def test_settings_tell_measurements_apart(tmp_path: Path) -> None:
    name = written(
        tmp_path,
        "import torch\ndef make():\n    return torch.nn.Linear(2, 2)\n"
        "def compiled():\n    return torch.compile(make())\n",
    )
    for function, training, expected in (
        ("make", None, ("inference", "off", "no")),
        ("make", TRAINING, ("train", "on", "no")),
        ("compiled", None, ("inference", "off", "yes")),
    ):
        told = recipe(tmp_path, f"{name}:{function}", training=training)
        settings = settings_of(told, made_model(told, "cpu"))
        assert tuple(settings.values()) == expected


@pytest.mark.parametrize(
    ("function", "says"),
    [
        ("net", "is a model: name a function that returns it"),
        ("number", "is no function, but int"),
        ("Net.mak", "has no 'mak'; did you mean make?"),
        ("late", "raised KeyError: 'width' (nets_of_test.py:8)"),
        ("later", "returned a coroutine: it must return a torch.nn.Module"),
        ("kind", "returned a type: it must return a torch.nn.Module"),
        ("stopped", "raised KeyboardInterrupt"),
    ],
)
def test_what_a_function_does_wrong_is_one_sentence(
    tmp_path: Path, function: str, says: str
) -> None:
    name = written(
        tmp_path,
        """import json
from torch import nn
net = nn.ReLU()
number = 7
class Net:
    make = nn.ReLU
def late():
    return json.loads('{}')['width']
async def later():
    return net
def kind():
    return nn.ReLU
def stopped():
    raise KeyboardInterrupt
""",
    )
    with pytest.raises(jt.BadInput) as told:
        made_model(recipe(tmp_path, f"{name}:{function}"), "cpu")
    assert says in str(told.value) and str(told.value).startswith(f"{name}:"), told.value


def test_a_line_of_a_package_is_told_where_the_users_own_files_have_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "site-packages"
    package.mkdir()
    name = written(package, "def make():\n    raise OSError('no weights')\n", "zoo_of_test")
    monkeypatch.syspath_prepend(str(package))
    with pytest.raises(jt.BadInput, match=r"no weights \(.*zoo_of_test\.py:2\)$"):
        made_model(recipe(tmp_path, f"{name}:make"), "cpu")


def test_lines_of_pytorch_itself_are_not_told(tmp_path: Path) -> None:
    with pytest.raises(
        jt.BadInput, match=r"torch\.nn:Linear raised TypeError: .*in_features"
    ) as told:
        made_model(recipe(tmp_path, "torch.nn:Linear"), "cpu")
    assert ".py:" not in str(told.value)
    with pytest.raises(jt.BadInput, match="device nowhere: "):
        made_model(recipe(tmp_path, "torch.nn:ReLU"), "nowhere")


def test_a_recipe_of_another_version_is_refused(tmp_path: Path) -> None:
    with pytest.raises(jt.BadInput, match="different versions"):
        recipe(tmp_path, "a:b", jouletree_recipe=2)


class Told(nn.Module):
    """Returns its loss, if it is asked to, and something else."""

    def __init__(self) -> None:
        super().__init__()
        self.part = nn.Linear(4, 3)

    def forward(self, x: Any, with_loss: bool = True) -> Any:
        y = self.part(x)
        return {"loss": y.sum(), "logits": y} if with_loss else (y, [y * 2], torch.arange(3))


def planned(folder: Path, module: nn.Module, **changed: Any) -> Any:
    told = recipe(folder, "a:b", training={**TRAINING, **changed})
    return planned_step(told, module, "cpu", 1)


def test_a_loss_needs_no_key(tmp_path: Path) -> None:
    module, x = Told(), torch.ones(2, 4)
    made = planned(tmp_path, module)
    output = module(x)
    assert made.step.loss_of(output) is output["loss"]
    assert made.notes() == [
        "one training step: SGD (learning rate 0.001) on the loss that the model returns"
    ]
    output = module(x, with_loss=False)
    squares = (output[0].square().mean() + output[1][0].square().mean()) / 2
    assert torch.allclose(made.step.loss_of(output), squares)
    assert "the mean of the squares of its outputs" in made.notes()[0]
    # One number for each example is no loss.
    single = nn.Linear(4, 1)
    made.step.loss_of(single(x[:1]))
    assert "the mean of the squares" in made.notes()[0]


def test_losses_and_targets_have_names(tmp_path: Path) -> None:
    module, x = Told(), torch.ones(2, 4)
    made = planned(tmp_path, module, loss="cross_entropy", target=[2], momentum=0.5)
    assert made.step.target.dtype == torch.int64
    expected = nn.functional.cross_entropy(module(x)["logits"], made.step.target)
    assert torch.equal(made.step.loss_of(module(x)), expected)
    assert made.notes() == [
        "one training step: SGD (learning rate 0.001, momentum 0.5) on cross_entropy",
        "the numbers of the target are all 0",
    ]
    made = planned(tmp_path, module, loss="mse_loss", target=[2, 3], optimizer="adamw")
    assert made.step.target.dtype == torch.float32 and "AdamW" in made.notes()[0]
    made = planned(tmp_path, module, loss="torch.nn:L1Loss", target=[2, 3], target_type="float64")
    assert made.step.target.dtype == torch.float64 and isinstance(made.step.loss, nn.L1Loss)


def test_optimizers_of_the_user_are_looked_at(tmp_path: Path) -> None:
    name = written(
        tmp_path,
        "import torch\ndef none(parameters):\n    return 3\n"
        "def closing(parameters):\n    return torch.optim.LBFGS(parameters)\n"
        "def other(parameters):\n    return torch.optim.SGD([torch.ones(1)])\n"
        "def own(parameters):\n    return torch.optim.RMSprop(parameters)\n",
    )
    module = Told()
    for function, says in (
        ("none", "returned an int: it must return a torch.optim.Optimizer"),
        ("closing", "LBFGS runs the model inside its step"),
        ("other", "the optimizer has no parameter of the model"),
    ):
        with pytest.raises(jt.BadInput, match=says):
            planned(tmp_path, module, optimizer=f"{name}:{function}")
    made = planned(tmp_path, module, optimizer=f"{name}:own")
    assert f"RMSprop of {name}:own" in made.optimizer_words
    with pytest.raises(jt.BadInput, match="no parameter that can be trained"):
        planned(tmp_path, nn.ReLU())


@pytest.mark.parametrize("training", [None, TRAINING, {**TRAINING, "optimizer": "none"}])
def test_a_worker_loads_what_it_made(tmp_path: Path, training: dict[str, Any] | None) -> None:
    name = written(tmp_path, "import torch\ndef make():\n    return torch.nn.Linear(4, 3)\n")
    recipe(tmp_path, f"{name}:make", inputs=["input"], training=training)
    runner = FileRunner()
    made = runner.make(str(tmp_path / "recipe.json"), "cpu")
    assert made["inputs"] == ["input"]
    inputs = {"shapes": {"input": [2, 4]}, "types": {}, "values": {}, "files": {}}
    runner.load(inputs, 1, 1)
    recorded = json.loads(runner.answer("recording", []))
    phases = {call.get("phase", "forward") for call in recorded["calls"]}
    expected = {"forward"} | ({"loss", "backward"} if training else set())
    if training and training["optimizer"] != "none":
        expected |= {"optimizer"}
    assert expected <= phases <= expected | {"zero_grad"}, phases
    assert runner.answer("settings", []).items() >= made["settings"].items()
    assert any("one training step" in note for note in recorded["notes"]) == bool(training)


@pytest.mark.parametrize("training", [None, TRAINING])
def test_models_of_transformers_take_their_inputs_by_name(
    tmp_path: Path, training: dict[str, Any] | None
) -> None:
    pytest.importorskip("transformers", reason="transformers is not installed")
    name = written(
        tmp_path,
        """from transformers import BertConfig, BertForSequenceClassification
def make(config):
    return BertForSequenceClassification(BertConfig(**config))
""",
    )
    config = {
        "hidden_size": 16,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "intermediate_size": 32,
        "vocab_size": 50,
    }
    names = ["attention_mask", "input_ids", *(["labels"] if training else [])]
    changed = {"arguments": {"config": config}, "inputs": names, "training": training}
    recipe(tmp_path, f"{name}:make", **changed)
    shapes = {"attention_mask": [2, 8], "input_ids": [2, 8], "labels": [2]}
    inputs = {
        "shapes": {one: shapes[one] for one in names},
        "types": dict.fromkeys(names, "int64"),
        "values": {},
        "files": {},
    }
    runner = FileRunner()
    runner.make(str(tmp_path / "recipe.json"), "cpu")
    runner.load(inputs, 1, 1)
    notes = " ".join(json.loads(runner.answer("recording", []))["notes"])
    assert ("on the loss that the model returns" in notes) == (training is not None), notes
    assert "attention_mask, input_ids" in notes or "input_ids, attention_mask" in notes, notes


def test_a_model_that_ends_python_is_told_of(tmp_path: Path) -> None:
    name = written(
        tmp_path,
        "import sys, torch\nclass Net(torch.nn.Module):\n    def forward(self, x):\n"
        "        sys.exit('had enough')\n",
    )
    recipe(tmp_path, f"{name}:Net")
    runner = FileRunner()
    runner.make(str(tmp_path / "recipe.json"), "cpu")
    inputs = {"shapes": {"x": [2, 4]}, "types": {}, "values": {}, "files": {}}
    with pytest.raises(jt.BadInput, match=rf"raised SystemExit .*had enough \({name}.py:4\)"):
        runner.load(inputs, 1, 1)


def test_what_a_loss_raises_names_its_line(tmp_path: Path) -> None:
    name = written(
        tmp_path,
        "import torch\ndef make():\n    return torch.nn.Linear(4, 3)\n"
        "def loss(outputs, target):\n    return outputs.no_such\n",
    )
    training = {**TRAINING, "loss": f"{name}:loss"}
    inputs = {"shapes": {"input": [2, 4]}, "types": {}, "values": {}, "files": {}}
    for target, says in (
        ([2, 3], rf"the loss function loss raised AttributeError: .*no_such.* \({name}.py:5\)"),
        (None, "give target under training in the plan"),
    ):
        told = {**training, "target": target}
        recipe(tmp_path, f"{name}:make", inputs=["input"], training=told)
        runner = FileRunner()
        runner.make(str(tmp_path / "recipe.json"), "cpu")
        with pytest.raises(jt.BadInput, match=says):
            runner.load(inputs, 1, 1)


def test_functions_are_found_in_installed_packages(tmp_path: Path) -> None:
    assert function_named("torch.nn:functional.relu", str(tmp_path)) is nn.functional.relu
