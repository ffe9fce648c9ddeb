#!/usr/bin/env python3
"""FLOPs, sizes and time of every layer of many transformers, as one CSV to learn from.

examples/transformers_dataset.py -o transformers.csv
examples/transformers_dataset.py --models 12 --sizes 1x32,8x64 --budget 2 -o few.csv
examples/transformers_dataset.py --models bert-base-uncased,T5 -o some.csv

Rows of a model at one size are added together. A run that was stopped goes on where it was when it
is started again. At the end neuralpower and ledger are trained on the file, and each model (family)
is predicted by predictors that have not seen it. Needs PyTorch and transformers.
"""

from __future__ import annotations

import argparse
import platform
import sys
import time
import warnings
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

try:
    import torch
    from torch import nn

    import_module("transformers").logging.set_verbosity_error()
except ImportError as missing:
    print(f"transformers_dataset: {missing}; pip install torch transformers", file=sys.stderr)
    sys.exit(3)

from dataset.layers import (
    Operator,
    Seconds,
    Times,
    most_work,
    operators_of,
    time_layers,
    total,
    work_of_layers,
)
from dataset.models import Size, Transformer, build, inputs_of, transformers
from dataset.row_sets import CannotUse, Row, RowSets

import jouletree as jt

#: Those that tell sets of rows apart, then those of per-layer files with a few more.
KEY = ("model_name", "head", "batch_size", "seq_len", "device")
COLUMNS = (
    *("model_name", "family", "head", "batch_size", "seq_len", "level", "name", "class", "type"),
    *("input_size", "output_size", "kernel_size", "stride", "padding"),
    *("params", "macs", "flops", "bytes"),
    *("time_s", "time_low_s", "time_high_s", "runs_timed", "energy_j"),
    *("count_provenance", "time_provenance", "energy_provenance", "device"),
)
COUNTS = ("params", "macs", "flops", "bytes")
METHODS = ("neuralpower", "ledger")


