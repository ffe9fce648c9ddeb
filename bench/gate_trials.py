"""Does `jouletree gate` catch a slow-down of 10 %, and let the same model pass?

    gate_trials.py PROGRAM [--runs 20] [--time 10s] [--how against|profiles] [--keep FOLDER]

The model is ten equal products of matrices; the slowed one has an eleventh. With `against` both run
by turns (`gate --against`); with `profiles` each is profiled anew for every run, one after the
other, and gated by its trials. Half of the runs compare the slowed model with the other one, half
compare a model with itself. Fails unless 19 of 20 of either kind come out right. Needs the package
onnx in the Python that runs this, and the idle machine that you want to know about.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

ROWS = 64
COLUMNS = 256
PRODUCTS = 10
RIGHT = 0.95
LIMIT = "+5%"


def make_model(path, products):
    random = np.random.default_rng(1)
    weights, nodes = [], []
    for i in range(products):
        values = random.standard_normal((COLUMNS, COLUMNS)) / np.sqrt(COLUMNS)
        weights.append(numpy_helper.from_array(values.astype(np.float32), f"w{i}"))
        nodes.append(helper.make_node("MatMul", [f"x{i}", f"w{i}"], [f"x{i + 1}"], name=f"/p{i}/MatMul"))
    shape = [ROWS, COLUMNS]
    graph = helper.make_graph(
        nodes,
        "products",
        [helper.make_tensor_value_info("x0", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info(f"x{products}", TensorProto.FLOAT, shape)],
        weights,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    onnx.save(model, path)


def run(words):
    result = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    if result.returncode not in (0, 1):
        sys.exit(f"{' '.join(map(str, words))}: {result.stderr}")
    return result


def gate(program, words):
    """What came of it: whether it failed, and the check of the time."""
    result = run([program, "gate", *words, "--max-time", LIMIT, "--format", "json"])
    told = json.loads(result.stdout)
    assert told["failed"] == (result.returncode == 1), result
    return told["failed"], told["checks"][0]


def profiled(program, model, folder, seconds):
    run([program, "profile", model, "--budget", seconds, "--baseline", "0", "--no-modules", "-q",
         "-o", folder])
    return folder


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--time", default="10s")
    parser.add_argument("--how", choices=["against", "profiles"], default="against")
    parser.add_argument("--keep", type=Path)
    asked = parser.parse_args()
    folder = Path(tempfile.mkdtemp())
    models = {"same": folder / "base.onnx", "slowed": folder / "slowed.onnx"}
    make_model(models["same"], PRODUCTS)
    make_model(models["slowed"], PRODUCTS + 1)
    again = folder / "again.onnx"
    shutil.copy(models["same"], again)
    right = {"same": 0, "slowed": 0}
    not_told = 0
    for i in range(asked.runs):
        for kind, model in (("same", again), ("slowed", models["slowed"])):
            begin = time.monotonic()
            if asked.how == "against":
                words = [model, "--against", models["same"], "--time", asked.time]
            else:
                base = profiled(asked.program, models["same"], folder / f"{kind}_{i}_base", asked.time)
                now = profiled(asked.program, model, folder / f"{kind}_{i}_now", asked.time)
                words = [now, "--baseline", base]
            failed, check = gate(asked.program, words)
            right[kind] += failed == (kind == "slowed")
            not_told += check["untested"] is not None
            interval = " to ".join(
                "?" if check[bound] is None else f"{check[bound]:.3f}" for bound in ("low", "high")
            )
            p = "not told" if check["p"] is None else f"p {check['p']:.2g}"
            print(f"{kind:7} {i + 1:2}: x {check['ratio']:.3f} ({interval}), {p}, "
                  f"{'failed' if failed else 'passed'}, {time.monotonic() - begin:.0f} s", flush=True)
    print(f"caught {right['slowed']} of {asked.runs}, let pass {right['same']} of {asked.runs}, "
          f"could not tell {not_told} of {2 * asked.runs}")
    if asked.keep:
        shutil.copytree(folder, asked.keep)
    shutil.rmtree(folder)
    return 0 if min(right.values()) >= RIGHT * asked.runs else 1


if __name__ == "__main__":
    sys.exit(main())
