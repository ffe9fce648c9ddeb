"""Programs of torch.export, read from their archives without PyTorch, compared with the live models
that they were exported from."""

from __future__ import annotations

import json
import warnings
import zipfile
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch")
if tuple(int(part) for part in torch.__version__.split(".")[:2]) < (2, 9):
    reason = "archives of torch.export are compared from PyTorch 2.9 on"
    pytest.skip(reason, allow_module_level=True)

from exported_models import (
    MODELS,
    Choosing,
    ChoosingBySize,
    DataSized,
    Exportable,
    Growing,
    Nested,
    program_of,
)
from torch import nn
from torch.export import Dim

import jouletree as jt

#: Live models record these operators as one call that nobody takes apart, or one by one what is a
#: body here: MACs counted by hand.
BY_HAND = {
    "choosing": 2 * 4 * 8 * 64,
    "mapped": 2 * 5 * 3 * 64,
    "repeating": 4 * 64,
    "batched": 5 * 3 * (8 * 6 + 6 * 2),
}
#: Modules with two names: a live model is called by the first, a program by the one that is used.
OTHER_NAMES = {"tied": {"again", "block", "block.0"}}


def saved(program: Any, path: Path) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.export.save(program, path)
    return str(path)


def exported(model: Exportable, path: Path) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return saved(program_of(model), path)


def macs_of_modules(result: jt.Inspection) -> dict[str, int]:
    """Of modules that do products; operators are called differently in an archive."""
    operators = {one.scope for one in result.operators}
    found = {one.scope: one.macs.value for one in result.modules if one.scope not in operators}
    return {scope: int(macs) for scope, macs in found.items() if macs}


@pytest.mark.parametrize("name", MODELS)
def test_an_archive_counts_as_its_live_model(name: str, tmp_path: Path) -> None:
    model = MODELS[name]()
    archive = jt.inspect(exported(model, tmp_path / f"{name}.pt2"))
    live = jt.inspect(model.module, model.args, kwargs=model.kwargs)
    assert archive.name == name
    assert archive.metrics["params"].value == live.metrics["params"].value
    assert archive.metrics["macs"].value == BY_HAND.get(name, live.metrics["macs"].value)
    assert all(one.has_rule for one in archive.operators)
    if name in BY_HAND:
        return
    others = OTHER_NAMES.get(name, set())
    ours, theirs = macs_of_modules(archive), macs_of_modules(live)
    assert {s: m for s, m in ours.items() if s not in others} == {
        s: m for s, m in theirs.items() if s not in others
    }


@pytest.mark.parametrize("name", ["bert", "gpt2", "llama", "mixtral", "vit", "resnet", "whisper"])
def test_an_archive_of_a_transformer_counts_as_its_live_model(name: str, tmp_path: Path) -> None:
    pytest.importorskip("transformers", reason="transformers is not installed")
    import torch_models

    module, inputs = torch_models.MODELS[name]()
    module.eval()
    module.config.use_cache = False
    if name != "whisper":
        inputs.pop("labels")
    archive = jt.inspect(exported(Exportable(module, (), inputs), tmp_path / "net.pt2"))
    live = jt.inspect(module, inputs)
    for metric in ("params", "macs"):
        assert archive.metrics[metric].value == live.metrics[metric].value
    assert macs_of_modules(archive) == macs_of_modules(live)


@pytest.fixture(scope="module")
def growing(tmp_path_factory: pytest.TempPathFactory) -> str:
    return exported(MODELS["growing"](), tmp_path_factory.mktemp("growing") / "growing.pt2")


def symbols(path: str) -> list[str]:
    """Of the dimensions of the inputs, in their order."""
    shown = json.loads(json.dumps(jt.inspect(path).inputs))
    return [dim["name"] for one in shown for dim in one["dims"] if dim["open"]]


@pytest.mark.parametrize(("batch", "height", "length"), [(2, 16, 5), (7, 32, 3), (3, 10, 9)])
def test_open_sizes_are_given_as_shapes_tensors_or_by_name(
    growing: str, batch: int, height: int, length: int
) -> None:
    x, ids = torch.randn(batch, 3, height, 20), torch.ones(batch, length, dtype=torch.int64)
    live = jt.inspect(Growing(), (x, ids)).metrics["macs"].value
    assert jt.inspect(growing, (x, ids)).metrics["macs"].value == live
    assert jt.inspect(growing, {"x": tuple(x.shape)}).metrics["macs"].value == live
    first = jt.inspect(growing)
    names = [dim["name"] for one in first.inputs for dim in one["dims"] if dim["open"]]
    assert names[1] == f"2*{names[1][2:]}"
    dims = {names[0]: batch, names[1][2:]: height // 2, names[3]: length}
    assert jt.inspect(growing, dims=dims).metrics["macs"].value == live


def test_sizes_are_those_of_the_example_unless_said(growing: str) -> None:
    result = jt.inspect(growing)
    assert any("the example that the file was made with" in note for note in result.notes)
    assert [dim["size"] for dim in result.inputs[0]["dims"]] == [2, 3, 16, 20]
    assert result.inputs[0]["dims"][0]["from"] == "example"


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"x": (2, 4, 16, 20)}, "dimension 1 of input 'x' must be 3, not 4"),
        ({"x": (2, 3, 15, 20)}, r"dimension 2 of input 'x' must be 2\*s\d+, not 15"),
        ({"x": (2, 3, 16, 20), "ids": (3, 5)}, "is 2 for input 'x', but 3|is 3 .* but 2"),
        ({"x": (65, 3, 16, 20)}, "takes sizes from 1 to 64"),
        ({"z": (1,)}, "no input 'z'"),
    ],
)
def test_sizes_that_the_program_does_not_take_are_refused(
    growing: str, given: dict[str, Any], says: str
) -> None:
    with pytest.raises(jt.BadInput, match=says):
        jt.inspect(growing, given)


