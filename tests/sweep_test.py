#!/usr/bin/python3
"""Sweeps a small CNN and a small transformer over sizes, end to end, and kills a sweep.

    sweep_test.py PROGRAM
"""

import csv
import datetime
import io
import json
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BAD_INPUT = 2
SHORT = ("--runs", "3", "--seconds", "0.3", "--warm-up", "100ms", "--cool-down", "50ms",
         "--baseline", "200ms", "--interval", "100ms")


def run(*command, expected=0):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if result.returncode != expected:
        sys.exit(f"{command}: exit code {result.returncode}: {result.stderr}")
    return result


def format_of(study, name):
    return next(one for one in study["models"][0]["formats"] if one["format"] == name)


def check_files(folder):
    """Files as AIPowerMeter's parser and its script over experiments read them."""
    seen = 0
    for path in sorted(folder.glob("input_*")):
        for part in sorted(path.iterdir()):
            assert part.name.startswith("run_"), part
            seen += 1
            lines = (part / "power_metrics.json").read_text().splitlines()
            assert json.loads(lines[-1]) == "END OF RECORDING SEGMENT", lines[-1]
            rows = [json.loads(line) for line in lines[:-1]]
            assert rows, part
            for row in rows:
                datetime.datetime.fromisoformat(row["date"])
                for value in row["metrics"]["cpu"].values():
                    sum(value.values()) if isinstance(value, dict) else float(value)
            latencies = [float(line) for line in (part / "latency.csv").read_text().splitlines()]
            assert latencies and min(latencies) > 0, part
            environment = json.loads((part / "environment.json").read_text())
            assert environment["settings"]["engine"].startswith("ONNX Runtime"), environment
            kept = json.loads((part / "run.json").read_text())
            assert kept["inferences"] == len(latencies), part
    return seen


def check_cnn(program, folder):
    """Over five sizes: the work grows with the square of the side, and so does the time, roughly."""
    shape = "input=1x3x{32,64,96,128,160}x{=}"
    words = (program, "sweep", "resnet-18", "--vary", shape, *SHORT, "-o", folder / "cnn")
    table = run(*words)
    assert "input[2]" in table.stdout and "exponent" in table.stdout, table.stdout
    assert "[15/15]" in table.stderr, table.stderr
    assert check_files(folder / "cnn") == 15
    study = json.loads((folder / "cnn" / "sweep.json").read_text())
    assert study["format"] == "jouletree-sweep" and study["version"] == 1 and study["complete"]
    model = study["models"][0]
    assert [one["size"] for one in model["formats"]] == [32, 64, 96, 128, 160]
    assert format_of(study, "1x3x64x64")["inputs"]["input"] == [1, 3, 64, 64]
    laws = model["series"][0]["laws"]
    assert 1.5 < laws["macs"]["exponent"] < 2.1, laws["macs"]
    assert laws["latency_median_s"]["exponent"] > 0.5, laws["latency_median_s"]
    for one in model["formats"]:
        quantities = one["quantities"]
        assert quantities["latency_median_s"]["n"] == 3, quantities
        assert quantities["energy_j"]["provenance"] in ("measured", "estimated"), quantities
        assert quantities["peak_pss_bytes"]["median"] > 1e6, quantities
        assert 0.05 < quantities["busy_cpus"]["median"] < 2, quantities
    names = model["correlations"]["quantities"]
    row = model["correlations"]["spearman"][names.index("size")]
    assert row[names.index("macs")] > 0.99, row
    # Everything is kept: the same command has nothing to do.
    again = run(*words, "--format", "json")
    assert json.loads(again.stdout) == study, "made again from the folders"
    assert "[" not in again.stderr, again.stderr
    refused = run(*words, "--seed", "7", expected=BAD_INPUT)
    assert "holds a study of other settings: seed was 1 there and is 7 now" in refused.stderr, refused.stderr


def check_transformer(program, folder):
    """Two models over sequence lengths, with a batch; and the results once more from the folders."""
    target = folder / "transformer"
    run(program, "sweep", "bert-l2-h128", "bert-l4-h128", "--dim", "sequence=16:48:16", "--batch", "1,2",
        "--runs", "2", *SHORT[2:], "-o", target)
    assert check_files(target / "bert-l2-h128") == check_files(target / "bert-l4-h128") == 12
    rows = list(csv.DictReader((target / "results.csv").open()))
    assert len(rows) == 12 and {row["model"] for row in rows} == {"bert-l2-h128", "bert-l4-h128"}
    assert all(float(row["latency_median_s"]) > 0 for row in rows), rows
    study = json.loads((target / "sweep.json").read_text())
    assert [series["batch"] for series in study["models"][0]["series"]] == [1, 2]
    assert study["correlations"]["rows"] == 24
    (target / "results.csv").unlink()
    single = run(program, "sweep", "compile", target, "--runs")
    assert len(list(csv.DictReader(io.StringIO(single.stdout)))) == 24
    compiled = run(program, "sweep", "compile", target, "--format", "csv")
    assert compiled.stdout == (target / "results.csv").read_text()
    assert list(csv.DictReader(io.StringIO(compiled.stdout))) == rows


def wait_for(what, seconds=60):
    end = time.monotonic() + seconds
    while not what():
        if time.monotonic() > end:
            sys.exit("waited in vain")
        time.sleep(0.05)


def check_kills(program, folder):
    """Whole runs survive a kill and an interruption, and the study goes on."""
    target = folder / "killed"
    words = [str(word) for word in (program, "sweep", "bert-l2-h128", "--dim", "sequence=8,16", "--dim",
                                    "batch=1", *SHORT, "-o", target)]
    for end in (signal.SIGKILL, signal.SIGINT):
        before = len(list(target.glob("input_*/run_*")))
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        wait_for(lambda: len(list(target.glob("input_*/run_*"))) > before)
        process.send_signal(end)
        told = process.communicate()[1]
        if end == signal.SIGINT:
            assert process.returncode == 128 + signal.SIGINT, process.returncode
            assert "runs that are done are kept" in told, told
    kept = {path: path.stat().st_mtime_ns for path in target.glob("input_*/run_*/run.json")}
    assert 2 <= len(kept) < 6, kept
    run(*words)
    assert check_files(target) == 6
    assert all(path.stat().st_mtime_ns == kept[path] for path in kept), "measured again"
    assert json.loads((target / "sweep.json").read_text())["complete"]
    assert not [path for path in target.iterdir() if path.name.startswith(".")]


def check_budget(program, folder):
    target = folder / "budget"
    told = run(program, "sweep", "bert-l2-h128", "--dim", "sequence=8,16", *SHORT, "--budget", "1ms", "-o", target)
    assert "the budget ended" in told.stderr and "1 of 6 runs are done" in told.stdout, told


def main():
    program = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        check_cnn(program, folder)
        check_transformer(program, folder)
        check_kills(program, folder)
        check_budget(program, folder)


if __name__ == "__main__":
    main()
