#!/usr/bin/python3
"""How far predictions are off where a model's operators are named otherwise than the training data.

    bench/foreign_accuracy.py DEVICE_1.jsonl [MODELS.csv ONNX_FOLDER OPERATORS.csv...]

Trees published with IrEne hold PyTorch modules; models of the zoo hold ONNX operators. Each model
is left out of training once, and its zoo twin is predicted for every batch size and length that was
measured. With tables of PyTorch operators measured alone (one per device), whole models measured on
these devices and a folder of ONNX files (tests/models/prepare.sh), image models are predicted, too.

Printed for each model: errors, the mean of their absolute values, the share of true values in their 90 % intervals, the mean width of
intervals, and |log(true / predicted)|: what holds 90 % of the runs, and the largest. Then, what a
width that was derived from one family alone holds of the others: for whole models the largest miss,
because a handful of models is too few for a quantile over models; for modules the 90 % quantile.
JOULETREE names the program (default: build/dev/bin/jouletree), PREDICT_FLAGS more flags of predict.
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
    "bert-base-uncased": "BERT-like",
    "roberta-base": "BERT-like",
    "distilbert-base-uncased": "BERT-like",
    "gpt2": "GPT-like",
    "distilgpt2": "GPT-like",
    "openai-gpt": "GPT-like",
}
# Image models: name in the table, and in the zoo; others are taken from the folder of ONNX files.
ZOO = {
    "alexnet": "alexnet",
    "resnet18": "resnet-18",
    "resnet34": "resnet-34",
    "resnet50": "resnet-50",
    "resnet101": "resnet-101",
}
TARGETS = (("energy_j", "ground_truth_energy"), ("time_s", "times_mean"))


def jouletree(*arguments):
    result = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"jouletree {' '.join(map(str, arguments))}\n{result.stderr}")
    return result.stdout


def predict(predictor, model, *flags):
    more = os.environ.get("PREDICT_FLAGS", "").split()
    text = jouletree("predict", predictor, model, "--format", "json", *flags, *more)
    return json.loads(text)["runs"][0]


def nodes_of(node):
    yield node
    for child in node["child_nodes_obj"]:
        yield from nodes_of(child)


class Residuals:
    """Pairs of a predicted metric and its true value."""

    def __init__(self):
        self.pairs = []

    def add(self, metric, truth):
        if metric["value"] and truth:
            self.pairs.append((metric["value"], metric.get("low"), metric.get("high"), truth))

    def errors(self):
        return sorted(100 * (value / truth - 1) for value, _, _, truth in self.pairs)

    def logs(self):
        return sorted(abs(math.log(truth / value)) for value, _, _, truth in self.pairs)

    def quantile(self, level=0.9):
        logs = self.logs()
        return logs[min(len(logs), math.ceil((len(logs) + 1) * level)) - 1]

    def largest(self):
        return self.logs()[-1]

    def held(self):
        return sum(low is not None and low <= truth <= high for _, low, high, truth in self.pairs)

    def within(self, half_width):
        return sum(log <= half_width for log in self.logs())

    def widths(self):
        return [(high - low) / value for value, low, high, _ in self.pairs if low is not None]

    def line(self, name):
        errors = self.errors()
        widths = self.widths()
        width = 100 * sum(widths) / len(widths) if widths else float("nan")
        return (
            f"{name:34} {len(errors):5}  {errors[0]:+6.1f} {errors[len(errors) // 2]:+6.1f} "
            f"{errors[-1]:+6.1f}  {sum(map(abs, errors)) / len(errors):6.2f}  {self.held():4} ({100 * self.held() / len(errors):5.1f} %)"
            f"  {width:6.1f}  {self.quantile():.3f}  {self.largest():.3f}"
        )


HEADER = (
    f"{'':34} {'runs':>5}  {'min':>6} {'median':>6} {'max %':>6}  {'mean %':>6}  {'in interval':>14}"
    f"  {'width %':>7} {'log 90 %':>8} largest"
)


def measure_irene(data, folder):
    """Residuals by (target, level, model)."""
    lines = [line for line in Path(data).read_text().splitlines() if line.strip()]
    runs = [json.loads(line) for line in lines]
    residuals = defaultdict(Residuals)
    for model in FAMILIES:
        rest = folder / f"without_{model}.jsonl"
        rest.write_text(
            "".join(l + "\n" for l, run in zip(lines, runs) if run["model_name"] != model)
        )
        predictor = folder / f"{model}.json"
        jouletree("train", rest, "-o", predictor)
        for run in runs:
            if run["model_name"] != model:
                continue
            sizes = [f"batch={run['batch_size']}", f"sequence={run['seq_len']}"]
            predicted = predict(predictor, model, "--dim", sizes[0], "--dim", sizes[1])
            if not predicted["operators"]["foreign"]:
                sys.exit(f"{model}: not recognised as foreign")
            truths = {node["id"]: node for node in nodes_of(run["frontend_tree"])}
            for node in predicted["nodes"]:
                truth = truths.get(node["id"])
                if truth is None:
                    continue
                level = "model" if truth["type"] == "model" else "module"
                for metric, key in TARGETS:
                    residuals[metric, level, model].add(node["metrics"][metric], truth[key])
    return residuals


def image_model(row, onnx):
    """What to predict for a row of the table of whole models; nothing where there is no model."""
    shape = row["input_shape"].strip("()").replace(" ", "").replace(",", "x")
    if row["model"] in ZOO:
        return [ZOO[row["model"]], "--input", f"input={shape}"]
    file = Path(onnx) / f"tv_{row['model']}.onnx"
    return [file, "--input", f"x={shape}"] if file.exists() else None


def measure_images(models, onnx, operators, folder):
    """Residuals by (target, level, model) of image models on the device of the operators."""
    rows = list(csv.DictReader(open(operators, newline="")))
    table = folder / "operators.csv"
    with open(table, "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(r for r in rows if r["exec_mode"] == "fwd_eval_inference_mode")
    predictor = folder / "operators.json"
    jouletree("train", table, "--features", "specs", "-o", predictor)
    device = rows[0]["gpu_config"]
    residuals = defaultdict(Residuals)
    for row in csv.DictReader(open(models, newline="")):
        if row["gpu_config"] != device or row["phase"] != "inference":
            continue
        name = f"{row['model']} ({device})"
        # The zoo's AlexNet has no pooling that would fit another size of image to its layers.
        is_odd = row["model"] == "alexnet" and "224" not in row["input_shape"]
        model = None if is_odd else image_model(row, onnx)
        if model is None:
            print(f"left out, there is no such model: {name} {row['input_shape']}")
            continue
        metrics = predict(predictor, *model)["metrics"]
        residuals["energy_j", "model", name].add(
            metrics["energy_j"], float(row["energy_per_iter_mJ"]) / 1e3
        )
        residuals["time_s", "model", name].add(metrics["time_s"], float(row["runtime_mean_s"]))
    return residuals, device


def joined(residuals, keep):
    result = Residuals()
    for key, part in residuals.items():
        if keep(*key):
            result.pairs += part.pairs
    return result


def report(residuals, families):
    for metric, _ in TARGETS:
        for level in ("model", "module"):
            keys = [key for key in residuals if key[:2] == (metric, level)]
            print(f"\n{metric}, {level}\n{HEADER}")
            for key in keys:
                print(residuals[key].line(key[2]))
            groups = {
                family: joined(
                    residuals, lambda m, l, n: (m, l) == (metric, level) and families[n] == family
                )
                for family in dict.fromkeys(families[key[2]] for key in keys)
            }
            for family, group in groups.items():
                print(group.line("all " + family))
            for source, group in groups.items():
                half = group.largest() if level == "model" else group.quantile()
                for other, tested in groups.items():
                    if other == source:
                        continue
                    share = 100 * tested.within(half) / len(tested.pairs)
                    print(f"  {half:.3f} from {source} holds {share:.1f} % of {other}")


def main(arguments):
    if len(arguments) in (0, 2, 3):
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as name:
        residuals = measure_irene(arguments[0], Path(name))
        families = dict(FAMILIES)
        for operators in arguments[3:]:
            images, device = measure_images(arguments[1], arguments[2], operators, Path(name))
            residuals.update(images)
            families.update({key[2]: f"images, {device}" for key in images})
        report(residuals, families)


if __name__ == "__main__":
    main(sys.argv[1:])
