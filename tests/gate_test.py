#!/usr/bin/python3
"""Gates models by turns, and profiles by their trials, as a pipeline does.

    gate_test.py PROGRAM

What it says of times must hold on any machine, so the models differ by a factor of four.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

FAILED = 1
BAD_INPUT = 2


class Gates:
    def __init__(self, program, folder):
        self.program = program
        self.folder = folder
        for layers in (1, 4):
            self.run("zoo", "build", "bert-l2-h128", "--set", f"layers={layers}", "-o",
                     f"layers_{layers}.onnx")

    def run(self, *words, code=0):
        result = subprocess.run([self.program, *words], cwd=self.folder, capture_output=True,
                                text=True, check=False, timeout=600)
        assert result.returncode == code, (words, result)
        return result

    def against(self, model, other, *flags, code=0):
        words = ["gate", model, "--against", other, "--dim", "batch=1", "--dim", "sequence=32",
                 "--time", "2s", *flags]
        return self.run(*words, code=code)


def check_pairs(gates):
    told = json.loads(gates.against("layers_4.onnx", "layers_1.onnx", "--max-time", "+50%",
                                    "--max-params", "+0%", "--format", "json", code=FAILED).stdout)
    time, params = told["checks"]
    assert time["failed"] and time["ratio"] > 2 and time["low"] < time["ratio"] < time["high"], time
    assert time["provenance"] == "measured" and time["p"] <= 0.05, time
    assert params["failed"] and params["provenance"] == "counted" and params["p"] is None, params

    table = gates.against("layers_1.onnx", "layers_4.onnx", "--max-time", "+50%",
                          "--max-energy", "+50%", "--max-macs", "+0%").stdout
    assert "Passed" in table and "no more" in table, table
    markdown = gates.against("layers_4.onnx", "layers_1.onnx", "--max-macs", "+0%", "--format",
                             "markdown", code=FAILED).stdout
    assert "**failed**" in markdown and "| MACs |" in markdown, markdown


def check_bad_pairs(gates):
    (gates.folder / "broken.onnx").write_bytes(b"no model")
    refused = gates.against("broken.onnx", "layers_1.onnx", "--max-time", "5%", code=BAD_INPUT)
    assert "broken.onnx" in refused.stderr, refused
    refused = gates.against("layers_1.onnx", "resnet-18", "--max-time", "5%", code=BAD_INPUT)
    assert refused.stderr, refused
    refused = gates.against("layers_1.onnx", "layers_4.onnx", "--max-time", "5%", "--update",
                            "--baseline", "", code=BAD_INPUT)
    assert "--update" in refused.stderr, refused


def check_profiles(gates):
    for layers in (1, 4):
        gates.run("profile", f"layers_{layers}.onnx", "--dim", "batch=1", "--dim", "sequence=32",
                  "--budget", "2s", "--baseline", "0", "-q", "-o", f"profile_{layers}")
    told = json.loads(gates.run("gate", "profile_1", "--baseline", "profile_4", "--max-time", "5%",
                                "--format", "json").stdout)
    assert not told["failed"] and told["checks"][0]["ratio"] < 1, told
    gates.run("gate", "profile_4", "--baseline", "profile_1", "--max-params", "+0%", code=FAILED)
    gates.run("gate", "profile_1", "--baseline", "kept", "--update")
    same = gates.folder / "kept/trials.jsonl"
    assert same.read_bytes() == (gates.folder / "profile_1/trials.jsonl").read_bytes()


def check_databases(gates):
    database = f"sqlite:{gates.folder}/lab.sqlite"
    gates.run("profile", "layers_1.onnx", "--dim", "batch=1", "--dim", "sequence=32", "--budget",
              "2s", "--baseline", "0", "-q", "--db", database)
    told = json.loads(gates.run("gate", "profile_1", "--baseline", "lab.sqlite#layers_1",
                                "--max-time", "+400%", "--format", "json").stdout)
    assert told["history"]["measurements"] == 1 and told["history"]["changes"] == [], told
    shown = json.loads(gates.run("compare", "lab.sqlite#layers_1", "profile_4", "--format",
                                 "json").stdout)
    tested = [row for row in shown["differences"] if row["level"] == "module" and row["test"]]
    crowded = any(noise["doubt"] for noise in shown["noise"])
    assert tested or crowded, "the database keeps the windows of modules"


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        gates = Gates(program, Path(folder))
        check_pairs(gates)
        check_bad_pairs(gates)
        check_profiles(gates)
        check_databases(gates)


if __name__ == "__main__":
    main(*sys.argv[1:])