def main() -> int:
    arguments = parsed()
    chosen = [one.small() for one in arguments.models] if arguments.small else arguments.models
    torch.set_num_threads(arguments.threads)
    device = device_name(arguments.threads)
    try:
        with RowSets(arguments.output, COLUMNS, KEY) as sets:
            collect(sets, chosen, arguments.sizes, arguments.budget, device)
    except CannotUse as problem:
        print(f"transformers_dataset: {problem}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("stopped; the same command goes on from here", file=sys.stderr)
        return 130
    report_errors(arguments.output)
    return 0


def parsed() -> argparse.Namespace:
    title, _, rest = (__doc__ or "").partition("\n\n")
    parser = argparse.ArgumentParser(
        description=title, epilog=rest, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--models",
        type=models_of,
        default=transformers(),
        metavar="N|NAMES",
        help="the first N, or names of models and families, separated by commas (default: all)",
    )
    parser.add_argument(
        "--sizes",
        type=sizes_of,
        default=sizes_of("1x32,1x128,4x64"),
        metavar="BxL,…",
        help="batch sizes and lengths in tokens (default: 1x32,1x128,4x64)",
    )
    parser.add_argument(
        "--budget",
        type=seconds_of,
        default=4.0,
        metavar="SECONDS",
        help="for timing a model at one size, at least five runs (default: 4)",
    )
    parser.add_argument(
        "--threads", type=count_of, default=1, metavar="N", help="of PyTorch (default: 1)"
    )
    parser.add_argument("--small", action="store_true", help="two narrow layers of each, to try")
    parser.add_argument(
        "-o",
        dest="output",
        type=Path,
        default=Path("transformers.csv"),
        metavar="FILE.csv",
        help="where the rows are added (default: transformers.csv)",
    )
    return parser.parse_args()


def models_of(text: str) -> list[Transformer]:
    known = transformers()
    if text.isdigit():
        if int(text) == 0:
            raise argparse.ArgumentTypeError("0 models are none; give a number from 1 on")
        return known[: int(text)]
    wanted = [name.strip().lower() for name in text.split(",")]
    for name in wanted:
        if not any(name in (one.name.lower(), one.family.lower()) for one in known):
            names = ", ".join(dict.fromkeys(one.name for one in known))
            raise argparse.ArgumentTypeError(f"there is no '{name}'; there are {names}")
    return [one for one in known if {one.name.lower(), one.family.lower()} & set(wanted)]


def sizes_of(text: str) -> list[Size]:
    sizes = []
    for part in text.split(","):
        batch, _, length = part.strip().partition("x")
        try:
            sizes.append(Size(count_of(batch), count_of(length)))
        except (ValueError, argparse.ArgumentTypeError):
            raise argparse.ArgumentTypeError(
                f"'{part}' is no size; write batch and length as in 8x64"
            ) from None
    return list(dict.fromkeys(sizes))


def count_of(text: str) -> int:
    count = int(text)
    if not 0 < count <= 1_000_000:
        raise argparse.ArgumentTypeError(f"{text} is not between 1 and 1,000,000")
    return count


def seconds_of(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds < 86_400:
        raise argparse.ArgumentTypeError(f"{text} is no time; give seconds above 0")
    return seconds


def device_name(threads: int) -> str:
    """What times depend on beside the model: predictors must not mix it up."""
    processor = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        processor = next(
            line.partition(":")[2].strip() for line in lines if line.startswith("model name")
        )
    except (OSError, StopIteration):
        pass
    words = "1 thread" if threads == 1 else f"{threads} threads"
    return f"{processor}, {words}, PyTorch {torch.__version__}"


def collect(
    sets: RowSets, chosen: list[Transformer], sizes: list[Size], budget_s: float, device: str
) -> None:
    """Measures what the file does not have yet."""
    longest = max(size.length for size in sizes)
    open_sets = {
        one: [size for size in sizes if key_of(one, size, device) not in sets.finished]
        for one in chosen
    }
    count = sum(len(of_one) for of_one in open_sets.values())
    known = len(chosen) * len(sizes) - count
    if known > 0:
        say(f"{known} of {len(chosen) * len(sizes)} are in the file already")
    begin = time.monotonic()
    done = 0
    for transformer, of_one in open_sets.items():
        model = build(transformer.for_length(longest)) if of_one else None
        for size in of_one:
            assert model is not None
            note = measure(sets, model, transformer, size, budget_s, device)
            done += 1
            left_s = (time.monotonic() - begin) / done * (count - done)
            left = f"; about {left_s / 60:.0f} min left" if done < count else ""
            say(f"[{done}/{count}] {transformer.title} {size}: {note}{left}")


def key_of(transformer: Transformer, size: Size, device: str) -> tuple[str, ...]:
    return (transformer.name, transformer.head, str(size.batch), str(size.length), device)


def measure(
    sets: RowSets,
    model: nn.Module,
    transformer: Transformer,
    size: Size,
    budget_s: float,
    device: str,
) -> str:
    """Adds the rows of a model at one size; returns what to tell of them."""
    inputs = inputs_of(transformer, size)
    operators = operators_of(model, inputs)
    times = time_layers(model, inputs, budget_s)
    common: Row = {
        "model_name": transformer.name,
        "family": transformer.family,
        "head": transformer.head,
        "batch_size": size.batch,
        "seq_len": size.length,
        "count_provenance": "counted",
        "time_provenance": "measured",
        "device": device,
    }
    layers = list(rows_of_layers(operators, times))
    whole = Seconds.of(times.whole)
    last = {
        "level": "model",
        "name": transformer.name,
        "class": type(model).__name__,
        **figures(operators, 1, whole),
        "params": sum(parameter.numel() for parameter in model.parameters()),
    }
    sets.add({**common, **row} for row in (*layers, last))
    explained = sum(float(row["time_s"]) for row in layers) / whole.value
    return f"{len(layers)} layers, {whole.value * 1e3:.4g} ms, of which layers are {explained:.0%}"


def rows_of_layers(operators: list[Operator], times: Times) -> Iterator[dict[str, Any]]:
    """A row for each call of a layer. ALBERT calls the same ones again and again."""
    for path, rows in work_of_layers(operators, times).items():
        layer = times.layers[path]
        module = layer.module
        largest = most_work(rows)
        is_leaf = not module._modules
        row = {
            "level": "ml",
            "name": path or type(module).__name__,
            "class": type(module).__name__,
            # What an inner module does itself is best told by the operator that does most of it.
            "type": type(module).__name__ if is_leaf else largest["type"],
            "input_size": layer.input_size if is_leaf else largest["input_size"],
            "output_size": layer.output_size if is_leaf else largest["output_size"],
            **{name: largest[name] for name in ("kernel_size", "stride", "padding")},
            **figures(rows, layer.calls, Seconds.of(times.own[path])),
        }
        for _ in range(layer.calls):
            yield row


def figures(rows: list[Operator], calls: int, seconds: Seconds) -> dict[str, object]:
    """Of one call. Parameters are the same in each."""
    counts: dict[str, object] = {}
    for column in COUNTS:
        number = total(rows, column)
        share = 1 if column == "params" else calls
        counts[column] = "" if number is None else f"{number / share:.15g}"
    return {
        **counts,
        "time_s": f"{seconds.value:.9g}",
        "time_low_s": f"{seconds.low:.9g}",
        "time_high_s": f"{seconds.high:.9g}",
        "runs_timed": seconds.runs,
    }


def report_errors(path: Path) -> None:
    """How far off models are that a predictor has not seen, by their counts and sizes alone."""
    print("mean absolute error of predicted times in per cent")
    print(f"{'method':<12} {'left out':<9} {'layers':>8} {'models':>8}  not all predicted")
    for method in METHODS:
        predictor = path.with_suffix(f".{method}.json")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", jt.PredictionWarning)
            jt.train(path, predictor, method=method, features="specs")
            say(f"{predictor}: {method}, trained on all of {path}")
            for leave_out in ("model", "family"):
                print(f"{method:<12} {leave_out:<9} {errors_text(path, method, leave_out)}")


def errors_text(path: Path, method: str, leave_out: str) -> str:
    try:
        checked = jt.crossvalidate(path, method=method, leave_out=leave_out, features="specs")
    except jt.BadInput as problem:
        return str(problem)
    errors = [checked.overall_time.get(level) for level in ("ml", "model")]
    numbers = [f"{'-' if error is None else format(error, '.1f'):>8}" for error in errors]
    # A type of layer that no other family has cannot be predicted by its name.
    return f"{' '.join(numbers)}  in {len(checked.warnings)} of {len(checked.folds)}"


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
