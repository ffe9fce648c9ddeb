#!/usr/bin/python3
"""Profiles models whose operators stand in branches and loops, and chooses among the branches.

    profile_bodies_test.py PROGRAM
"""

import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

BAD_INPUT = 2
WIDTH = 64


def weight(name, *shape):
    generator = np.random.default_rng(len(name))
    return numpy_helper.from_array(generator.standard_normal(shape).astype(np.float32), name)


def tensor(name, kind, shape):
    return helper.make_tensor_value_info(name, kind, shape)


def save(path, nodes, inputs, outputs, weights):
    graph = helper.make_graph(nodes, path.stem, inputs, outputs, weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, path)


def branch(name, nodes, outputs, weights=()):
    infos = [tensor(output, TensorProto.FLOAT, None) for output in outputs]
    return helper.make_graph(nodes, name, [], infos, list(weights))


def make_decoder(path):
    """As merged decoders are: two graphs that name their values alike and share weights outside."""
    layer = "/model/layers.0/"
    with_past = branch(
        "with_past",
        [
            helper.make_node("MatMul", ["x", "w"], ["new"], name=layer + "self_attn/MatMul"),
            helper.make_node("Concat", ["past", "new"], ["all"], name=layer + "Concat", axis=0),
            helper.make_node("Softmax", ["all"], ["y"], name=layer + "Softmax"),
        ],
        ["y", "all"],
    )
    no_past = branch(
        "no_past",
        [
            helper.make_node("MatMul", ["x", "w"], ["first"], name=layer + "self_attn/MatMul"),
            helper.make_node("Tanh", ["first"], ["bent"], name=layer + "fc/Tanh"),
            helper.make_node("MatMul", ["bent", "own"], ["y"], name=layer + "fc/MatMul"),
        ],
        ["y", "bent"],
        [weight("own", WIDTH, WIDTH)],
    )
    nodes = [
        helper.make_node("Relu", ["hidden"], ["x"], name="/model/embed/Relu"),
        helper.make_node(
            "If",
            ["use_cache_branch"],
            ["logits", "present"],
            name="optimum::if",
            then_branch=with_past,
            else_branch=no_past,
        ),
    ]
    inputs = [
        tensor("hidden", TensorProto.FLOAT, [4, WIDTH]),
        tensor("past", TensorProto.FLOAT, ["past_length", WIDTH]),
        tensor("use_cache_branch", TensorProto.BOOL, [1]),
    ]
    outputs = [tensor(name, TensorProto.FLOAT, None) for name in ("logits", "present")]
    save(path, nodes, inputs, outputs, [weight("w", WIDTH, WIDTH)])


def make_nested(path):
    """A number decides outside, data inside. Values of branches are named as those outside."""
    positive = branch(
        "positive", [helper.make_node("Sqrt", ["x"], ["t"], name="sqrt")], ["t"]
    )
    negative = branch("negative", [helper.make_node("Exp", ["x"], ["t"], name="exp")], ["t"])
    inner = helper.make_node(
        "If", ["is_large"], ["t"], name="inner", then_branch=positive, else_branch=negative
    )
    high = branch(
        "high",
        [
            helper.make_node("ReduceMax", ["x"], ["largest"], name="max", keepdims=0),
            helper.make_node("Greater", ["largest", "limit"], ["is_large"], name="greater"),
            inner,
        ],
        ["t"],
    )
    low = branch("low", [helper.make_node("Sin", ["x"], ["t"], name="sin")], ["t"])
    nodes = [
        helper.make_node("Equal", ["rate", "high_rate"], ["is_high"], name="equal"),
        helper.make_node(
            "If", ["is_high"], ["y"], name="outer", then_branch=high, else_branch=low
        ),
        helper.make_node("Neg", ["y"], ["z"], name="neg"),
    ]
    weights = [
        numpy_helper.from_array(np.array(16000, np.int64), "high_rate"),
        numpy_helper.from_array(np.array(-5, np.float32), "limit"),
    ]
    inputs = [tensor("x", TensorProto.FLOAT, [8, 32]), tensor("rate", TensorProto.INT64, [])]
    save(path, nodes, inputs, [tensor("z", TensorProto.FLOAT, None)], weights)