def test_what_depends_on_data_is_a_lower_bound(tmp_path: Path) -> None:
    path = exported(Exportable(DataSized(), (torch.randn(6, 4),)), tmp_path / "m.pt2")
    macs = jt.inspect(path).metrics["macs"]
    assert macs.value == 6 * 16 and macs.lower_bound


def test_a_branch_that_data_choose_is_noted(tmp_path: Path) -> None:
    path = exported(Exportable(Choosing(), (torch.randn(4, 8),)), tmp_path / "m.pt2")
    notes = " ".join(jt.inspect(path).notes)
    assert "the costlier branch (then) was counted" in notes


def test_a_branch_that_sizes_choose_is_the_one_that_is_taken(tmp_path: Path) -> None:
    model = Exportable(ChoosingBySize(), (torch.randn(6, 8),), dynamic_shapes=({0: Dim("n")},))
    path = exported(model, tmp_path / "m.pt2")
    assert jt.inspect(path).metrics["macs"].value == 6 * 64
    assert jt.inspect(path, (3, 8)).metrics["macs"].value == 0


def test_bytes_and_nested_inputs_are_taken(tmp_path: Path) -> None:
    model = MODELS["nested"]()
    path = Path(exported(model, tmp_path / "m.pt2"))
    assert jt.inspect(path.read_bytes()).metrics["macs"].value == 96
    given = (*model.args, model.kwargs["extra"])
    assert jt.inspect(path, given).metrics["macs"].value == 96
    assert isinstance(model.module, Nested)


def test_a_profile_runs_the_archive_with_named_sizes(growing: str) -> None:
    name = symbols(growing)[0]
    profile = jt.profile(growing, dims={name: 5}, budget="1s", baseline=0)
    counted = jt.inspect(growing, dims={name: 5})
    assert profile.metrics["macs"].value == counted.metrics["macs"].value


def test_several_programs_in_one_archive(tmp_path: Path) -> None:
    package = pytest.importorskip("torch.export.pt2_archive._package")
    net = nn.Linear(4, 3)
    program = torch.export.export(net, (torch.randn(2, 4),))
    both = tmp_path / "both.pt2"
    package.package_pt2(str(both), exported_programs={"first": program, "second": program})
    with pytest.raises(jt.BadInput, match="holds 2 programs: first, second"):
        jt.inspect(both)
    main = tmp_path / "main.pt2"
    package.package_pt2(str(main), exported_programs={"model": program, "other": program})
    assert jt.inspect(main).metrics["macs"].value == 24
    only = tmp_path / "only.pt2"
    package.package_pt2(str(only), exported_programs={"classifier": program})
    assert jt.inspect(only).metrics["macs"].value == 24
    assert jt.profile(only, budget="1s", baseline=0).metrics["macs"].value == 24


def test_a_quantised_program_counts_its_products(tmp_path: Path) -> None:
    quantised = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4))
    ops = pytest.importorskip("torch.ao.quantization.fx._decomposed")
    assert ops is not None

    class Quantised(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.net = quantised

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            given = torch.ops.quantized_decomposed.quantize_per_tensor(
                x, 0.1, 0, -128, 127, torch.int8
            )
            x = torch.ops.quantized_decomposed.dequantize_per_tensor(
                given, 0.1, 0, -128, 127, torch.int8
            )
            return self.net(x)

    result = jt.inspect(exported(Exportable(Quantised(), (torch.randn(2, 8),)), tmp_path / "q.pt2"))
    assert result.metrics["macs"].value == 2 * (8 * 16 + 16 * 4)
    assert all(one.has_rule for one in result.operators)


def changed(path: str, other: Path, change: Any) -> str:
    """The archive with another graph."""
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(other, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name.endswith("models/model.json"):
                graph = json.loads(content)
                change(graph)
                content = json.dumps(graph).encode()
            new.writestr(name, content)
    return str(other)


def test_a_newer_schema_is_refused_or_noted(growing: str, tmp_path: Path) -> None:
    def major(graph: Any) -> None:
        graph["schema_version"] = {"major": 9, "minor": 0}

    def minor(graph: Any) -> None:
        graph["schema_version"]["minor"] += 100
        graph["new_field"] = {"anything": [1]}

    with pytest.raises(jt.BadInput, match=r"schema version 9.0 .*newer JouleTree"):
        jt.inspect(changed(growing, tmp_path / "major.pt2", major))
    notes = jt.inspect(changed(growing, tmp_path / "minor.pt2", minor)).notes
    assert any("newer than the" in note for note in notes)


def test_a_comparison_and_a_prediction_take_archives(growing: str) -> None:
    assert "growing" in str(jt.compare(growing, growing))
