"""Profiles models and tells how much of each its operators explain.

    attribution.py PROGRAM FOLDER [--cache MODES] [--budget TIME] [--only NAMES] [--repeat]
                   [--times N]

FOLDER holds the models that tests/models/prepare.sh makes. With --repeat every model is profiled
twice, and the two are compared. With --times the attribution is the median of so many profiles,
with the smallest and the largest behind it.
"""

import argparse
import json
import statistics
import subprocess
import sys
from pathlib import Path

TOKENS = ["input_ids", "attention_mask", "token_type_ids"]


def inputs(*names, shape):
    return [word for name in names for word in ("--input", f"{name}={shape}")]


# File, kind, and what the inputs look like where the file leaves it open.
MODELS = {
    "tv_resnet18": ("convolution", []),
    "tv_resnet50": ("convolution", []),
    "tv_mobilenet_v2": ("depthwise convolution", []),
    "tv_mobilenet_v3_small": ("depthwise convolution", []),
    "tv_squeezenet1_1": ("convolution", []),
    "tv_densenet121": ("convolution", []),
    "tv_shufflenet_v2_x1_0": ("depthwise convolution", []),
    "tv_efficientnet_b0": ("depthwise convolution", []),
    "tv_convnext_tiny": ("convolution", []),
    "npm_yolo11n": ("detection", ["--dim", "batch=1", "--dim", "height=320", "--dim", "width=320"]),
    "npm_ppocr_rec": ("text recognition", inputs("x", shape="1x3x48x320")),
    "npm_minilm": ("transformer", inputs(*TOKENS, shape="1x128")),
    "npm_minilm_int8": ("transformer, quantised", inputs(*TOKENS, shape="1x128")),
    "pt_bert_base": ("transformer", inputs(*TOKENS, shape="1x128")),
    "pt_bert_tiny": ("transformer", inputs(*TOKENS, shape="1x128")),
    "pt_gpt2": ("transformer", inputs(*TOKENS[:2], shape="1x64")),
    "pt_lstm_gru": ("recurrent", inputs("input_ids", shape="8x100")),
}


def profile(program, model, settings, cache, budget):
    command = [program, "profile", str(model), *settings, "--cache", cache, "--no-modules"]
    command += ["--format", "json"] + (["--budget", budget] if budget else [])
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"{model}: {result.stderr.strip()}")
    return json.loads(result.stdout)


def time_of(profile_json):
    return profile_json["metrics"]["time_s"]["value"]


def share_of(profile_json):
    return 100 * profile_json["metrics"]["attribution_time"]["value"]


def profile_times(times, *arguments):
    """The profile whose attribution is in the middle, and its attribution as text."""
    found = sorted((profile(*arguments) for _ in range(times)), key=share_of)
    middle = found[times // 2]
    text = f"{share_of(middle):.1f}"
    if times > 1:
        text += f" ({share_of(found[0]):.1f} to {share_of(found[-1]):.1f})"
    return middle, text


def unmeasured(profile_json):
    """Operators that failed, or for which the budget was too small."""
    ledger = profile_json["ledger"]
    return ledger["failed"] + ledger["out_of_time"]


def operator_times(profile_json):
    times = {}
    for operator in profile_json["operators"]:
        if operator.get("time_s") and operator["time_s"]["provenance"] == "measured":
            times[operator["key"]] = operator["time_s"]["value"] * operator["count"]
    return times


def compare(first, second):
    """Differences of the whole and of the ten largest operators, in per cent."""
    whole = 100 * abs(time_of(second) / time_of(first) - 1)
    before, after = operator_times(first), operator_times(second)
    top = sorted(before, key=before.get, reverse=True)[:10]
    return whole, [100 * abs(after[key] / before[key] - 1) for key in top if key in after]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--cache", default="model")
    parser.add_argument("--budget", default="")
    parser.add_argument("--only", default=",".join(MODELS))
    parser.add_argument("--repeat", action="store_true")
    parser.add_argument("--times", type=int, default=1)
    options = parser.parse_args()
    modes = options.cache.split(",")
    columns = ["not measured", "whole ms"] + [f"{mode} %" for mode in modes]
    columns += ["whole differs %", "top 10 differ %"] if options.repeat else []
    print("| model | kind | operators | kinds | " + " | ".join(columns) + " |")
    print("|---|---|" + "---:|" * (2 + len(columns)), flush=True)
    shares = {mode: [] for mode in modes}
    wholes, operators = [], []
    for name in options.only.split(","):
        kind, settings = MODELS[name]
        cells = []
        for mode in modes:
            found, text = profile_times(options.times, options.program,
                                        options.folder / f"{name}.onnx", settings, mode,
                                        options.budget)
            shares[mode].append(share_of(found))
            cells.append(text)
        if options.repeat:
            again = profile(options.program, options.folder / f"{name}.onnx", settings, modes[-1],
                            options.budget)
            whole, top = compare(found, again)
            wholes.append(whole)
            operators.append(statistics.median(top))
            cells += [f"{whole:.1f}", f"{operators[-1]:.1f}"]
        count = sum(operator["count"] for operator in found["operators"])
        print(f"| {name} | {kind} | {count} | {len(found['operators'])} | "
              f"{unmeasured(found)} | {1000 * time_of(found):.2f} | " + " | ".join(cells) + " |", flush=True)
    for mode in modes:
        print(f"median {mode}: {statistics.median(shares[mode]):.1f} %, "
              f"from {min(shares[mode]):.1f} to {max(shares[mode]):.1f}")
    if options.repeat:
        print(f"two profiles differ by {statistics.median(wholes):.1f} % (whole) and "
              f"{statistics.median(operators):.1f} % (top 10 operators), median over the models")


main()
