#!/usr/bin/python3
"""Profiles a small model of the zoo and checks that the parts fit together.

    profile_test.py PROGRAM
"""

import json
import math
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
    assert all(module["time_s"]["value"] > 0 for module in profile["modules"].values())
    scopes = set(profile["modules"])
    assert any(scope.endswith("attention") for scope in scopes), scopes


def check_attribution(measure, attempts=3):
    """The operators explain the whole. Other processes may disturb one profile, but not all.

    Products of matrices are two thirds of this model, so a ledger that lost them, or counted them
    twice, fails.
    """
    shares = []
    for _ in range(attempts):
        shares.append(measure()["metrics"]["attribution_time"]["value"])
        if 0.8 < shares[-1] < 1.25:
            return
    sys.exit("operators explain " + ", ".join(f"{share:.0%}" for share in shares) + " of the whole")


def sum_of(rows, total, each):
    """Of measured rows: value, and how far it may be off below and above."""

    def off(bound):
        if any(row[each][bound] is None for row in rows):
            return None
        return math.hypot(
            *(row["count"] * (row[each][bound] - row[each]["value"]) for row in rows)
        )

    return math.fsum(row[total] for row in rows), off("low"), off("high")


def check_ledger(profile):
    """The operators' rows add up to the raw sum, and their intervals to its interval."""
    ledger = profile["ledger"]
    rows = [
        row
        for row in profile["operators"]
        if row["time_s"] and row["time_s"]["provenance"] == "measured"
    ]
    missing = ledger["failed"] + ledger["left_out"] + ledger["out_of_time"]
    for kind, total in (("time_s", "total_s"), ("energy_j", "total_j")):
        raw, adjusted = ledger[kind]["raw_sum"], ledger[kind]["adjusted_sum"]
        is_lower_bound = raw["value"] is not None and missing > 0
        assert raw["lower_bound"] == adjusted["lower_bound"] == is_lower_bound, ledger
        if any(row[total] is None for row in rows):
            assert raw["value"] is None and adjusted["value"] is None, ledger
            continue
        value, below, above = sum_of(rows, total, kind)
        assert math.isclose(raw["value"], value, rel_tol=1e-9), (raw, value)
        for bound, off, sign in (("low", below, -1), ("high", above, 1)):
            if off is None:
                assert raw[bound] is None, raw
            else:
                assert math.isclose(raw[bound], value + sign * off, rel_tol=1e-9), (raw, off)
        share = adjusted["value"] / ledger[kind]["whole"]
        assert math.isclose(ledger[kind]["attribution"], share, rel_tol=1e-9), ledger
        assert ledger[kind]["operators"] == adjusted["value"], ledger
    assert ledger["adjustment"]["name"] == "speed-adjusted", ledger


def check_trials(folder):
    trials = [json.loads(line) for line in (folder / "trials.jsonl").read_text().splitlines()]
    assert {trial["kind"] for trial in trials} == {"whole", "operator", "module"}, trials[0]
    assert all(trial["end_s"] > trial["begin_s"] >= 0 and trial["runs"] > 0 for trial in trials)


def check_kernels(kernels, folder):
    """Each tells where it belongs and what it costs."""
    notes = json.loads((folder / "profile.json").read_text())["notes"]
    clock_is_coarse = any("times in place of" in note for note in notes)
    assert len(kernels) > 20, len(kernels)
    for kernel in kernels:
        told = kernel["args"]
        assert told["operator"] and told["scope"], kernel
        in_place = told["in_place_s"]
        assert clock_is_coarse if in_place is None else in_place >= 0, kernel
        assert told["alone_s"] > 0 and told["energy_j"] > 0, kernel
        assert told["energy_provenance"] in ("measured", "estimated"), kernel
        assert kernel["dur"] >= 0 and kernel["ts"] >= 0, kernel
    inside = sum("encoder" in kernel["args"]["scope"] for kernel in kernels)
    assert inside > len(kernels) / 2, kernels


def check_trace(folder):
    """Slices of a track follow each other or lie inside each other."""
    events = json.loads((folder / "trace.json").read_text())["traceEvents"]
    tracks = {}
    for event in events:
        if event["ph"] == "X":
            begin, lasted = round(event["ts"] * 1000), round(event["dur"] * 1000)
            track = tracks.setdefault((event["pid"], event["tid"]), [])
            track.append((begin, -lasted))
    assert tracks, "no slices"
    check_kernels([event for event in events if event.get("cat") == "kernel"], folder)
    run = json.loads((folder / "run_trace.json").read_text())["traceEvents"]
    check_kernels([event for event in run if event["ph"] == "X"], folder)
    for slices in tracks.values():
        ends = []
        for begin, lasted in sorted(slices):
            end = begin - lasted
            while ends and ends[-1] <= begin:
                ends.pop()
            assert not ends or end <= ends[-1], f"{begin} to {end} overlaps what ends at {ends[-1]}"
            ends.append(end)


