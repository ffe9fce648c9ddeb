#!/usr/bin/python3
"""Compares what `jouletree inspect` counts with published figures.

    check_published.py PROGRAM MANIFEST FOLDER NAME

Parameters must be exact where the file holds them as trained. Where the exporter folded or dropped
something, they must equal the elements of the file's float initializers, less the running
statistics, and the output must say that normalisation was folded, or that equal tensors were stored
once and how many parameters there are otherwise. MACs must agree to the last
published digit.
"""

import json
import re
import subprocess
import sys
from decimal import Decimal

from model_entry import arguments_of, entry_of


def inspect(program, folder, model):
    command = [program, "inspect", *arguments_of(folder, model), "--format", "json"]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def differences(model, report):
    metrics = {name: metric["value"] for name, metric in report["metrics"].items()}
    notes = " ".join(report["notes"])
    as_trained = "differs" not in model
    published = model.get("published_params")
    if as_trained and published is not None and metrics["params"] != published:
        yield f"{metrics['params']} parameters, published {published}"
    stored = model.get("float_initializer_elements")
    told = re.search(r"([\d,]+) running means", notes)
    statistics = int(told[1].replace(",", "")) if told else 0
    if stored is not None and metrics["params"] + statistics != stored:
        yield f"{metrics['params']} parameters and {statistics} statistics, stored {stored}"
    one_by_one = model.get("one_by_one_params")
    at_least = "at least " if "folded normalisation" in notes else ""
    told_of = f"the model has {at_least}{one_by_one or 0:,} parameters"
    if one_by_one is not None and told_of not in notes:
        yield f"no note tells of {one_by_one:,} parameters if equal tensors are counted one by one"
    if one_by_one is None and "equal tensors" in notes:
        yield "the output says that equal tensors were merged, but they were not"
    if "folded" in model.get("batch_norms", "") and "folded normalisation" not in notes:
        yield "the output does not say that normalisation was folded"
    if model.get("batch_norms") in ("none", "kept") and "folded normalisation" in notes:
        yield "the output says that normalisation was folded, but it was not"
    gmacs = model.get("published_gmacs")
    if gmacs is not None:
        digit = Decimal(1).scaleb(Decimal(str(gmacs)).as_tuple().exponent)
        counted = (Decimal(metrics["macs"]) / 10**9).quantize(digit)
        if counted != Decimal(str(gmacs)):
            yield f"{counted} GMACs, published {gmacs}"
    if metrics["coverage_nodes"] != 1 or metrics["coverage_bytes"] != 1:
        yield f"coverage is {metrics['coverage_nodes']} and {metrics['coverage_bytes']}"
    if report["operators_unresolved"] and not model.get("data_dependent"):
        yield f"{report['operators_unresolved']} operators have open shapes"


def main(program, manifest, folder, name):
    model = entry_of(manifest, name)
    found = list(differences(model, inspect(program, folder, model)))
    for difference in found:
        print(f"{name}: {difference}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
