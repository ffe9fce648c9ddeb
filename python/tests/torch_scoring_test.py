"""Scores of live PyTorch models and of PyTorch's files."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from conftest import PROGRAM
from scored_models import CLASSES, HIDDEN, INPUTS, Trained, examples, write_onnx

import jouletree as jt

np = pytest.importorskip("numpy")
torch = pytest.importorskip("torch")


class Net(torch.nn.Module):  # type: ignore[misc, name-defined, unused-ignore]
    def __init__(self) -> None:
        super().__init__()
        self.first = torch.nn.Linear(INPUTS, HIDDEN)
        self.norm = torch.nn.BatchNorm1d(HIDDEN)
        self.drop = torch.nn.Dropout(0.5)
        self.second = torch.nn.Linear(HIDDEN, CLASSES)

    def forward(self, x: Any) -> Any:
        return self.second(self.drop(torch.relu(self.norm(self.first(x)))))


@pytest.fixture(scope="module")
def data() -> tuple[Any, Any]:
    x, y = examples(203, 2)
    return torch.from_numpy(x), torch.from_numpy(y)


@pytest.fixture(scope="module")
def net() -> Any:
    """Trained here, in a few steps."""
    torch.manual_seed(0)
    x, y = (torch.from_numpy(one) for one in examples(400, 1))
    net = Net()
    optimizer = torch.optim.Adam(net.parameters(), lr=0.02)
    for _ in range(120):
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()
    return net


@pytest.fixture(scope="module")
def reported(net: Any, data: tuple[Any, Any]) -> dict[str, float]:
    """What a script of PyTorch says about it."""
    was = net.training
    net.eval()
    with torch.no_grad():
        logits = net(data[0])
    net.train(was)
    return {
        "top1": float((logits.argmax(1) == data[1]).double().mean()),
        "top2": float((logits.topk(2).indices == data[1][:, None]).any(1).double().mean()),
        "loss": float(torch.nn.functional.cross_entropy(logits, data[1])),
    }


def _loader(data: tuple[Any, Any], batch: int = 30) -> Any:
    return torch.utils.data.DataLoader(torch.utils.data.TensorDataset(*data), batch_size=batch)


def test_accuracy_is_what_the_training_script_reports(
    net: Any, data: tuple[Any, Any], reported: dict[str, float]
) -> None:
    assert 0.5 < reported["top1"] < 0.99
    for given in (_loader(data), data, (data[0].numpy(), data[1].numpy())):
        score = jt.score(net, given, metric=list(reported))
        assert score.value == pytest.approx(reported["top1"], abs=1e-12)
        assert score.metrics["top2"].value == pytest.approx(reported["top2"], abs=1e-12)
        assert score.metrics["loss"].value == pytest.approx(reported["loss"], rel=1e-5)
        assert score.n == 203
    whole_set = torch.utils.data.TensorDataset(*data)
    assert jt.score(net, whole_set).value == pytest.approx(reported["top1"], abs=1e-12)


def test_its_onnx_export_has_the_same_accuracy(
    net: Any, data: tuple[Any, Any], reported: dict[str, float], tmp_path: pathlib.Path
) -> None:
    pytest.importorskip("onnx")
    # In evaluation, batch normalisation is part of the first layer.
    scale = net.norm.weight / torch.sqrt(net.norm.running_var + net.norm.eps)
    weights = [
        (net.first.weight * scale[:, None]).T,
        (net.first.bias - net.norm.running_mean) * scale + net.norm.bias,
        net.second.weight.T,
        net.second.bias,
    ]
    arrays = [np.ascontiguousarray(one.detach().numpy()) for one in weights]
    made = Trained(arrays, data[0].numpy(), data[1].numpy())
    file = write_onnx(made, tmp_path / "net.onnx")
    score = jt.score(file, _loader(data))
    assert score.value == pytest.approx(reported["top1"], abs=1e-12)


def test_the_model_is_left_as_it_was(net: Any, data: tuple[Any, Any]) -> None:
    net.train()
    net.norm.eval()
    before = {name: one.clone() for name, one in net.state_dict().items()}
    first, second = (jt.score(net, _loader(data)).value for _ in range(2))
    assert first == second
    assert net.training and net.drop.training and not net.norm.training
    assert all(torch.equal(one, before[name]) for name, one in net.state_dict().items())
    assert torch.is_grad_enabled() and all(one.requires_grad for one in net.parameters())
    with pytest.raises(jt.BadInput, match="the model raised RuntimeError"):
        jt.score(net, data[0][:, :3], data[1])
    assert net.training and not net.norm.training
    net.norm.train()


def test_buffers_that_a_run_changes_are_put_back(data: tuple[Any, Any]) -> None:
    class Counting(torch.nn.Module):  # type: ignore[misc, name-defined, unused-ignore]
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("calls", torch.zeros(()))

        def forward(self, x: Any) -> Any:
            self.calls += 1
            return x

    model = Counting()
    jt.score(model, data[0], data[1] % INPUTS)
    assert float(model.calls) == 0


def test_own_functions_get_tensors(
    net: Any, data: tuple[Any, Any], reported: dict[str, float]
) -> None:
    score = jt.score(net, _loader(data), metric=lambda o, y: (o.argmax(1) == y).float().mean())
    assert score.value == pytest.approx(reported["top1"], rel=1e-6)
    assert score.metric == "own"


def test_outputs_with_logits_are_found(net: Any, data: tuple[Any, Any], reported: Any) -> None:
    class Wrapped(torch.nn.Module):  # type: ignore[misc, name-defined, unused-ignore]
        def __init__(self) -> None:
            super().__init__()
            self.net = net

        def forward(self, pixels: Any) -> Any:
            return {"hidden": pixels, "logits": self.net(pixels)}

    batches = ({"pixels": x, "labels": y} for x, y in _loader(data))
    assert jt.score(Wrapped(), batches).value == pytest.approx(reported["top1"], abs=1e-12)
    with pytest.raises(jt.BadInput, match="returns no 'scores'; it returns: hidden, logits"):
        jt.score(Wrapped(), data, output="scores")


@pytest.mark.parametrize("kind", ["script", "export", "fixed"])
def test_files_of_pytorch_score_the_same(
    net: Any,
    data: tuple[Any, Any],
    reported: dict[str, float],
    kind: str,
    tmp_path: pathlib.Path,
    command: Callable[..., str],
) -> None:
    net.eval()
    if kind == "script":
        file = tmp_path / "net.pt"
        torch.jit.save(torch.jit.trace(net, data[0][:2]), str(file))
    else:
        file = tmp_path / "net.pt2"
        dynamic = {"x": {0: torch.export.Dim("batch")}} if kind == "export" else None
        torch.export.save(
            torch.export.export(net, (data[0][:8],), dynamic_shapes=dynamic), str(file)
        )
    net.train()
    np.save(tmp_path / "x.npy", data[0].numpy())
    np.save(tmp_path / "y.npy", data[1].numpy())
    words = ["--data", tmp_path / "x.npy", "--labels", tmp_path / "y.npy", "--format", "json"]
    told = json.loads(command("score", file, *words, "--python", sys.executable))
    assert told["scores"][0]["value"] == pytest.approx(reported["top1"], abs=1e-12)
    assert told["batch"] == (8 if kind == "fixed" else 32)
    if kind != "script":
        np.save(tmp_path / "x64.npy", data[0].double().numpy())
        doubles = ["score", file, "--data", tmp_path / "x64.npy", *words[2:4]]
        refused = subprocess.run(
            [str(PROGRAM), *map(str, doubles), "--python", sys.executable],
            capture_output=True,
            text=True,
            check=False,
        )
        assert refused.returncode == 2
        assert "x64.npy: input 'x' must be float32, but the data are float64" in refused.stderr
    for given in (data, _loader(data)):
        score = jt.score(str(file), given, metric=list(reported))
        assert score.n == 203
        assert score.value == pytest.approx(reported["top1"], abs=1e-12)
        assert score.metrics["loss"].value == pytest.approx(reported["loss"], rel=1e-5)
    if kind == "fixed":
        assert (score.batch, jt.score(str(file), data).batch) == (8, 8)
        assert "the model takes exactly 8 examples at a time" in score.notes
        arrays = (data[0].numpy(), data[1].numpy())
        assert jt.score(str(file), arrays).value == score.value
        with pytest.raises(jt.BadInput, match="takes exactly 8 examples"):
            jt.score(str(file), data, batch=5)


def test_a_loader_brings_its_own_labels(net: Any, data: tuple[Any, Any]) -> None:
    with pytest.raises(jt.BadInput, match="is a DataLoader, which brings labels of its own"):
        jt.score(net, _loader(data), data[1])


def test_a_live_profile_takes_a_score(
    net: Any, data: tuple[Any, Any], reported: dict[str, float]
) -> None:
    quick: dict[str, Any] = {"budget": "1s", "baseline": 0, "modules": False}
    profile = jt.profile(net, data[0][:4], score=(_loader(data), "top1"), **quick)
    assert profile.metrics["score_top1"].value == pytest.approx(reported["top1"], abs=1e-12)
    assert "Accuracy, top-1" in str(profile)
    with pytest.raises(jt.BadInput, match="score is an int"):
        jt.profile(net, data[0][:4], score=3, **quick)


def test_lists_are_what_pytorch_makes_of_them_and_float64_is_told(
    net: Any, data: tuple[Any, Any], reported: dict[str, float]
) -> None:
    x, y = data
    assert jt.score(net, x.tolist(), y.tolist()).value == pytest.approx(reported["top1"])
    with pytest.raises(jt.BadInput, match=r"the input is float64: .*\.float\(\)"):
        jt.score(net, x.double(), y)
