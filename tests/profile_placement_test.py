#!/usr/bin/python3
"""Modules and operators find their memory alike, and what a profile says about its own quality is
what it shows.

    profile_placement_test.py PROGRAM
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy
from onnx import TensorProto, helper, numpy_helper, save

BAD_INPUT = 2
ATTEMPTS = 3  # other processes may disturb one, but not all


def run(*command):
    return subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, check=False
    )


def profile(program, model, *flags):
    result = run(program, "profile", model, "--baseline", "0", "--format", "json", *flags)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def save_model(path, width=1024, layers=6):
    """A body of layers, and a head whose product needs as many weights as a large classifier.
    `head` holds a module of one operator, and two others."""
    random = numpy.random.default_rng(1)
    nodes, weights, value = [], [], "x"
    for i in range(layers):
        weights.append(numpy_helper.from_array(
            random.standard_normal((width, width), dtype=numpy.float32), f"w{i}"))
        nodes.append(helper.make_node("MatMul", [value, f"w{i}"], [f"m{i}"], name=f"/body/{i}/MatMul"))
        nodes.append(helper.make_node("Tanh", [f"m{i}"], [f"t{i}"], name=f"/body/{i}/Tanh"))
        value = f"t{i}"
    weights.append(numpy_helper.from_array(
        random.standard_normal((width, 2 * width), dtype=numpy.float32), "fc.w"))
    weights.append(numpy_helper.from_array(numpy.zeros(2 * width, dtype=numpy.float32), "fc.b"))
    nodes.append(helper.make_node("Gemm", [value, "fc.w", "fc.b"], ["logits"], name="/head/fc/Gemm"))
    nodes.append(helper.make_node("Softmax", ["logits"], ["p"], name="/head/Softmax"))
    nodes.append(helper.make_node("Sqrt", ["p"], ["y"], name="/head/Sqrt"))
    graph = helper.make_graph(
        nodes, "head",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, width])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 2 * width])],
        weights)
    onnx_model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
    onnx_model.ir_version = 8
    save(onnx_model, str(path))


def check_placement(program, model):
    """A module of one operator is that operator in every cache mode, so neither finds warmer caches
    than the other. What larger modules cost beside their operators: bench/module_placement.py."""
    for mode in ("model", "hot", "cold"):
        result = profile(program, model, "--cache", mode, "--budget", "12s")
        operators = {op["key"]: op for op in result["operators"]}
        fc = result["modules"]["head.fc"]
        gemm = operators[fc["same_as_operator"]]
        assert gemm["type"] == "Gemm" and fc["time_s"] == gemm["time_s"], (mode, fc, gemm)
    return result


def check_precision(result):
    """Whatever is called precise has an interval that is, and the other way round."""
    asked = float(result["metrics"]["time_s"]["asked_precision"])
    series = [result["whole"]["series_s"]]
    series += [op["series_s"] for op in result["operators"] if "series_s" in op]
    series += [module["series_s"] for module in result["modules"].values() if "series_s" in module]
    assert len(series) > 3, series
    for one in series:
        if one["n"] < 2:
            assert not one["precise"], one
            continue
        half_width = (one["median_high"] - one["median_low"]) / 2 / one["median"]
        assert one["precise"] == (half_width <= asked + 1e-9), (one, asked)
    time = result["metrics"]["time_s"]
    assert time["precise"] == result["whole"]["series_s"]["precise"], time


def check_small_budget(program, model, folder):
    """Without time for operators, their times in the model rank them and fill the tree."""
    out = folder / "small"
    result = profile(program, model, "--budget", "0.1s", "-o", out)
    ledger = result["ledger"]
    assert ledger["out_of_time"] > 0, ledger
    assert ledger["budget_for_all_s"] > 0.1, ledger
    assert ledger["in_place"] == ledger["out_of_time"], ledger
    late = [op for op in result["operators"] if op["time_s"]["provenance"] == "measured in place"]
    assert late and all(op["total_s"] > 0 and op["total_j"] is None for op in late), late
    assert all(row["time_s"] is not None for row in result["tree"]), result["tree"]
    table = run(program, "show", out).stdout
    for words in ("~ measured in place", "were not measured alone", "about --budget "):
        assert words in table, table
    assert "≥ 0.0 %" not in table, table
    tree = (out / "tree.jsonl").read_text()
    assert '"time_provenance":"measured in place"' in tree, tree
    assert ",measured in place,\n" in (out / "layers.csv").read_text()
    enough = ["--budget", f"{ledger['budget_for_all_s']}s"]
    for _ in range(ATTEMPTS):
        again = profile(program, model, *enough)["ledger"]
        if again["out_of_time"] == 0:
            return
    sys.exit(f"{enough} did not measure all operators: {again}")


def check_older_profile(program, model, folder):
    """It is kept, unless --replace says otherwise and the new one is complete."""
    out = folder / "small"
    before = {file.name: file.read_bytes() for file in out.iterdir()}
    flags = ["profile", model, "--budget", "1s", "--baseline", "0", "--no-modules", "-o", out]
    refused = run(program, *flags)
    assert refused.returncode == BAD_INPUT and "--replace" in refused.stderr, refused
    assert not refused.stdout, refused.stdout
    failed = run(program, *flags, "--replace", "--input", "x=3")
    assert failed.returncode == BAD_INPUT, failed
    assert before == {file.name: file.read_bytes() for file in out.iterdir()}
    replaced = run(program, *flags, "--replace")
    assert replaced.returncode == 0, replaced.stderr
    assert (out / "profile.json").read_bytes() != before["profile.json"]
    assert set(before) == {file.name for file in out.iterdir()}
    nowhere = run(program, "profile", model, "--replace")
    assert nowhere.returncode == BAD_INPUT and "-o FOLDER" in nowhere.stderr, nowhere


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        model = folder / "classifier.onnx"
        save_model(model)
        check_precision(check_placement(program, model))
        check_small_budget(program, model, folder)
        check_older_profile(program, model, folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
