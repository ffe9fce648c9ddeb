#!/usr/bin/python3
"""How well whole models alone teach what other models of their kind take.

    bench/nas201_accuracy.py TABLE.csv [--set classes=100] [--train 200] [--seeds 5]

TABLE.csv holds networks of NAS-Bench-201 with a column arch_str, one with a latency and one with
an energy, in units that its names tell, as the data set HW-NAS-Bench-360 does. Trains on so many
random rows, of which one time and one energy each are known, and predicts all others. Prints for
each seed the share of predictions within 5 % and 10 %, the median error, how many true values lie
in the 90 % intervals, and half of the width of these, all in per cent. Exit code 1 where a mean
over the seeds misses its gate.
JOULETREE names the program (default: build/release/bin/jouletree).
"""

import argparse
import csv
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROGRAM = os.environ.get("JOULETREE", "build/release/bin/jouletree")
# Least and most of each figure, in per cent.
GATES = {
    "latency": {"within 10": (99, 100), "within 5": (95, 100), "inside": (88, 94), "width": (0, 8)},
    "energy": {"within 10": (95, 100), "inside": (88, 94)},
}
FIGURES = ("within 5", "within 10", "median", "inside", "width")
PREDICTED = {"latency": "predicted_time", "energy": "predicted_energy"}
UNITS = {"latency": "s", "energy": "j"}


def jouletree(*arguments):
    result = subprocess.run(
        [PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False
    )
    if result.returncode != 0:
        sys.exit(f"jouletree {' '.join(map(str, arguments))}\n{result.stderr}")
    return result.stdout


def write_rows(path, rows):
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)


def column_of(rows, word):
    """The column with this word that is no variance, and the factor that makes it s or J."""
    for name in rows[0]:
        if word in name and "var" not in name:
            return name, 1e-3 if name.endswith(("_ms", "_mj", "_mJ")) else 1
    sys.exit(f"no column tells of {word}")


def figures(rows, target):
    name, factor = column_of(rows, target)
    unit = UNITS[target]
    errors, inside, widths = [], [], []
    for row in rows:
        truth = float(row[name]) * factor
        value, low, high = (
            float(row[f"{PREDICTED[target]}{part}_{unit}"]) for part in ("", "_low", "_high")
        )
        errors.append(abs(value / truth - 1))
        inside.append(low <= truth <= high)
        widths.append((high - low) / 2 / value)
    return {
        "within 5": 100 * statistics.mean(error <= 0.05 for error in errors),
        "within 10": 100 * statistics.mean(error <= 0.10 for error in errors),
        "median": 100 * statistics.median(errors),
        "inside": 100 * statistics.mean(inside),
        "width": 100 * statistics.mean(widths),
    }


def run(rows, seed, options, folder):
    shuffled = rows[:]
    random.Random(seed).shuffle(shuffled)
    taught, others = shuffled[: options.train], shuffled[options.train :]
    write_rows(folder / "taught.csv", taught)
    write_rows(folder / "others.csv", others)
    settings = [word for one in options.settings for word in ("--set", one)]
    begin = time.monotonic()
    jouletree("train", folder / "taught.csv", *settings, "-o", folder / "board.json")
    trained = time.monotonic()
    jouletree(
        *("predict", folder / "board.json", folder / "others.csv", *settings),
        *("-o", folder / "predicted.csv"),
    )
    done = time.monotonic()
    with open(folder / "predicted.csv", newline="") as file:
        predicted = list(csv.DictReader(file))
    return (
        {target: figures(predicted, target) for target in PREDICTED},
        trained - begin,
        done - trained,
    )


def failures(means):
    for target, gates in GATES.items():
        for figure, (least, most) in gates.items():
            if not least <= means[target][figure] <= most:
                yield f"{target}: {figure} is {means[target][figure]:.2f}, not {least} to {most}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("table", type=Path)
    parser.add_argument("--set", dest="settings", action="append", default=[])
    parser.add_argument("--train", type=int, default=200)
    parser.add_argument("--seeds", type=int, default=5)
    options = parser.parse_args()
    with open(options.table, newline="") as file:
        rows = list(csv.DictReader(file))
    found = []
    print(
        "seed  target   " + "  ".join(f"{figure:>9}" for figure in FIGURES) + "  train s  predict s"
    )
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(1, options.seeds + 1):
            one, train_s, predict_s = run(rows, seed, options, Path(folder))
            found.append(one)
            for target, values in one.items():
                texts = "  ".join(f"{values[figure]:9.2f}" for figure in FIGURES)
                print(f"{seed:4}  {target:8} {texts}  {train_s:7.1f}  {predict_s:9.1f}", flush=True)
    means = {
        target: {
            figure: statistics.mean(one[target][figure] for one in found) for figure in FIGURES
        }
        for target in PREDICTED
    }
    for target, values in means.items():
        print(f"mean  {target:8} " + "  ".join(f"{values[figure]:9.2f}" for figure in FIGURES))
    problems = list(failures(means))
    print("\n".join(problems) if problems else "all gates held")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
