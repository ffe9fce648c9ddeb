#!/usr/bin/python3
"""A model file that changed since it was measured is measured again, and said to be.

    changed_files_test.py PROGRAM
"""

import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import campaigns

PLAN = """\
name: files
models: [net.onnx]
dims: {batch: 1, sequence: 8}
budget: 300ms
precision: 50%
baseline: 0
modules: false
"""


def write_model(program, folder, seed):
    words = [program, "zoo", "build", "bert-l2-h128", "--set", "layers=1", "--set", "vocabulary=50"]
    words += ["--seed", str(seed), "-o", "net.onnx"]
    (folder / "net.onnx").unlink(missing_ok=True)
    subprocess.run(words, cwd=folder, check=True, capture_output=True)


def outlook(program, plan, database):
    words = [program, "campaign", "check", str(plan), "--db", str(database), "--format", "json"]
    return json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)


def main(program):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        plan, database = campaigns.write_plan(folder, PLAN), folder / "lab.sqlite"
        write_model(program, folder, 1)
        campaigns.run_whole(program, plan, database)
        told = outlook(program, plan, database)
        assert (told["done"], told["changed"]) == (1, 0), told

        write_model(program, folder, 2)
        told = outlook(program, plan, database)
        assert (told["done"], told["changed"]) == (0, 1), told
        words = campaigns.command(program, plan, database)
        result = subprocess.run(words, capture_output=True, text=True, check=True)
        assert "net.onnx: changed since it was measured: 1 item to be measured again" in (
            result.stderr
        ), result.stderr
        assert campaigns.status(program, plan, database)["list"][0]["attempts"] == 2
        campaigns.check_integrity(database)

        # And only once.
        result = subprocess.run(words, capture_output=True, text=True, check=True)
        assert "changed" not in result.stderr, result.stderr
        told = outlook(program, plan, database)
        assert (told["done"], told["changed"]) == (1, 0), told


if __name__ == "__main__":
    main(sys.argv[1])