def check_show(program, folder, profile, table_of):
    """`show` prints what `profile` printed."""
    shown = run(program, "show", folder)
    for title in ("one inference", "operator type", "ledger", "Attribution"):
        assert title in shown.stdout, shown.stdout
    assert json.loads(run(program, "show", folder, "--format", "json").stdout) == profile
    assert shown.stdout == table_of, f"{shown.stdout}\nis not\n{table_of}"
    grams = run(program, "show", folder, "--carbon", "44", "--format", "json").stdout
    assert json.loads(grams)["metrics"]["co2e_g"]["provenance"] == "derived", grams
    for flags in (["--plot"], ["--run", "1"]):
        refused = run(program, "show", folder, *flags, check=False)
        assert refused.returncode == BAD_INPUT, refused
    check_show_beside_recording(program, folder)
    text = (folder / "profile.json").read_text()
    (folder / "profile.json").write_text(text[: len(text) // 2])
    damaged = run(program, "show", folder, check=False)
    assert damaged.returncode == BAD_INPUT and "profile.json" in damaged.stderr, damaged


def check_show_beside_recording(program, folder):
    """Profiles and recordings in one list."""
    recording = folder.parent / (folder.name + "-recording")
    recording.mkdir()
    lines = [
        json.dumps({"date": f"2026-04-01 10:00:0{second}", "metrics": {"cpu": {"intel_power": 20}}})
        for second in (0, 5)
    ]
    (recording / "power_metrics.json").write_text("\n".join(lines))
    both = run(program, "show", recording, folder).stdout
    for text in ("100 J", str(recording), str(folder), "profile"):
        assert text in both, both
    found = json.loads(run(program, "show", recording, folder, "--format", "json").stdout)
    assert found["recordings"][0]["metrics"]["energy_j"]["value"] == 100, found["recordings"]
    assert found["profiles"][0]["folder"] == str(folder), found["profiles"][0]["folder"]
    refused = run(program, "show", recording, folder, "--format", "csv", check=False)
    assert refused.returncode == BAD_INPUT and "layers.csv" in refused.stderr, refused
    several = run(program, "show", folder, folder, "--format", "csv", check=False)
    assert several.stderr.count("layers.csv") == 2, several
    rows = run(program, "show", folder, "--format", "csv").stdout
    assert rows == (Path(folder) / "layers.csv").read_text(), rows[:200]
    refused = run(program, "show", folder, "--format", "csv-lines", check=False)
    assert refused.returncode == BAD_INPUT and "--format csv " in refused.stderr, refused


def check_tree(line, profile):
    root = line["frontend_tree"]
    assert root["times_mean"] == profile["metrics"]["time_s"]["value"], root["times_mean"]
    unmeasured = []

    def visit(node):
        assert "in_place_s" in node and "energy_above_idle_j" in node, node["scope"]
        if node["times_mean"] is None:
            unmeasured.append(node["scope"])
        for child in node["child_nodes_obj"]:
            visit(child)

    visit(root)
    assert not unmeasured, unmeasured


def check_data_in_another_file(program, folder):
    """Weights beside the model are found, also from its own folder."""
    model = folder / "large.onnx"
    settings = ["vocabulary=140000", "layers=1", "width=128", "heads=2", "hidden=256"]
    flags = [flag for setting in settings for flag in ("--set", setting)]
    run(program, "zoo", "build", "bert-l2-h128", *flags, "-o", model)
    assert (folder / "large.onnx.data").exists(), "the weights are not in a file of their own"
    sizes = ["--dim", "batch=1", "--dim", "sequence=8"]
    profile = run(program, "profile", model, "--budget", "2s", "--no-modules", "--baseline", "0",
                  "--format", "json", *sizes)
    ledger = json.loads(profile.stdout)["ledger"]
    assert ledger["failed"] == 0, ledger


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        model = folder / "bert.onnx"
        run(program, "zoo", "build", "bert-l2-h128", "-o", model)
        sizes = ["--dim", "batch=1", "--dim", "sequence=16"]
        command = [program, "profile", model, "--budget", "15s", "--format", "json", *sizes]
        profile = json.loads(run(*command, "-o", folder / "out").stdout)
        check_profile(profile)
        check_attribution(lambda: json.loads(run(*command, "--no-modules").stdout))
        check_ledger(profile)
        check_tree(json.loads((folder / "out/tree.jsonl").read_text()), profile)
        rows = (folder / "out/layers.csv").read_text().splitlines()
        operators = sum(operator["count"] for operator in profile["operators"])
        assert len(rows) == operators + 1, f"{len(rows)} rows for {operators} operators"
        check_trials(folder / "out")
        check_trace(folder / "out")
        environment = json.loads((folder / "out/environment.json").read_text())
        assert environment == profile["environment"], environment

        few_command = [program, "profile", model, "--budget", "4s", "--target", "30", *sizes]
        table = run(*few_command, "-o", folder / "few").stdout
        few = json.loads((folder / "few/profile.json").read_text())
        assert few["operators_left_out"] > 0, few["operators_left_out"]
        assert few["target"]["reached"] and few["target"]["operator_types"], few["target"]
        assert "Target: 30 % of the time needs" in table, table
        check_ledger(few)
        assert few["ledger"]["time_s"]["raw_sum"]["lower_bound"], few["ledger"]
        sums = next(line for line in table.splitlines() if line.startswith("Σ operators × count"))
        assert "≥ " in sums, sums
        check_show(program, folder / "few", few, table)
        nowhere = run(*command, "-o", model / "out", check=False)
        assert nowhere.returncode == BAD_INPUT, nowhere

        check_data_in_another_file(program, folder)

        missing = run(*command, check=False, JOULETREE_ENGINE_DIR="/nowhere")
        assert missing.returncode == MISSING, missing
        (folder / "letter.onnx").write_text("This is a letter.")
        letter = run(program, "profile", folder / "letter.onnx", check=False)
        assert letter.returncode == BAD_INPUT, letter


if __name__ == "__main__":
    main(*sys.argv[1:])
