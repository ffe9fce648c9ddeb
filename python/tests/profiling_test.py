"""Measuring model files in ONNX Runtime."""

from __future__ import annotations

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable
from typing import Any

import pytest

import jouletree as jt
from jouletree import _core, _engines, metrics

QUICK: dict[str, Any] = {"budget": "2s", "baseline": 0, "modules": False}


@pytest.fixture(scope="module")
def profile(small_bert: str) -> jt.Profile:
    return jt.profile(small_bert, dims={"batch": 1, "sequence": 8}, **QUICK)


def test_every_number_says_how_it_was_obtained(profile: jt.Profile) -> None:
    time = profile.metrics["time_s"]
    assert time.value is not None and time.value > 0
    assert (time.unit, time.provenance) == ("s", "measured")
    assert profile.metrics["energy_j"].provenance in ("measured", "estimated", None)
    assert profile.metrics["params"].provenance == "counted"
    assert profile.modules[0].time.value == time.value
    assert profile.modules[0].kind == "model"
    assert profile.ledger.operators == sum(one.count for one in profile.operators)
    measured = [one for one in profile.operators if one.time.provenance == "measured"]
    assert measured and all(one.time.unit == "s" for one in measured)
    assert profile.ledger.attribution_time.provenance == "measured"


def test_parts_that_were_measured_earlier_have_the_date() -> None:
    folder = pathlib.Path(__file__).parents[2] / "tests/golden/scripted_profiles/reused"
    profile = jt.load(folder)
    dates = {one.name: one.reused_from for one in profile.operators}
    assert dates["b.Exp"] == "2023-11-14T22:13:20Z"
    assert dates["c.Sin"] is None
    nodes = {one.scope: one.reused_from for one in profile.modules}
    assert nodes["b"] == "2023-11-14T22:13:20Z"
    assert nodes["c"] is None and nodes[""] is None


def test_a_saved_profile_is_the_same_when_loaded(
    profile: jt.Profile,
    tmp_path: pathlib.Path,
    command: Callable[..., str],
    spoken: Callable[..., str],
) -> None:
    folder = profile.save(tmp_path / "first")

    again = jt.load(folder)

    assert str(again) == str(profile)
    assert f"{again}\n" == spoken("show", folder)
    assert again.metrics["time_s"] == profile.metrics["time_s"]
    assert again.metrics["params"] == profile.metrics["params"]
    assert again.to_json() == command("show", folder, "--format", "json")
    copy = again.save(tmp_path / "second")
    assert str(jt.load(copy)) == str(profile)
    assert {file.name for file in copy.iterdir()} == {file.name for file in folder.iterdir()}
    with pytest.raises(jt.BadInput, match="holds a profile already"):
        profile.save(folder)
    profile.save(folder, replace=True)


def test_a_folder_without_a_profile_is_refused(tmp_path: pathlib.Path) -> None:
    with pytest.raises(jt.BadInput, match="name a folder that 'jouletree profile -o' wrote"):
        jt.load(tmp_path)


def test_a_frame_has_one_row_per_operator(profile: jt.Profile) -> None:
    pytest.importorskip("pandas", reason="pandas is not installed")

    frame = profile.to_pandas()

    assert len(frame) == profile.ledger.operators
    assert frame["time_s"].sum() > 0


def test_a_notebook_shows_a_table_and_a_tree(profile: jt.Profile) -> None:
    html = profile._repr_html_()

    assert html.count("<details") == html.count("</details>") > 3
    assert "<td>Time</td>" in html and "Time " in html and "time_s" not in html


def test_a_metric_of_ones_own_sees_what_was_measured(
    profile: jt.Profile, tmp_path: pathlib.Path
) -> None:
    @jt.metric(name="latency_per_param", unit="s", better="lower")
    def latency_per_param(result: Any) -> float:
        return float(result.metrics["time_s"]) / float(result.metrics["params"])

    try:
        result = jt.load(profile.save(tmp_path / "profile"))
    finally:
        metrics._definitions.clear()

    own = result.metrics["latency_per_param"]
    assert own.value == float(profile.time) / float(profile.metrics["params"])
    assert (own.unit, own.provenance) == ("s", "measured")
    assert "Latency per param" in str(result)
    assert "latency_per_param" in json.loads(result.to_json())["metrics"]


