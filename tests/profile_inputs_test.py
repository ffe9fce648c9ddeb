#!/usr/bin/python3
"""Profiles models with real data for their inputs, and with data that do not fit.

    profile_inputs_test.py PROGRAM
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

BAD_INPUT = 2
ROWS = 50


IDS = np.array([3, 1, 4, 1, 5, 9], np.int64)
BIAS = np.arange(24, dtype=np.float32).reshape(6, 4)
KEEP = np.array([1, 0, 1, 0, 0, 1], bool)


def make_model(path):
    """Two shapes tell whether the engine saw our data and no others: how many elements of a sum
    are as they should be, and how many rows are kept."""
    table = np.repeat(np.arange(ROWS, dtype=np.float32), 4).reshape(ROWS, 4)
    constants = {"table": table, "right": table[IDS] + BIAS}
    nodes = [
        helper.make_node("Gather", ["table", "ids"], ["words"], name="/embed/Gather"),
        helper.make_node("Add", ["words", "bias"], ["sum"], name="/embed/Add"),
        helper.make_node("Equal", ["sum", "right"], ["equal"], name="/check/Equal"),
        helper.make_node("NonZero", ["equal"], ["places"], name="/check/NonZero"),
        helper.make_node("Abs", ["places"], ["as_they_should_be"], name="/check/Abs"),
        helper.make_node("Compress", ["sum", "keep"], ["some"], name="/drop/Compress", axis=0),
        helper.make_node("Relu", ["some"], ["kept"], name="/drop/Relu"),
    ]
    graph = helper.make_graph(
        nodes,
        "lookup",
        [
            helper.make_tensor_value_info("ids", TensorProto.INT64, ["length"]),
            helper.make_tensor_value_info("bias", TensorProto.FLOAT, ["length", 4]),
            helper.make_tensor_value_info("keep", TensorProto.BOOL, ["length"]),
        ],
        [
            helper.make_tensor_value_info("as_they_should_be", TensorProto.INT64, [2, "n"]),
            helper.make_tensor_value_info("kept", TensorProto.FLOAT, ["rows", 4]),
        ],
        [numpy_helper.from_array(array, name) for name, array in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, path)


def write_proto(path, array, name):
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(numpy_helper.from_array(array, name).SerializeToString())


class Cases:
    """A folder with a model, and runs of the program in it."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        make_model(folder / "model.onnx")

    def run(self, *data):
        command = [self.program, "profile", "model.onnx", "--budget", "0.1s", "--format", "json"]
        for one in data:
            command += ["--data", one]
        return subprocess.run(
            command, cwd=self.folder, capture_output=True, text=True, check=False, timeout=300
        )

    def check_good(self, *data):
        result = self.run(*data)
        assert result.returncode == 0, (data, result.stderr)
        profile = json.loads(result.stdout)
        assert profile["operators_failed"] == 0, (data, profile["operators"])
        keys = {operator["key"].split(" #")[0] for operator in profile["operators"]}
        assert {":Abs int64:2x24", ":Relu float32:3x4"} <= keys, (data, keys)

    def check_bad(self, expected, *data):
        result = self.run(*data)
        assert result.returncode == BAD_INPUT, (data, result.returncode, result.stderr)
        assert expected in result.stderr, f"{data}: no '{expected}' in: {result.stderr}"
        assert result.stdout == "", (data, result.stdout)

    def save(self, name, array):
        np.save(self.folder / name, array)
        return name


def check_formats(cases):
    folder = cases.folder
    arrays = {"ids": IDS, "bias": BIAS, "keep": KEEP}
    files = [f"{name}={cases.save(f'{name}.npy', array)}" for name, array in arrays.items()]
    cases.check_good(*files)
    # Big-endian, counted from the end of the table, and column by column.
    odd = {"ids": (IDS - ROWS).astype(">i8"), "bias": np.asfortranarray(BIAS), "keep": KEEP}
    np.savez(folder / "stored.npz", **odd)
    cases.check_good("stored.npz")
    np.savez_compressed(folder / "deflated.npz", **arrays)
    cases.check_good("deflated.npz")
    write_proto(folder / "set/input_0.pb", IDS, "ids")
    write_proto(folder / "set/input_1.pb", BIAS, "")
    typed = helper.make_tensor("keep", TensorProto.BOOL, [6], KEEP)
    (folder / "set/input_2.pb").write_bytes(typed.SerializeToString())
    cases.check_good("set")
    cases.check_good("ids=ids.npy", "bias=set/input_1.pb", "keep=keep.npy")
    # Inputs without data get random ones of the shape that fits.
    random = cases.run("bias=bias.npy")
    assert random.returncode == 0, random.stderr


def check_complaints(cases):
    folder, save = cases.folder, cases.save
    cases.check_bad("there is no file none.npy", "ids=none.npy")
    cases.check_bad(
        "wrong.npy: input 'ids' must be int64, but the data are int32; NumPy's .astype('int64') converts them",
        "ids=" + save("wrong.npy", IDS.astype(np.int32)),
    )
    cases.check_bad(
        "flat.npy: input 'bias' must be length x 4, but the data are 24",
        "bias=" + save("flat.npy", BIAS.reshape(-1)),
    )
    cases.check_bad("did you mean 'bias'?", "bais=bias.npy")
    cases.check_bad(
        "dimension 'length' of input 'bias' is 5 here, but 6 in ids.npy",
        "ids=ids.npy",
        "bias=" + save("short.npy", BIAS[:5]),
    )
    cases.check_bad(
        f"far.npy: input 'ids' holds {ROWS}, but the table it looks up has {ROWS} rows",
        "ids=" + save("far.npy", np.array([ROWS], np.int64)),
    )
    cases.check_bad(
        "objects.npy: holds Python objects",
        "ids=" + save("objects.npy", np.array([1, "two"], object)),
    )
    records = np.zeros(6, [("a", np.int64), ("b", np.float32)])
    cases.check_bad("several fields", "ids=" + save("records.npy", records))
    (folder / "cut.npy").write_bytes((folder / "bias.npy").read_bytes()[:-1])
    cases.check_bad("cut.npy: this .npy array is cut short", "bias=cut.npy")
    (folder / "letter.npy").write_text("This is a letter.")
    cases.check_bad("letter.npy: this is not a NumPy array", "ids=letter.npy")
    (folder / "cut.npz").write_bytes((folder / "deflated.npz").read_bytes()[:-30])
    cases.check_bad("cut.npz: this is not a NumPy archive (.npz), or it is cut short", "cut.npz")


def make_unlike_declared(path):
    """As exported with one image and then fed with more: the batch of the result is said to be 1."""
    graph = helper.make_graph(
        [helper.make_node("Relu", ["x"], ["y"], name="/act/Relu")],
        "unlike_declared",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", 8])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 8])],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, path)


def check_results_unlike_declared(program, folder):
    make_unlike_declared(folder / "unlike_declared.onnx")
    flags = ["--dim", "batch=4", "--budget", "0.1s", "--baseline", "0", "--format", "json"]
    result = subprocess.run(
        [program, "profile", "unlike_declared.onnx", *flags],
        cwd=folder, capture_output=True, text=True, check=False, timeout=300,
    )
    assert result.returncode == 0, result.stderr
    keys = [operator["key"] for operator in json.loads(result.stdout)["operators"]]
    assert len(keys) == 1 and keys[0].startswith(":Relu float32:4x8"), keys


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        cases = Cases(program, Path(folder))
        check_formats(cases)
        check_complaints(cases)
        check_results_unlike_declared(program, Path(folder))


if __name__ == "__main__":
    main(*sys.argv[1:])
