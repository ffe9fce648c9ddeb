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
    assert not (folder / "out").exists(), "an empty folder is left"


def save_odd_model(path, node, opset=17, ir_version=8, element=TensorProto.FLOAT, domain=""):
    graph = helper.make_graph(
        [node],
        "odd",
        [helper.make_tensor_value_info("x", element, ["n", 4])],
        [helper.make_tensor_value_info("y", element, ["n", 4])],
    )
    opsets = [helper.make_opsetid("", opset)] + ([helper.make_opsetid(domain, 1)] if domain else [])
    model = helper.make_model(graph, opset_imports=opsets)
    model.ir_version = ir_version
    save(model, str(path))


def check_refusals(program, folder):
    """What the engine refuses is one line: the file, the place, what to do."""

    def refused(name, words, flags=(), code=BAD_INPUT, **settings):
        path = folder / f"{name}.onnx"
        node = settings.pop("node", None) or helper.make_node("Relu", ["x"], ["y"], name="/r")
        save_odd_model(path, node, **settings)
        result = run(program, "profile", path, *flags, "--baseline", "0", "--budget", "2s")
        expect(result, code, *words)
        told = [line for line in result.stderr.splitlines() if "estimated from" not in line]
        assert len(told) == 1, told
        for leak in (".cc:", ".h:", "::", "ONNXRuntimeError"):
            assert leak not in result.stderr, result.stderr

    custom = helper.make_node("MyFancy", ["x"], ["y"], name="/block/fancy", domain="com.acme")
    refused("custom", ["custom.onnx: node '/block/fancy' (com.acme:MyFancy)"], node=custom, domain="com.acme")
    unknown = helper.make_node("NoSuchThing", ["x"], ["y"], name="/n")
    refused("unknown", ["unknown.onnx: node '/n' (NoSuchThing)", "opset 17"], node=unknown)
    refused("opset", ["opset.onnx: the model uses opset 99", "older opset"], opset=99)
    refused("ir", ["ir.onnx: the file is of IR version 99"], ir_version=99)
    erf = helper.make_node("Erf", ["x"], ["y"], name="/erf")
    refused("type", ["type.onnx: node '/erf' (Erf)", "int16"], node=erf, element=TensorProto.INT16)
    refused("device", ["'cuda:0'", "ONNXRUNTIME_ROOT"], ["--device", "cuda:0"], MISSING)


def check_missing_weights(program, folder):
    path = folder / "weights.onnx"
    weights = numpy_helper.from_array(numpy.ones((64, 64), numpy.float32), "w")
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "w"], ["y"])],
        "far",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 64])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 64])],
        [weights],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    save(model, str(path), save_as_external_data=True, location="far.data", size_threshold=0)
    (folder / "far.data").unlink()
    expect(run(program, "profile", path, "-o", folder / "made/out"), BAD_INPUT, "weights.onnx", "'far.data'")
    assert not (folder / "made").exists(), "an empty folder is left"


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
        check_refusals(program, Path(folder))
        check_missing_weights(program, Path(folder))


if __name__ == "__main__":
    main(*sys.argv[1:])
