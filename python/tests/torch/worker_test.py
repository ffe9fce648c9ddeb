"""`jouletree profile model.pt`: the program measures, and a Python process runs the model."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import venv
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch")

import numpy as np
from model_files import Chatty, Scaled, Worded, exported, scripted

import jouletree as jt

PROGRAM = Path(jt.__file__).parent / "bin" / "jouletree"
QUICK = ("--budget", "1s", "--baseline", "0")
OLD_PYTHON = Path("/usr/bin/python3")
FAILED, BAD_INPUT, MISSING, INTERRUPTED = 1, 2, 3, 130


def environment(**variables: str) -> dict[str, str]:
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in ("JOULETREE_PYTHON", "VIRTUAL_ENV", "CONDA_PREFIX", "PYTHONPATH")
    }
    return kept | variables


def run(*words: object, **variables: str) -> subprocess.CompletedProcess[str]:
    command = [str(PROGRAM), "profile", *(str(word) for word in words)]
    return subprocess.run(
        command, capture_output=True, text=True, env=environment(**variables), timeout=300
    )


def profile(*words: object) -> subprocess.CompletedProcess[str]:
    return run(*words, *QUICK, "--python", sys.executable)


def children_of(parent: int) -> list[int]:
    listed = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(parent)], capture_output=True, text=True
    )
    return [int(word) for word in listed.stdout.split()]


def is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_the_command_shows_and_writes_what_python_does(tmp_path: Path) -> None:
    path = scripted(Scaled(), tmp_path / "small.pt")
    result = profile(path, "--input", "x=4x16", "-o", tmp_path / "out")
    assert result.returncode == 0, result.stderr
    assert "small in PyTorch" in result.stdout and "TorchScript and dispatch" in result.stdout
    stored = jt.load(tmp_path / "out")
    live = jt.profile(path, (4, 16), budget="1s", baseline=0)
    live.save(tmp_path / "live")
    assert {one.name for one in (tmp_path / "out").iterdir()} == {
        one.name for one in (tmp_path / "live").iterdir()
    }
    assert [node.scope for node in stored.modules] == [node.scope for node in live.modules]
    for name in ("params", "macs", "flops", "bytes_moved", "size_bytes", "operators"):
        assert stored.metrics[name].value == live.metrics[name].value, name


def test_json_is_that_of_the_folder(tmp_path: Path) -> None:
    path = scripted(Scaled(), tmp_path / "small.pt")
    result = profile(path, "--input", "x=4x16", "--format", "json", "-o", tmp_path / "out")
    printed: dict[str, Any] = json.loads(result.stdout)
    assert printed == json.loads((tmp_path / "out" / "profile.json").read_text())


def test_data_come_from_files(tmp_path: Path) -> None:
    path = scripted(Worded(), tmp_path / "words.pt")
    np.savez(
        tmp_path / "inputs.npz",
        input_ids=np.arange(12).reshape(2, 6),
        attention_mask=np.ones((2, 6), np.int64),
    )
    result = profile(path, "--data", tmp_path / "inputs.npz")
    assert result.returncode == 0, result.stderr
    assert "input_ids: int64 2x6" in result.stdout and "--data" not in result.stdout
    made_up = profile(path, "--input", "input_ids=2x6", "--input", "attention_mask=2x6")
    assert "give real data with --data" in made_up.stdout


def test_a_program_of_torch_export_needs_no_shapes(tmp_path: Path) -> None:
    path = exported(Scaled(), tmp_path / "small.pt2", torch.ones(4, 16))
    result = profile(path)
    assert result.returncode == 0, result.stderr
    assert "Python and dispatch" in result.stdout


def test_a_model_may_print(tmp_path: Path) -> None:
    result = profile(scripted(Chatty(), tmp_path / "chatty.pt"), "--input", "x=4")
    assert result.returncode == 0, result.stderr
    assert "hello from the model" not in result.stdout


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        ([], BAD_INPUT, "give --input x=SHAPE"),
        (["--input", "x=4x15"], BAD_INPUT, "shapes cannot be multiplied (4x15 and 16x32)"),
        (["--input", "y=4x16"], BAD_INPUT, "no input 'y'; its inputs are: x, times, shift"),
        (["--input", "x=4x16", "--dim", "batch=4"], BAD_INPUT, "--dim batch"),
        (["--input", "x=4x16", "--level", "basic"], BAD_INPUT, "--level is for ONNX files"),
        (["--input", "x=4x16", "--execution", "parallel"], BAD_INPUT, "--execution is for"),
        (["--input", "x=4x16", "--provider-option", "a=b"], BAD_INPUT, "--provider-option"),
        (["--input", "x=4x16", "--device", "nowhere"], BAD_INPUT, "nowhere"),
        (["--input", "x=4x16", "--data", "missing.npy"], BAD_INPUT, "missing.npy"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(
    tmp_path: Path, words: list[str], code: int, says: str
) -> None:
    path = scripted(Scaled(), tmp_path / "small.pt")
    result = profile(path, *words)
    assert result.returncode == code, result.stderr
    last = result.stderr.strip().splitlines()[-1]
    assert says in last and last.startswith("jouletree: "), result.stderr
    assert not result.stdout


def test_threads_and_seed_are_taken(tmp_path: Path) -> None:
    path = scripted(Scaled(), tmp_path / "small.pt")
    words = ("--input", "x=4x16", "--threads", "2", "--seed", "7", "--no-modules")
    result = profile(path, *words)
    assert result.returncode == 0, result.stderr
    assert "threads=2" in result.stdout and "seed=7" in result.stdout


COUNTED = """#!{python}
import os, pathlib, runpy, sys

