#!/usr/bin/python3
"""Compares what `jouletree inspect` counts in a TorchScript file with the ONNX file of the model.

    check_torchscript.py PROGRAM MANIFEST FOLDER FILE

MACs must be the same. Parameters must be those published, and the same as in the ONNX file once
those are taken off that the output names: parts that the run leaves out and normalisation that
exporters fold. A file that must be refused is refused in one line.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

BAD_INPUT = 2


def run(program, path, inputs):
    command = [program, "inspect", str(path), "--format", "json"]
    for name, shape in inputs.items():
        command += ["--input", f"{name}={'x'.join(map(str, shape))}"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def inspect(program, path, inputs):
    result = run(program, path, inputs)
    if result.returncode != 0:
        sys.exit(f"{path.name}: exit code {result.returncode}: {result.stderr}")
    return json.loads(result.stdout)


def named_in(notes, pattern):
    """The number that the note with this pattern names; 0 where there is none."""
    for note in notes:
        if found := re.search(pattern, note):
            return int(found.group(1).replace(",", ""))
    return 0


def refusal_differences(result, wanted):
    if result.returncode != BAD_INPUT:
        yield f"exit code {result.returncode}"
    if wanted not in result.stderr or result.stderr.count("\n") != 1 or result.stdout:
        yield f"refused with: {result.stderr}"


def differences(model, report, onnx):
    metrics = {name: metric["value"] for name, metric in report["metrics"].items()}
    published = model.get("published_params", model.get("stored_params"))
    if published is not None and metrics["params"] != published:
        yield f"{metrics['params']} parameters, expected {published}"
    if metrics["coverage_nodes"] != 1:
        yield f"coverage is {metrics['coverage_nodes']}"
    if onnx is None:
        return
    if metrics["macs"] != onnx["metrics"]["macs"]["value"]:
        yield f"{metrics['macs']} MACs, in the ONNX file {onnx['metrics']['macs']['value']}"
    folded = any("folded normalisation" in note for note in onnx["notes"])
    left = metrics["params"] - named_in(report["notes"], r"^([\d,]+) of the parameters are not used")
    if folded:
        left -= named_in(report["notes"], r"leaves ([\d,]+) parameters fewer")
    if left != onnx["metrics"]["params"]["value"]:
        yield f"{left} parameters are explained, the ONNX file has {onnx['metrics']['params']['value']}"


def main(program, manifest, folder, file):
    folder = Path(folder)
    models = json.loads(Path(manifest).read_text())["torchscript"]
    model = next(model for model in models if model["file"] == file)
    if "refused" in model:
        found = list(refusal_differences(run(program, folder / file, {}), model["refused"]))
    else:
        report = inspect(program, folder / file, model["inputs"])
        onnx = inspect(program, folder / model["same_as"], {}) if "same_as" in model else None
        found = list(differences(model, report, onnx))
    for difference in found:
        print(f"{file}: {difference}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