def body(name, nodes, inputs, outputs):
    return helper.make_graph(nodes, name, inputs, outputs)


def loop_inputs(carried):
    number = tensor("number", TensorProto.INT64, [])
    go_on = tensor("go_on", TensorProto.BOOL, [])
    return [number, go_on, tensor(carried, TensorProto.FLOAT, None)]


def make_loops(path):
    """A Loop that grows what it carries, with an If inside, and a Scan behind it."""
    odd = branch("odd", [helper.make_node("Sin", ["step"], ["bent"], name="sin")], ["bent"])
    even = branch("even", [helper.make_node("Cos", ["step"], ["bent"], name="cos")], ["bent"])
    growing = body(
        "growing",
        [
            helper.make_node("MatMul", ["x", "w"], ["step"], name="/steps/product/MatMul"),
            helper.make_node("Mod", ["number", "two"], ["rest"], name="/steps/Mod"),
            helper.make_node("Cast", ["rest"], ["is_odd"], name="/steps/Cast", to=9),
            helper.make_node(
                "If", ["is_odd"], ["chosen"], name="/steps/If", then_branch=odd, else_branch=even
            ),
            helper.make_node("Concat", ["all", "chosen"], ["more"], name="/steps/Concat", axis=0),
            helper.make_node("ReduceSum", ["more"], ["total"], name="/steps/Sum", keepdims=0),
            helper.make_node("Identity", ["go_on"], ["still"], name="/steps/Identity"),
        ],
        loop_inputs("all"),
        [
            tensor("still", TensorProto.BOOL, []),
            tensor("more", TensorProto.FLOAT, None),
            tensor("total", TensorProto.FLOAT, []),
        ],
    )
    adding = body(
        "adding",
        [
            helper.make_node("Add", ["sum", "row"], ["new_sum"], name="/rows/Add"),
            helper.make_node("Tanh", ["new_sum"], ["each"], name="/rows/Tanh"),
        ],
        [tensor("sum", TensorProto.FLOAT, [WIDTH]), tensor("row", TensorProto.FLOAT, [WIDTH])],
        [tensor("new_sum", TensorProto.FLOAT, None), tensor("each", TensorProto.FLOAT, None)],
    )
    nodes = [
        helper.make_node("Relu", ["hidden"], ["x"], name="/first/Relu"),
        helper.make_node(
            "Loop", ["steps", "", "x"], ["grown", "totals"], name="/steps/Loop", body=growing
        ),
        helper.make_node(
            "Scan", ["zero", "grown"], ["last", "rows"], name="/rows/Scan", body=adding,
            num_scan_inputs=1,
        ),
    ]
    inputs = [
        tensor("hidden", TensorProto.FLOAT, [4, WIDTH]),
        tensor("zero", TensorProto.FLOAT, [WIDTH]),
        tensor("steps", TensorProto.INT64, []),
    ]
    outputs = [tensor(name, TensorProto.FLOAT, None) for name in ("last", "rows", "totals")]
    weights = [weight("w", WIDTH, WIDTH), numpy_helper.from_array(np.array(2, np.int64), "two")]
    save(path, nodes, inputs, outputs, weights)


def make_search(path):
    """A Loop without a limit that ends by itself, around a Loop of three, in a branch."""
    inner = body(
        "inner",
        [
            helper.make_node("Mul", ["half_of", "half"], ["smaller"], name="mul"),
            helper.make_node("Identity", ["go_on"], ["still"], name="go"),
        ],
        loop_inputs("half_of"),
        [tensor("still", TensorProto.BOOL, []), tensor("smaller", TensorProto.FLOAT, None)],
    )
    outer = body(
        "outer",
        [
            helper.make_node("Loop", ["three", "", "value"], ["less"], name="thrice", body=inner),
            helper.make_node("ReduceMax", ["less"], ["largest"], name="max", keepdims=0),
            helper.make_node("Greater", ["largest", "limit"], ["too_large"], name="greater"),
        ],
        loop_inputs("value"),
        [tensor("too_large", TensorProto.BOOL, []), tensor("less", TensorProto.FLOAT, None)],
    )
    search = branch(
        "search",
        [helper.make_node("Loop", ["", "", "x"], ["found"], name="search", body=outer)],
        ["found"],
    )
    nothing = branch("nothing", [helper.make_node("Neg", ["x"], ["found"], name="neg")], ["found"])
    nodes = [
        helper.make_node(
            "If", ["look"], ["y"], name="choice", then_branch=search, else_branch=nothing
        )
    ]
    weights = [
        numpy_helper.from_array(np.array(3, np.int64), "three"),
        numpy_helper.from_array(np.array(0.5, np.float32), "half"),
        numpy_helper.from_array(np.array(1, np.float32), "limit"),
    ]
    inputs = [tensor("x", TensorProto.FLOAT, [8, 8]), tensor("look", TensorProto.BOOL, [])]
    save(path, nodes, inputs, [tensor("y", TensorProto.FLOAT, None)], weights)


