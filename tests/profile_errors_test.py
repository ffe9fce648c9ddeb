#!/usr/bin/python3
"""What `profile` does with what it cannot use, and with a worker that is killed.

    profile_errors_test.py PROGRAM
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy
from onnx import TensorProto, helper, numpy_helper, save

BAD_INPUT, MISSING = 2, 3


def run(*command):
    return subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, check=False
    )


def expect(result, code, *words):
    assert result.returncode == code, f"{result.args}: {result.returncode}, {result.stderr}"
    for word in words:
        assert word in result.stderr, f"{result.args}: no '{word}' in {result.stderr}"
    assert not result.stdout, result.stdout


def save_model(path, nodes, output_shape):
    square = numpy.full((64, 64), 0.01, dtype=numpy.float32)
    graph = helper.make_graph(
        nodes,
        "small",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 64])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, output_shape)],
        [numpy_helper.from_array(square, "w")],
    )
    opsets = [helper.make_opsetid("", 13), helper.make_opsetid("nobody.knows", 1)]
    model = helper.make_model(graph, opset_imports=opsets)
    model.ir_version = 8
    save(model, str(path))


def check_flags(program, model):
    for flags, word in (
        (["--budget", "0"], "--budget"),
        (["--budget", "soon"], "--budget soon"),
        (["--precision", "0"], "--precision 0"),
        (["--target", "200%"], "--target 200%"),
        (["--baseline", "-1s"], "--baseline"),
        (["--provider-option", "quick"], "NAME=VALUE"),
        (["--cache", "warm"], "--cache"),
        (["--input", "x=1x3"], "x"),
        (["--sysroot", "/nowhere"], "/nowhere"),
    ):
        expect(run(program, "profile", model, *flags), BAD_INPUT, word)
    expect(run(program, "profile", model, "--device", "abacus"), MISSING, "abacus", "it knows", "cpu")


def worker_of(process):
    """The process that runs the engine, as soon as it is there."""
    for _ in range(500):
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        if children:
            return int(children[0])
        time.sleep(0.02)
    sys.exit("no worker was started")


def check_killed_worker(program, model):
    """A worker that is killed costs what it was doing; the rest is measured."""
    command = [program, "profile", model, "--budget", "12s", "--baseline", "0", "--format", "json"]
    with subprocess.Popen(
        [str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        first = worker_of(process)
        time.sleep(3)
        os.kill(first, signal.SIGKILL)
        output, errors = process.communicate()
    assert process.returncode == 0, errors
    profile = json.loads(output)
    measured = [operator for operator in profile["operators"] if operator.get("time_s")]
    assert measured, output
    lost = json.dumps([profile["operators"], profile["modules"], profile["notes"]])
    assert "killed" in lost.lower() or "signal" in lost.lower(), lost


def check_interrupt(program, model, folder):
    """Nothing is left behind, and the exit code says what happened."""
    scratch = folder / "scratch"
    scratch.mkdir()
    command = [program, "profile", model, "--budget", "60s", "--baseline", "0", "-o", folder / "out"]
    with subprocess.Popen(
        [str(word) for word in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(scratch)},
    ) as process:
        worker_of(process)
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate()
    assert process.returncode == 128 + signal.SIGINT, (process.returncode, errors)
    assert "interrupted" in errors and not output, (errors, output)
    left = list(scratch.glob("jouletree-*"))
    assert not left, left
    assert not list((folder / "out").iterdir()), list((folder / "out").iterdir())


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        good = Path(folder) / "good.onnx"
        chain = [helper.make_node("MatMul", ["x", "w"], ["m0"])]
        for i in range(6):
            chain.append(helper.make_node("Softmax", [f"m{2 * i}"], [f"m{2 * i + 1}"]))
            chain.append(helper.make_node("MatMul", [f"m{2 * i + 1}", "w"], [f"m{2 * i + 2}"]))
        chain.append(helper.make_node("Relu", ["m12"], ["y"]))
        save_model(good, chain, [1, 64])
        check_flags(program, good)
        check_killed_worker(program, good)
        check_interrupt(program, good, Path(folder))
        strange = Path(folder) / "strange.onnx"
        save_model(strange, [helper.make_node("Guess", ["x"], ["y"], domain="nobody.knows")], [1, 64])
        expect(run(program, "profile", strange), BAD_INPUT, "Guess")
        expect(run(program, "profile", Path(folder) / "none.onnx"), BAD_INPUT, "none.onnx")


if __name__ == "__main__":
    main(*sys.argv[1:])
