#!/usr/bin/python3
"""How good is a database's answer for a model that never ran there?

    bench/predict_database.py PROGRAM [--budget 15s]

For each case: profiles some models into a new database, asks it for another model of the kind, and
then measures that one. Prints the share that was measured, the prediction with its interval, and
what the model takes. Let nothing else run. Exit code 1 where fewer than nine tenths of the measured
times lie in their intervals.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

# Models that are in the database, the one that is asked for, sizes.
CASES = [
    (["bert-l2-h128", "bert-l4-h128"], "bert-l8-h128", ["--dim", "sequence=64"]),
    (["bert-l2-h256", "bert-l2-h128"], "bert-l6-h256", ["--dim", "sequence=128"]),
    (["bert-l2-h512", "bert-l2-h256"], "bert-l4-h512", ["--dim", "sequence=32"]),
    (["distilgpt2", "bert-l2-h768"], "gpt2", ["--dim", "sequence=32"]),
    (["distilbert-base-uncased", "bert-l2-h512"], "bert-l4-h768", ["--dim", "sequence=64"]),
    (["resnet-18", "mobilenet-v2"], "resnet-34", []),
    (["resnet-50", "resnet-18"], "resnet-101", []),
    (["vgg-11", "alexnet"], "vgg-16", []),
    (["mobilenet-v2", "resnet-18"], "mixed-blocks", []),
    (["albert-base-v2", "bert-l2-h512"], "bert-base-cased", ["--dim", "sequence=64"]),
]


def asked(program, *words):
    result = subprocess.run(
        [program, *map(str, words), "--format", "json"],
        check=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    return json.loads(result.stdout)


def is_inside(program, budget, known, model, sizes):
    protocol = ("--budget", budget, "--baseline", "0", "--no-modules")
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "measured.sqlite"
        for one in known:
            asked(program, "profile", one, *sizes, *protocol, "--db", database)
        predicted = asked(program, "predict", database, model, "--dim", "batch=1", *sizes)
    metrics = predicted["runs"][0]["metrics"]
    time = metrics["time_s"]
    taken = asked(program, "profile", model, *sizes, *protocol)["whole"]["time_s"]["value"]
    inside = time["low"] <= taken <= time["high"]
    print(
        f"{model:20} {metrics['measured_share']:7.1%} {time['value'] * 1e3:9.3f} "
        f"({time['low'] * 1e3:.3f} to {time['high'] * 1e3:.3f}) {taken * 1e3:9.3f} "
        f"{time['value'] / taken - 1:+6.1%} {'inside' if inside else 'outside'}",
        flush=True,
    )
    return inside


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--budget", default="15s", help="of each profile")
    given = parser.parse_args()
    print("model                measured predicted ms (interval) taken ms error")
    inside = [is_inside(given.program, given.budget, *case) for case in CASES]
    print(f"{sum(inside)} of {len(inside)} inside")
    return 0 if sum(inside) >= 0.9 * len(inside) else 1


if __name__ == "__main__":
    sys.exit(main())
