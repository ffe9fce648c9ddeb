#!/usr/bin/python3
"""How well does a calibration predict real models on this machine?

    calibration_accuracy.py PROGRAM MACHINE MODELS [--work FOLDER] [--only TEXT]

MACHINE is what `jouletree calibrate -o` wrote, MODELS the folder of tests/models/prepare.sh. Each model is predicted from
its file, then measured alone for some seconds; measurements that are in FOLDER are kept. Fails where one of the goals
is missed: median error 5 %, 85 % of the models within 10 %, none beyond 30 %, 88 % in their 90 % intervals, which
are at most 25 % wide to either side in the median. None of these models takes part in a calibration. Needs the idle machine.
"""

import argparse
import json
import statistics
import subprocess
import sys
from pathlib import Path

# Name and sizes of what the file leaves open.
TESTED = """
tv_alexnet
tv_vgg16
tv_resnet18
tv_resnet50
tv_resnet50_default batch=1
tv_mobilenet_v2
tv_mobilenet_v3_small
tv_efficientnet_b0
tv_mnasnet1_0
tv_squeezenet1_1
tv_shufflenet_v2_x1_0
tv_googlenet
tv_inception_v3
tv_densenet121
tv_regnet_y_400mf
tv_convnext_tiny
tv_vit_b_16
tv_swin_t
npm_minilm batch_size=1 sequence_length=128
npm_minilm_int8 batch_size=1 sequence_length=128
npm_ddddocr
npm_ddddocr_old
npm_mellon_stt
npm_minimind2 batch_size=1 sequence_length=16
npm_ppocr_det
npm_ppocr_rec
npm_retinaface
npm_silero_vad
npm_silero_vad_ifless
npm_whisper_decoder
npm_yolo11n
pt_bert_tiny batch=1 sequence=64
pt_bert_base batch=1 sequence=64
pt_gpt2 batch=1 sequence=32
pt_t5_small_encoder batch=1 sequence=64
pt_unet batch=1
pt_lstm_gru batch=1 sequence=32
"""

MEDIAN, WITHIN_TEN, WORST, HELD, WIDTH = 5, 0.85, 30, 0.88, 0.25


def run(words):
    result = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}: {result.stderr}")
    return result.stdout


def predicted(program, machine, model, dims):
    told = json.loads(run([program, "predict", machine, model, *dims, "--format", "json"]))
    return told["runs"][0]["metrics"]["time_s"]


def measured(program, model, dims, folder):
    if not (folder / "profile.json").exists():
        run([program, "profile", model, *dims, "--no-modules", "--target", "1", "--baseline", "0", "--budget", "4s", "-q",
             "-o", folder])
    return json.loads((folder / "profile.json").read_text())["metrics"]["time_s"]["value"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("machine")
    parser.add_argument("models", type=Path)
    parser.add_argument("--work", type=Path, default=Path("build/calibration_accuracy"))
    parser.add_argument("--only", default="")
    asked = parser.parse_args()
    rows = []
    print("| model | predicted ms | 90 % interval | measured ms | error % |\n|---|---|---|---|---|")
    for line in TESTED.split("\n"):
        name, *sizes = line.split() or [""]
        model = asked.models / f"{name}.onnx"
        if not name or asked.only not in name or not model.exists():
            continue
        dims = [word for size in sizes for word in ("--dim", size)]
        # The prediction comes first: nothing of the measurement can enter it.
        guess = predicted(asked.program, asked.machine, model, dims)
        truth = measured(asked.program, model, dims, asked.work / name)
        error = 100 * (guess["value"] / truth - 1)
        low, high = guess["low"], guess["high"]
        rows.append((error, low <= truth <= high, (high - low) / 2 / guess["value"]))
        print(f"| {name} | {guess['value'] * 1e3:.3g} | {low * 1e3:.3g} to {high * 1e3:.3g} | {truth * 1e3:.3g} | "
              f"{error:+.1f} |", flush=True)
    errors = [abs(error) for error, _, _ in rows]
    median = statistics.median(errors)
    within = sum(error <= 10 for error in errors) / len(errors)
    held = sum(inside for _, inside, _ in rows) / len(rows)
    width = statistics.median(width for _, _, width in rows)
    print(f"\n{len(rows)} models: median error {median:.1f} %, {100 * within:.0f} % within 10 %, worst {max(errors):.0f} %, "
          f"{100 * held:.0f} % in their intervals, which are ± {100 * width:.0f} % wide in the median")
    good = median <= MEDIAN and within >= WITHIN_TEN and max(errors) <= WORST and held >= HELD and width <= WIDTH
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
