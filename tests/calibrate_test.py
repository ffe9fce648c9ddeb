#!/usr/bin/python3
"""Calibrates this machine for some seconds, goes on, and predicts a model with what was learned.

    calibrate_test.py PROGRAM
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BAD_INPUT = 2
MISSING = 3
ENVIRONMENT = dict(os.environ)


def run(*command, expected=0):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False,
                            env=ENVIRONMENT)
    if result.returncode != expected:
        sys.exit(f"{command}: exit code {result.returncode}: {result.stderr}")
    return result


def models_in(program, database):
    told = run(program, "db", "query", "SELECT DISTINCT name FROM models ORDER BY name", "--db", database,
               "--format", "json")
    return [row["name"] for row in json.loads(told.stdout)["rows"]]


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        database = folder / "calibration.sqlite"
        machine = folder / "machine.json"
        ENVIRONMENT["XDG_DATA_HOME"] = str(folder / "data")
        kept = folder / "data/jouletree/calibrations"

        missing = run(program, "predict", "resnet-18", expected=MISSING)
        assert "jouletree calibrate" in missing.stderr, missing.stderr
        words = [program, "calibrate", "--max-load", "none", "--db", database, "-o", machine]

        first = run(*words, "--budget", "8s")
        assert "ledger trained on" in first.stdout, first.stdout
        assert [file.read_bytes() for file in kept.iterdir()] == [machine.read_bytes()]
        known = models_in(program, database)
        assert known and all(model.startswith("calibration ") for model in known), known

        # The second goes on with other models, and learns from all.
        run(*words, "--budget", "8s")
        assert set(models_in(program, database)) > set(known)
        learned = json.loads(machine.read_text())
        assert len(learned["trained_on"]["models"]) > len(known), learned["trained_on"]["models"]

        predicted = run(program, "predict", machine, "resnet-18", "--format", "json")
        time_s = json.loads(predicted.stdout)["runs"][0]["metrics"]["time_s"]
        assert time_s["value"] > 0 and time_s["provenance"] == "predicted", time_s

        # What was learned here is found without a name, and says where it is from.
        places = learned["trained_on"]["measured_on"]
        assert len(places) == 1 and places[0]["engine"] == "ONNX Runtime" and places[0]["threads"] == 1, places
        assert places[0]["machine_key"] and places[0]["runs"] == learned["trained_on"]["runs"], places
        unnamed = run(program, "predict", "resnet-18", "--format", "json")
        used = json.loads(unnamed.stdout)
        assert used["predictor"]["is_calibration_of_here"] and not used["predictor"]["differs_from_here"], used
        assert used["runs"] == json.loads(predicted.stdout)["runs"]
        rows = run(program, "predict", "resnet-18", "alexnet", "--format", "csv").stdout.splitlines()
        assert len(rows) == 3, rows
        listed = subprocess.run([program, "predict", "--list", "-", "--format", "jsonl"], input="alexnet\n",
                                capture_output=True, text=True, check=True, env=ENVIRONMENT)
        assert json.loads(listed.stdout)["subject"] == "alexnet", listed.stdout
        assert "Where it was measured" in run(program, "explain").stdout
        other = run(program, "predict", "resnet-18", "--threads", "2", expected=MISSING)
        assert "--threads 1" in other.stderr, other.stderr
        run(program, "predict", machine, "resnet-18", "--threads", "2", expected=BAD_INPUT)

        # An interruption keeps what is done, and writes no predictor.
        before = machine.read_bytes()
        process = subprocess.Popen([str(word) for word in [*words, "--budget", "60s"]],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
        time.sleep(3)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        assert process.returncode == 128 + signal.SIGINT, process.returncode
        assert machine.read_bytes() == before
        run(program, "db", "doctor", "--db", database)

        # The target is looked at before anything is measured.
        bad = run(program, "calibrate", "--db", database, "-o", folder / "none" / "machine.json",
                  expected=BAD_INPUT)
        assert "none" in bad.stderr, bad.stderr
        run(program, "calibrate", "--db", database, "-o", machine, "--budget", "0s", expected=BAD_INPUT)


if __name__ == "__main__":
    main()
