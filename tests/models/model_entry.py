"""Entries of manifest.json, and the flags with which JouleTree counts and runs them."""

import json
from pathlib import Path


def entry_of(manifest, name):
    models = json.loads(Path(manifest).read_text())["models"]
    return next(model for model in models if model.get("name", model["file"]) == name)


def arguments_of(folder, model):
    """The file, and its shapes, sizes and values as the manifest has them."""
    arguments = [str(Path(folder) / model["file"])]
    for name, shape in model.get("inputs", {}).items():
        arguments += ["--input", f"{name}={'x'.join(map(str, shape)) or 'scalar'}"]
    for name, size in model.get("dims", {}).items():
        arguments += ["--dim", f"{name}={size}"]
    for name, values in model.get("values", {}).items():
        arguments += ["--value", f"{name}={','.join(map(str, values))}"]
    return arguments