class Requests:
    def __init__(self, stream):
        self.read = stream.read
        self.stream, self.number = stream, 0

    def readline(self):
        size = self.stream.readline()
        pathlib.Path(__file__ + f".{{self.number}}").touch()
        self.number += 1
        return size

opened = os.fdopen
os.fdopen = lambda *words: Requests(opened(*words))
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


@pytest.mark.parametrize("request_number", [None, 0, 1, 2, 3, 10, 40])
def test_ctrl_c_ends_everything(tmp_path: Path, request_number: int | None) -> None:
    """In the terminal the signal reaches the worker, too: while it starts, or while it answers a
    request."""
    path = scripted(Scaled(), tmp_path / "small.pt")
    python = tmp_path / "python"
    python.write_text(COUNTED.format(python=sys.executable))
    python.chmod(0o755)
    words = ["--input", "x=4x16", "--budget", "60s", "--baseline", "0", "-o", tmp_path / "out"]
    running = subprocess.Popen(
        [str(one) for one in (PROGRAM, "profile", path, *words, "--python", python)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
        start_new_session=True,
    )
    workers: list[int] = []
    while not workers and running.poll() is None:
        workers = children_of(running.pid)
    while request_number is not None and not Path(f"{python}.{request_number}").exists():
        assert running.poll() is None, "the program ended before"
        time.sleep(0.01)
    os.killpg(running.pid, signal.SIGINT)
    printed, complaints = running.communicate(timeout=120)
    assert running.returncode == INTERRUPTED, complaints
    assert "interrupted; nothing was written" in complaints and not printed
    assert "Traceback" not in complaints
    assert not any(is_there(worker) for worker in workers)
    assert not (tmp_path / "out").exists()


def test_a_killed_worker_costs_no_more_than_it_had_to_do(tmp_path: Path) -> None:
    path = scripted(Scaled(), tmp_path / "small.pt")
    doomed = tmp_path / "python"
    doomed.write_text("#!/bin/sh\nread size\nkill -KILL $$\n")
    doomed.chmod(0o755)
    ended = run(path, "--input", "x=4x16", *QUICK, "--python", doomed)
    # While it starts, nothing can be saved; the sentence says what happened.
    assert ended.returncode == MISSING, ended.stderr
    assert "killed, most likely for lack of memory" in ended.stderr
    assert not ended.stdout


def test_a_python_without_pytorch_is_told_how_to_get_it(tmp_path: Path) -> None:
    path = scripted(Scaled(), tmp_path / "small.pt")
    venv.create(tmp_path / "empty", with_pip=False)
    empty = tmp_path / "empty" / "bin" / "python"
    result = run(path, "--input", "x=4x16", "--python", empty)
    assert result.returncode == MISSING
    assert f"{empty} has no PyTorch; install it with: {empty} -m pip install torch" in result.stderr
    # One that was found is passed over, and the next one is asked.
    passed_over = run(
        path,
        "--input",
        "x=4x16",
        *QUICK,
        VIRTUAL_ENV=str(tmp_path / "empty"),
        PATH=str(Path(sys.executable).parent),
    )
    assert passed_over.returncode == 0, passed_over.stderr


def test_an_old_pytorch_is_refused_by_its_version(tmp_path: Path) -> None:
    asked = subprocess.run(
        [OLD_PYTHON, "-c", "import torch; print(torch.__version__)"],
        capture_output=True,
        text=True,
        env=environment(),
    )
    version = asked.stdout.strip()
    if asked.returncode != 0 or not version.startswith("1."):
        pytest.skip(f"{OLD_PYTHON} has no PyTorch 1.x: apt-get install python3-torch")
    path = scripted(Scaled(), tmp_path / "small.pt")
    result = run(path, "--input", "x=4x16", "--python", OLD_PYTHON)
    assert result.returncode == MISSING
    assert f"has PyTorch {version}, but 2.1 or newer is needed" in result.stderr
