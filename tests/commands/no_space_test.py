#!/usr/bin/python3
"""Commands that write, on file systems that are read-only, become read-only meanwhile, or are full.

    no_space_test.py PROGRAM TREE_FILE

It mounts file systems of its own in a namespace that nobody else sees.
"""

import contextlib
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy
from onnx import TensorProto, helper, numpy_helper, save

BAD_INPUT, SKIPPED = 2, 77
PATIENCE = 120
READ_ONLY, FULL = "Read-only file system", "No space left on device"
QUICK = ["--baseline", "0", "--budget", "100ms"]


def run(*command, **how):
    return subprocess.run(
        [str(word) for word in command],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
        **how,
    )


def in_namespace():
    """Words before a command that may mount; none, and the reason, where nobody may."""
    words = ["unshare", "--mount"]
    if os.geteuid() != 0:
        words += ["--user", "--map-root-user"]
    try:
        tried = run(*words, "mount", "-t", "tmpfs", "none", "/tmp")
    except FileNotFoundError as problem:
        return [], str(problem)
    return (words, "") if tried.returncode == 0 else ([], tried.stderr.strip())


@contextlib.contextmanager
def mounted(folder, *options):
    folder.mkdir()
    assert run("mount", "-t", "tmpfs", *options, "none", folder).returncode == 0
    try:
        yield folder
    finally:
        run("umount", "--lazy", folder)
        folder.rmdir()


def make_read_only(folder):
    made = run("mount", "-o", "remount,ro", folder)
    assert made.returncode == 0, made.stderr


def save_model(path):
    weights = numpy.full((64, 64), 0.01, dtype=numpy.float32)
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "w"], ["y"], name="/only")],
        "small",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 64])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 64])],
        [numpy_helper.from_array(weights, "w")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
    model.ir_version = 8
    save(model, str(path))


def expect_refusal(result, target, word):
    """One line that says where and why, before anything else is said or done."""
    assert result.returncode == BAD_INPUT, (result.args, result.returncode, result.stderr)
    assert not result.stdout, result.stdout
    lines = [line for line in result.stderr.splitlines() if "is estimated from" not in line]
    assert len(lines) == 1, lines
    assert str(target) in lines[0] and word in lines[0], lines


def check_read_only(program, model, tree_file, predictor, folder):
    """Nothing is measured where the result cannot be kept."""
    with mounted(folder / "read-only") as place:
        (place / "there").mkdir()
        make_read_only(place)
        for target in (place / "new/profile", place / "there"):
            began = time.monotonic()
            measured = run(program, "profile", model, "--baseline", "20s", "-o", target)
            expect_refusal(measured, target, READ_ONLY)
            assert time.monotonic() - began < 15, "it measures first"
            marker = folder / "ran"
            recorded = run(program, "run", "-o", target, "--", "touch", marker)
            expect_refusal(recorded, target, READ_ONLY)
            assert not marker.exists(), "the command ran, and its recording had no place"
            swept = run(program, "sweep", model, "--threads", "1,2", "--inferences", "1", "-o", target)
            expect_refusal(swept, target, READ_ONLY)
        file = place / "result"
        for words in (
            ["train", tree_file],
            ["zoo", "build", "bert-l2-h128", "--set", "layers=1", "--set", "vocabulary=100"],
            ["calibrate", "--budget", "1h", "--db", f"sqlite:{folder}/unused.sqlite"],
        ):
            expect_refusal(run(program, *words, "-o", file), file, READ_ONLY)
        # What was predicted is shown all the same.
        predicted = run(program, "predict", predictor, tree_file, "-o", file)
        assert predicted.returncode == BAD_INPUT, predicted
        assert f"{file}: cannot be written: {READ_ONLY}" in predicted.stderr, predicted.stderr
        assert predicted.stdout, "the prediction is lost"


def profile_while(program, model, target, happens):
    """Profiles, and lets something happen to the target when the measuring has begun."""
    command = [program, "profile", model, "--baseline", "2s", "--budget", "100ms", "-o", target]
    with subprocess.Popen(
        [str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        deadline = time.monotonic() + PATIENCE
        while not children.read_text().strip():
            assert time.monotonic() < deadline, "no worker was started"
            time.sleep(0.01)
        happens()
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == BAD_INPUT, (process.returncode, err)
    assert "small" in out and "energy" in out, f"what was measured is lost: {out}"
    return err


def files_below(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def check_read_only_meanwhile(program, model, folder):
    with mounted(folder / "becomes-read-only") as place:
        err = profile_while(program, model, place / "profile", lambda: make_read_only(place))
        assert f"{place / 'profile'}" in err and READ_ONLY in err, err
        assert files_below(place) == ["profile"], files_below(place)


def check_full_meanwhile(program, model, folder):
    with mounted(folder / "becomes-full", "-o", "size=64k") as place:
        target = place / "profile"

        def fill():
            with (place / "filler").open("wb", buffering=0) as file, contextlib.suppress(OSError):
                while True:
                    file.write(bytes(4096))

        err = profile_while(program, model, target, fill)
        assert str(target) in err and FULL in err, err
        assert files_below(place) == ["filler"], files_below(place)


def check_full_beside_older(program, model, folder):
    """The older profile stays as it is."""
    with mounted(folder / "full", "-o", "size=512k") as place:
        target = place / "profile"
        command = [program, "profile", model, *QUICK, "-o", target]
        first = run(*command)
        assert first.returncode == 0, first.stderr
        older = {path.name: path.read_bytes() for path in target.iterdir()}

        def fill():
            with (place / "filler").open("wb", buffering=0) as file, contextlib.suppress(OSError):
                while True:
                    file.write(bytes(4096))

        fill()
        second = run(*command, "--replace")
        assert second.returncode == BAD_INPUT and FULL in second.stderr, second.stderr
        assert second.stdout, "what was measured is lost"
        assert {path.name: path.read_bytes() for path in target.iterdir()} == older
        (place / "filler").unlink()
        third = run(*command, "--replace")
        assert third.returncode == 0, third.stderr


def check_full_standard_output(program, model, folder):
    """What cannot be shown is kept."""
    target = folder / "kept"
    with open("/dev/full", "w") as full:
        result = subprocess.run(
            [program, "profile", str(model), *QUICK, "-o", str(target), "--db", f"sqlite:{folder}/kept.sqlite"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=PATIENCE,
        )
    assert result.returncode == 1 and "standard output" in result.stderr, result
    assert run(program, "show", target).returncode == 0
    stored = run(program, "db", "stats", "--db", f"sqlite:{folder}/kept.sqlite")
    assert stored.returncode == 0 and re.search(r"^operators +1$", stored.stdout, re.M), stored


def main(program, tree_file):
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch).resolve()
        model, predictor = folder / "small.onnx", folder / "predictor.json"
        save_model(model)
        trained = run(program, "train", tree_file, "-o", predictor)
        assert trained.returncode == 0, trained.stderr
        check_read_only(program, model, tree_file, predictor, folder)
        check_read_only_meanwhile(program, model, folder)
        check_full_meanwhile(program, model, folder)
        check_full_beside_older(program, model, folder)
        check_full_standard_output(program, model, folder)


if __name__ == "__main__":
    if "inside" in sys.argv[3:]:
        main(*sys.argv[1:3])
    else:
        words, reason = in_namespace()
        if reason:
            print(f"skipped: nothing can be mounted here: {reason}")
            sys.exit(SKIPPED)
        sys.exit(subprocess.run([*words, sys.executable, *sys.argv, "inside"], check=False).returncode)