class Cases:
    """A folder with models, and runs of the program in it."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def run(self, *words):
        return subprocess.run(
            [self.program, *words],
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )

    def profile(self, model, *flags, budget="1s"):
        """The profile, and its rows of layers.csv by scope."""
        out = self.folder / f"out{len(list(self.folder.iterdir()))}"
        protocol = ["--budget", budget, "--baseline", "0", "--format", "json", "-o", out]
        result = self.run("profile", model, *protocol, *flags)
        assert result.returncode == 0, (model, flags, result.stderr)
        profile = json.loads(result.stdout)
        assert profile["operators_failed"] == 0, (model, flags, profile["failures"])
        with open(out / "layers.csv", newline="", encoding="utf-8") as file:
            rows = {row["name"]: row for row in csv.DictReader(file)}
        return profile, rows

    def check_refused(self, expected, *words):
        result = self.run(*words)
        assert result.returncode == BAD_INPUT, (words, result.returncode, result.stderr)
        for text in expected:
            assert text in result.stderr, f"{words}: no '{text}' in: {result.stderr}"
        assert result.stdout == "", (words, result.stdout)


def counts_of(profile):
    """How often each type of operator runs."""
    counts = {}
    for operator in profile["operators"]:
        kind = operator["key"].split(" ")[0].rpartition(":")[2]
        counts[kind] = counts.get(kind, 0) + operator["count"]
    return counts


def note_about(profile, words):
    found = [note for note in profile["notes"] if words in note]
    assert len(found) == 1, (words, profile["notes"])
    return found[0]


def check_decoder(cases):
    make_decoder(cases.folder / "decoder.onnx")
    profile, rows = cases.profile("decoder.onnx", "--dim", "past_length=3")
    assert counts_of(profile) == {"Relu": 1, "MatMul": 1, "Concat": 1, "Softmax": 1}, profile
    note = note_about(profile, "use_cache_branch")
    assert "then of 'optimum::if'" in note and "was true" in note, note
    assert "--value use_cache_branch=false measures the other branch" in note, note
    product = [scope for scope in rows if "layers.0.self_attn" in scope]
    assert len(product) == 1, list(rows)
    again, _ = cases.profile("decoder.onnx", "--value", "use_cache_branch=true")
    assert counts_of(again) == counts_of(profile), again["operators"]
    other, rows = cases.profile("decoder.onnx", "--value", "use_cache_branch=false")
    assert counts_of(other) == {"Relu": 1, "MatMul": 2, "Tanh": 1}, other["operators"]
    note = note_about(other, "use_cache_branch")
    assert "else of 'optimum::if'" in note and "was false" in note, note
    assert any("layers.0.fc" in scope for scope in rows), list(rows)
    counted = {row["name"] for row in csv.DictReader(
        cases.run("inspect", "decoder.onnx", "--value", "use_cache_branch=false",
                  "--format", "csv").stdout.splitlines())}
    modules = {scope.rpartition(".")[0] for scope in rows}
    assert modules <= {scope.rpartition(".")[0] for scope in counted}, (modules, counted)


def check_flags(cases):
    value = lambda text: ["decoder.onnx", "--value", text]
    for verb in ("inspect", "profile"):
        everything = ["hidden", "past", "use_cache_branch"]
        cases.check_refused(["no input 'use_cache'", *everything], verb, *value("use_cache=true"))
        cases.check_refused(
            ["true or false", *everything], verb, *value("use_cache_branch=2")
        )
        cases.check_refused(["flag=true"], verb, *value("use_cache_branch=maybe"))
    shown = cases.run("inspect", *value("use_cache_branch=true"))
    assert "the then branch was counted; input 'use_cache_branch' decides" in shown.stdout, shown
    shown = cases.run("inspect", "decoder.onnx")
    assert "choose with --value use_cache_branch=true or" in shown.stdout, shown


def check_nested(cases):
    make_nested(cases.folder / "nested.onnx")
    high, _ = cases.profile("nested.onnx", "--value", "rate=16000")
    counts = counts_of(high)
    assert counts.get("Sqrt") == 1 and "Exp" not in counts and "If" not in counts, counts
    assert "then of 'outer'" in note_about(high, "choose with --value rate=NUMBER"), high["notes"]
    assert "then of 'inner'" in note_about(high, "the content of input"), high["notes"]
    low, _ = cases.profile("nested.onnx", "--value", "rate=8000")
    assert counts_of(low).get("Sin") == 1 and "Sqrt" not in counts_of(low), low["operators"]
    np.save(cases.folder / "small.npy", np.full((8, 32), -9, np.float32))
    small, _ = cases.profile("nested.onnx", "--value", "rate=16000", "--data", "x=small.npy")
    assert counts_of(small).get("Exp") == 1, small["operators"]


def check_loops(cases):
    make_loops(cases.folder / "loops.onnx")
    profile, rows = cases.profile("loops.onnx", "--value", "steps=6", "--no-modules", budget="20s")
    counts = counts_of(profile)
    # 4 rows and 4 more in each of 6 iterations.
    assert counts["MatMul"] == 6 and counts["Tanh"] == 28 and counts["Relu"] == 1, counts
    assert counts["Sin"] == 6 and "Cos" not in counts, counts
    assert not {"Loop", "Scan", "If"} & set(counts), counts
    keys = [operator["key"] for operator in profile["operators"]]
    # The fourth of six iterations: 3 came before it.
    assert any(key.startswith(":Concat float32:16x64 float32:4x64") for key in keys), keys
    note = note_about(profile, "number 4 of 6 in '/steps/Loop'")
    assert "one iteration was measured" in note and "--value steps=NUMBER" in note, note
    assert "then of '/steps/If'" in note_about(profile, "the branch that ran"), profile["notes"]
    product = [row for name, row in rows.items() if name.endswith("product.MatMul")]
    assert len(product) == 1 and int(product[0]["macs"]) == 6 * 4 * WIDTH * WIDTH, rows
    each = next(o for o in profile["operators"] if o["key"].startswith(":MatMul"))
    all_runs = float(product[0]["time_s"])
    assert abs(all_runs - 6 * each["time_s"]["value"]) < 1e-3 * all_runs, (all_runs, each)
    once, _ = cases.profile("loops.onnx", "--value", "steps=1")
    assert counts_of(once)["MatMul"] == 1 and counts_of(once)["Cos"] == 1, once["operators"]
    never, _ = cases.profile("loops.onnx", "--value", "steps=0")
    assert "MatMul" not in counts_of(never) and counts_of(never)["Loop"] == 1, never["operators"]


def check_search(cases):
    make_search(cases.folder / "search.onnx")
    np.save(cases.folder / "large.npy", np.full((8, 8), 500, np.float32))
    profile, _ = cases.profile("search.onnx", "--data", "x=large.npy")
    # 500 is below 1 after nine halves, which are three iterations of three.
    counts = counts_of(profile)
    assert counts["Mul"] == 9 and counts["ReduceMax"] == 3 and "Loop" not in counts, counts
    other, _ = cases.profile("search.onnx", "--value", "look=false")
    assert counts_of(other) == {"Neg": 1}, other["operators"]


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        cases = Cases(program, Path(folder))
        check_decoder(cases)
        check_flags(cases)
        check_nested(cases)
        check_loops(cases)
        check_search(cases)


if __name__ == "__main__":
    main(*sys.argv[1:])
