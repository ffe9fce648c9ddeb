#!/usr/bin/python3
"""Profiles a small model of the zoo and checks that the parts fit together.

    profile_test.py PROGRAM
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

BAD_INPUT, MISSING = 2, 3


def run(*command, check=True, **variables):
    result = subprocess.run(
        [str(word) for word in command],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **variables},
    )
    if check and result.returncode != 0:
        sys.exit(f"exit code {result.returncode}: {result.stderr}")
    return result


def check_profile(profile):
    metrics = profile["metrics"]
    assert metrics["time_s"]["value"] > 0 and metrics["time_s"]["provenance"] == "measured", metrics
    assert metrics["energy_j"]["provenance"] in ("measured", "estimated"), metrics
    assert profile["operators_failed"] == 0, profile["operators"]
    # A machine that does other things meanwhile moves this; a mistake in counting moves it more.
    assert 0.2 < metrics["attribution_time"]["value"] < 5, metrics["attribution_time"]
    assert all(module["time_s"]["value"] > 0 for module in profile["modules"].values())
    scopes = set(profile["modules"])
    assert any(scope.endswith("attention") for scope in scopes), scopes


def check_tree(line, profile):
    root = line["frontend_tree"]
    assert root["times_mean"] == profile["metrics"]["time_s"]["value"], root["times_mean"]
    unmeasured = []

    def visit(node):
        if node["times_mean"] is None:
            unmeasured.append(node["scope"])
        for child in node["child_nodes_obj"]:
            visit(child)

    visit(root)
    assert not unmeasured, unmeasured


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        model = folder / "bert.onnx"
        run(program, "zoo", "build", "bert-l2-h128", "-o", model)
        sizes = ["--dim", "batch=1", "--dim", "sequence=16"]
        command = [program, "profile", model, "--budget", "4", "--format", "json", *sizes]
        profile = json.loads(run(*command, "-o", folder / "out").stdout)
        check_profile(profile)
        check_tree(json.loads((folder / "out/tree.jsonl").read_text()), profile)
        rows = (folder / "out/layers.csv").read_text().splitlines()
        operators = sum(operator["count"] for operator in profile["operators"])
        assert len(rows) == operators + 1, f"{len(rows)} rows for {operators} operators"

        few = json.loads(run(*command, "--target", "30").stdout)
        assert few["operators_left_out"] > 0, few["operators_left_out"]

        missing = run(*command, check=False, JOULETREE_ENGINE_DIR="/nowhere")
        assert missing.returncode == MISSING, missing
        (folder / "letter.onnx").write_text("This is a letter.")
        letter = run(program, "profile", folder / "letter.onnx", check=False)
        assert letter.returncode == BAD_INPUT, letter


if __name__ == "__main__":
    main(*sys.argv[1:])