def test_a_profile_tells_the_size_of_the_file(profile: jt.Profile, small_bert: str) -> None:
    assert profile.metrics["size_bytes"].value == pathlib.Path(small_bert).stat().st_size


def test_a_metric_of_ones_own_is_compared_between_model_and_profile(
    profile: jt.Profile, small_bert: str, tmp_path: pathlib.Path
) -> None:
    @jt.metric(name="params_twice")
    def params_twice(result: Any) -> float:
        return 2 * float(result.metrics["params"])

    try:
        counted = jt.inspect(small_bert, dims={"batch": 1, "sequence": 8})
        measured = jt.load(profile.save(tmp_path / "profile"))
        models = json.loads(jt.compare(counted, measured).to_json())["models"]
    finally:
        metrics._definitions.clear()

    for model, result in zip(models, (counted, measured), strict=True):
        twice = 2 * float(result.metrics["params"])
        assert model["metrics"]["params_twice"]["value"] == twice
    assert models[0]["metrics"]["time_s"]["value"] is None, "it was not measured"
    assert models[1]["metrics"]["time_s"]["value"] == float(profile.time)


def test_arrays_are_what_the_model_runs_with(small_bert: str) -> None:
    np = pytest.importorskip("numpy", reason="NumPy is not installed")
    names = _core.input_names_of_file(small_bert)
    ids = {name: np.ones((2, 4), np.int64) for name in names}

    result = jt.profile(small_bert, ids, **QUICK)

    inputs = json.loads(result.to_json())["inputs"]
    assert [one["shape"] for one in inputs] == [[2, 4]] * len(names)
    assert inputs[0]["dims"][0]["from"] == "data"
    with pytest.raises(jt.BadInput, match="500"):
        jt.profile(small_bert, {**ids, names[0]: np.full((2, 4), 500)}, **QUICK)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"budget": "30"}, "budget"),
        ({"budget": 0}, "budget is 0: give a time above 0"),
        ({"precision": 2}, "precision is 2: give a share"),
        ({"precision": "2"}, "precision is '2': give a share"),
        ({"target": "high%"}, "target is 'high%': give a share"),
        ({"cache": "warm"}, "cache is 'warm'; it takes one of 'hot', 'model', 'cold'"),
        ({"threads": 0}, "threads is 0: give a whole number, from 1 to 1024"),
        ({"threads": "2"}, "threads is '2': give a whole number"),
        ({"threads": 1.5}, "threads is 1.5: give a whole number"),
        ({"modules": "no"}, "modules is 'no': give True or False"),
        ({"budget": [1]}, r"budget is \[1\]: give a time above 0"),
        ({"baseline": -2}, "baseline is -2: give a time of 0 or more"),
        ({"precision": -1}, "precision is -1: give a share"),
        ({"seed": "a"}, "seed is 'a': give a whole number"),
        ({"seed": -1}, "seed is -1: give a whole number"),
        ({"dims": [3]}, r"dims is \[3\]: give a dictionary, such as {'batch': 8}"),
        ({"dims": {"batch": "a"}}, "dims: 'batch' is 'a': give a size"),
        ({"values": 3}, "values is 3: give a dictionary"),
        ({"provider_options": "x"}, "provider_options is 'x': give a dictionary"),
        ({"loss": print, "kwargs": None}, r"^loss: only for live PyTorch models"),
        ({"dim": {"batch": 1}}, r"^dim: profile has no such argument; did you mean dims\?$"),
        ({"qqq": 1}, r"^qqq: profile has no such argument$"),
        ({"dims": {"bach": 3}}, "bach"),
    ],
)
def test_arguments_that_cannot_be_used_are_named(
    small_bert: str, arguments: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(jt.BadInput, match=sentence):
        jt.profile(small_bert, **arguments)


def test_a_missing_engine_is_one_sentence_with_the_command(
    small_bert: str, tmp_path: pathlib.Path
) -> None:
    # As in a wheel: all that is ours, and no ONNX Runtime.
    for file in ("jouletree-worker", "libjouletree_onnxruntime.so"):
        (tmp_path / file).symlink_to(_engines.ENGINE_FOLDER / file)
    code = textwrap.dedent(
        f"""
        import importlib.util, pathlib, jouletree
        from jouletree import _engines
        _engines.ENGINE_FOLDER = pathlib.Path({str(tmp_path)!r})
        found = importlib.util.find_spec
        importlib.util.find_spec = lambda name: None if name == "onnxruntime" else found(name)
        try:
            jouletree.profile({small_bert!r})
        except jouletree.Missing as error:
            print(error)
        """
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == (
        "profiling a model file needs ONNX Runtime; install it with: pip install onnxruntime"
    )


SHOWN = """
import jouletree
from jouletree import _interrupts, profiling
shown = _interrupts.telling(lambda line: print(line, flush=True))
profiling.shown_progress = lambda: shown
print("ready", flush=True)
jouletree.profile({model!r}, baseline=0, budget="60s")
"""


@pytest.mark.parametrize("whom", ["python", "all of the terminal"])
@pytest.mark.parametrize("lines", [0, 1])
def test_ctrl_c_stops_a_measurement_and_leaves_nothing_behind(
    small_bert: str, tmp_path: pathlib.Path, whom: str, lines: int
) -> None:
    """Early, or after so many lines that say how far the measurement is."""
    code = SHOWN.format(model=small_bert)
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    # Measuring begins when the engine has written the model that it watches.
    while process.poll() is None and not any(tmp_path.glob("*/run.onnx")):
        time.sleep(0.01)
    for _ in range(lines):
        assert process.stdout.readline()
    if whom == "python":
        process.send_signal(signal.SIGINT)
    else:  # A terminal tells the worker, too.
        os.killpg(process.pid, signal.SIGINT)
    _, complaints = process.communicate(timeout=120)

    assert process.returncode == -signal.SIGINT
    assert complaints.rstrip().endswith("KeyboardInterrupt")
    assert list(tmp_path.iterdir()) == []


def test_pips_onnx_runtime_is_found_without_importing_it(tmp_path: pathlib.Path) -> None:
    pytest.importorskip("onnxruntime", reason="the package onnxruntime is not installed")
    code = textwrap.dedent(
        """
        import sys
        from jouletree import _engines
        print(_engines.onnx_runtime_folder(), "onnxruntime" in sys.modules)
        """
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    folder, imported = done.stdout.split()
    assert imported == "False"
    assert list(pathlib.Path(folder).glob("libonnxruntime.so.1.*"))

    # The command of the package finds it as well, whatever else the machine has.
    environment = {**os.environ, "JOULETREE_ENGINE_DIR": tempfile.mkdtemp(dir=tmp_path)}
    words = [sys.executable, "-m", "jouletree", "--version"]
    version = subprocess.run(words, capture_output=True, text=True, check=True, env=environment)
    assert str(pathlib.Path(folder).resolve()) in version.stdout


def test_what_is_wrong_with_an_array_is_said_of_the_input(
    small_bert: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    np = pytest.importorskip("numpy", reason="NumPy is not installed")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(jt.BadInput, match=r"^x\['input_ids'\]: .*must be int64"):
        jt.profile(small_bert, {"input_ids": np.ones((1, 4), np.float32)}, **QUICK)
    with pytest.raises(jt.BadInput, match=r"^x\['nope'\]: the model has no input 'nope'"):
        jt.profile(small_bert, {"nope": np.ones((1, 4))}, **QUICK)
    with pytest.raises(jt.BadInput, match=r"^zoo: bert-l2-h128: .*no optimisation level 'most'"):
        jt.profile("bert-l2-h128", level="most", **QUICK)
    assert list(tmp_path.iterdir()) == []


def test_a_profile_without_another_model_is_named(profile: jt.Profile) -> None:
    with pytest.raises(jt.BadInput, match=f"^the profile of {profile.name}: all runs have the"):
        jt.crossvalidate([profile])


def test_a_profile_is_not_saved_over_a_file(profile: jt.Profile, tmp_path: pathlib.Path) -> None:
    (tmp_path / "layers.csv").write_text("")
    with pytest.raises(jt.BadInput, match=r"layers\.csv is a file: give the path of a folder"):
        profile.save(tmp_path / "layers.csv")


def test_the_ledger_has_what_is_printed(profile: jt.Profile) -> None:
    ledger = profile.ledger
    assert ledger.raw_operators_time.value is not None
    assert ledger.raw_operators_time.provenance == "measured"
    assert ledger.raw_operators_energy.unit == "J" and ledger.whole_energy.unit == "J"
    assert ledger.whole_time.value == pytest.approx(profile.time.value)
    assert ledger.caller is None and ledger.caller_time.value is None
