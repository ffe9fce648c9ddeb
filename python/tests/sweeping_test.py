"""Models over sizes of their inputs."""

from __future__ import annotations

import pathlib
from typing import Any

import pytest

import jouletree as jt

QUICK: dict[str, Any] = {
    "runs": 2,
    "seconds": 0.2,
    "warm_up": "50ms",
    "cool_down": 0,
    "baseline": "100ms",
}


def test_a_model_file_is_swept_as_by_the_command(small_bert: str, tmp_path: pathlib.Path) -> None:
    folder = tmp_path / "study"
    study = jt.sweep(small_bert, dims={"sequence": [8, 16], "batch": 1}, folder=folder, **QUICK)
    assert study.complete and str(study).count("sequence") >= 2
    formats = study.models[0]["formats"]
    assert [one["size"] for one in formats] == [8, 16]
    assert formats[0]["quantities"]["latency_median_s"]["median"] > 0
    assert (folder / "input_8" / "run_1" / "power_metrics.json").exists()
    assert jt.Study(folder).content == study.content


def test_bad_settings_are_errors_of_the_command(small_bert: str, tmp_path: pathlib.Path) -> None:
    with pytest.raises(jt.BadInput, match="no symbolic dimension 'length'"):
        jt.sweep(small_bert, dims={"length": [8, 16]}, folder=tmp_path / "none", **QUICK)
    with pytest.raises(jt.BadInput, match="inputs: only for live PyTorch models"):
        jt.sweep(small_bert, {8: None}, folder=tmp_path / "none", **QUICK)


def test_a_live_module_is_swept_and_left_as_it_was(tmp_path: pathlib.Path) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch")
    net = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.ReLU(), torch.nn.Linear(64, 64))
    before = {name: value.clone() for name, value in net.state_dict().items()}
    inputs = {size: torch.rand(size, 64) for size in (64, 256, 1024)}
    study = jt.sweep(net, inputs, folder=tmp_path / "net", size="rows", **QUICK)
    assert study.complete and study.models[0]["size"] == "rows"
    law = study.models[0]["series"][0]["laws"]["macs"]
    assert law["exponent"] == pytest.approx(1, abs=1e-6)
    quantities = study.models[0]["formats"][2]["quantities"]
    assert quantities["busy_cpus"]["median"] > 0.1 and quantities["latency_median_s"]["n"] == 2
    assert all(torch.equal(value, before[name]) for name, value in net.state_dict().items())


def test_training_steps_are_swept(tmp_path: pathlib.Path) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch")
    net = torch.nn.Linear(16, 4)
    before = net.weight.detach().clone()
    study = jt.sweep(
        net,
        {8: torch.rand(8, 16), 32: torch.rand(32, 16)},
        folder=tmp_path / "step",
        mode="train",
        loss=torch.nn.functional.cross_entropy,
        target={8: torch.zeros(8, dtype=torch.long), 32: torch.zeros(32, dtype=torch.long)},
        optimizer=torch.optim.SGD(net.parameters(), lr=0.1),
        **QUICK,
    )
    assert study.complete and torch.equal(net.weight, before)


def test_inputs_of_live_modules_belong_to_sizes(tmp_path: pathlib.Path) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch")
    net = torch.nn.Linear(4, 4)
    for inputs in (None, {}, {"8": torch.rand(8, 4)}, {0: torch.rand(8, 4)}):
        with pytest.raises(jt.BadInput, match="inputs: "):
            jt.sweep(net, inputs, folder=tmp_path / "none", **QUICK)
    with pytest.raises(jt.BadInput, match="for model files"):
        jt.sweep(net, {8: torch.rand(8, 4)}, batch=[1, 2], folder=tmp_path / "none", **QUICK)
