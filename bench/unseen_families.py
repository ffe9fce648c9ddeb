#!/usr/bin/python3
"""How far predictions are off for operators whose kind of work the training data lack.

    bench/unseen_families.py MODEL_OP_COUNTS.csv OPERATORS.csv...

Of a table of PyTorch operators measured alone, each family of work (convolutions, products, pooling,
what streams through memory) is left out of training in turn and predicted from the others. Printed
for each family: |log(true / predicted)| that holds 90 % of its operators, and of the sums over the
operators that each model of the counts has. Then the same for all families together, each with the
same weight: the widths in src/predict/foreign_widths.cpp are the largest of these over the tables.
JOULETREE names the program (default: build/dev/bin/jouletree).
"""

import csv
import json
import math
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

PROGRAM = os.environ.get("JOULETREE", "build/dev/bin/jouletree")
FAMILIES = {
    "convolution": {"Conv2d"},
    "product": {"Linear"},
    "pooling": {"AdaptiveAvgPool2d", "AvgPool2d", "MaxPool2d"},
    "streaming": {
        "BatchNorm2d",
        "GELU",
        "LayerNorm",
        "ReLU",
        "SiLU",
        "Sigmoid",
        "StochasticDepth",
    },
}
TARGETS = (("energy_j", "energy_per_iter_mJ", 1e-3), ("time_s", "runtime_mean_s", 1))
LEVEL = 0.9


def jouletree(*arguments):
    result = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"jouletree {' '.join(map(str, arguments))}\n{result.stderr}")
    return result.stdout


def write_rows(path, rows):
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)


def predictions(rows, types, folder):
    """Rows of these types, each with its metrics as predicted from all other rows."""
    left_out = [row for row in rows if row["op_class"] in types]
    write_rows(folder / "train.csv", [row for row in rows if row["op_class"] not in types])
    write_rows(folder / "left_out.csv", left_out)
    predictor = folder / "predictor.json"
    jouletree("train", folder / "train.csv", "-o", predictor, "--features", "specs")
    text = jouletree(
        "predict", predictor, folder / "left_out.csv", "--features", "specs", "--format", "json"
    )
    return [(row, run["metrics"]) for row, run in zip(left_out, json.loads(text)["runs"])]


def operator_logs(pairs):
    return [abs(math.log(true / value)) for true, value in pairs.values()]


def sum_logs(pairs, counts):
    """Of the sums over the operators that a model has of the family, for each way to run them."""
    ways = {(phase, mode) for _, phase, mode in pairs}
    sums = defaultdict(lambda: [0, 0])
    for count in counts:
        key = f"{count['op_class']}({count['op_args']})@{count['input_shape']}"
        for way in ways:
            if (key, *way) not in pairs:
                continue
            one = sums[count["model"], count["model_input_shape"], count["mode"], way]
            for i, cost in enumerate(pairs[(key, *way)]):
                one[i] += float(count["count_all_calls"]) * cost
    return [abs(math.log(true / value)) for true, value in sums.values()]


def weighted_quantile(groups):
    """Each group weighs the same, however many values it has."""
    values = sorted((value, 1 / len(group) / len(groups)) for group in groups for value in group)
    held = 0
    for value, weight in values:
        held += weight
        if held >= LEVEL:
            return value
    return values[-1][0]


def report(table, counts):
    with open(table, newline="") as file:
        rows = list(csv.DictReader(file))
    operators = defaultdict(list)
    sums = defaultdict(list)
    for family, types in FAMILIES.items():
        with tempfile.TemporaryDirectory() as folder:
            predicted = predictions(rows, types, Path(folder))
        for metric, column, scale in TARGETS:
            pairs = {
                (row["op_key"], row["phase"], row["exec_mode"]): (
                    scale * float(row[column]),
                    metrics[metric]["value"],
                )
                for row, metrics in predicted
                if metrics[metric]["value"]
            }
            operators[metric].append(operator_logs(pairs))
            sums[metric].append(sum_logs(pairs, counts))
            print(
                f"{table.name} {family} {metric}: operators"
                f" {weighted_quantile(operators[metric][-1:]):.2f},"
                f" sums {weighted_quantile(sums[metric][-1:]):.2f}"
            )
    for metric, _, _ in TARGETS:
        print(
            f"{table.name} all {metric}: operators {weighted_quantile(operators[metric]):.2f},"
            f" sums {weighted_quantile(sums[metric]):.2f}"
        )


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    with open(sys.argv[1], newline="") as file:
        counts = list(csv.DictReader(file))
    for table in sys.argv[2:]:
        report(Path(table), counts)


if __name__ == "__main__":
    main()
