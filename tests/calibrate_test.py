#!/usr/bin/python3
"""Calibrates this machine for some seconds, goes on, and predicts a model with what was learned.

    calibrate_test.py PROGRAM
"""

import json
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BAD_INPUT = 2


def run(*command, expected=0):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
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
        words = [program, "calibrate", "--max-load", "none", "--db", database, "-o", machine]

        first = run(*words, "--budget", "8s")
        assert "ledger trained on" in first.stdout, first.stdout
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

        # An interruption keeps what is done, and writes no predictor.
        before = machine.read_bytes()
        process = subprocess.Popen([str(word) for word in [*words, "--budget", "60s"]],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
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
