"""Export in another process, whose Keras runs on TensorFlow: for models of other back ends, and for
files. Keras describes a model without its back end, so that the copy there is the same one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

import jouletree
from jouletree._onnx_model import OnnxModel
from jouletree.errors import BadInput, Failed, Missing
from jouletree.keras.reasons import first_sentence
from jouletree.keras.state import unchanged
from jouletree.keras.stored import check_stored

_START = "from jouletree.keras.worker import main; main()"


def exported_copy(model: Any, x: Any) -> OnnxModel:
    """A live model of another back end than TensorFlow."""
    with tempfile.TemporaryDirectory(prefix="jouletree-") as folder:
        path = Path(folder) / "model.keras"
        try:
            with unchanged(model), warnings.catch_warnings():
                # That a model was never built is all right here.
                warnings.simplefilter("ignore")
                model.save(path)
        except Exception as error:
            raise BadInput(
                f"{model.name} cannot be copied to TensorFlow for its export: "
                f"{first_sentence(error)}"
            ) from error
        return _asked(
            folder, str(model.name), x, file=str(path), trusted=True, classes=_own_classes(model)
        )


def exported_file(path: str | os.PathLike[str], x: Any) -> OnnxModel:
    """A file that may come from anybody."""
    check_stored(path)
    given = str(Path(path).absolute())
    with tempfile.TemporaryDirectory(prefix="jouletree-") as folder:
        return _asked(folder, os.fspath(path), x, file=given, trusted=False, classes=[])


def _own_classes(model: Any) -> list[list[str]]:
    """Module and name of the classes of its layers, besides those of Keras."""
    found = []
    for layer in model._flatten_layers(include_self=True, recursive=True):
        kind = type(layer)
        if kind.__module__ == "__main__" or "<locals>" in kind.__qualname__:
            raise BadInput(
                f"the class {kind.__name__} of the layer {layer.name} is defined in a script, a "
                "notebook or a function, where the process that exports the model cannot find it: "
                "put the class into a module, or run with KERAS_BACKEND=tensorflow"
            )
        if not kind.__module__.startswith("keras."):
            found.append([kind.__module__, kind.__qualname__])
    return found


def _asked(folder: str, called: str, x: Any, **request: Any) -> OnnxModel:
    output = Path(folder) / "exported.onnx"
    answer = Path(folder) / "answer.json"
    request |= {"x": described(x), "output": str(output), "answer": str(answer)}
    package = str(Path(jouletree.__file__).parent.parent)
    started = subprocess.run(
        [sys.executable, "-c", _START],
        input=json.dumps(request | {"called": called}),
        env=_environment([package, *sys.path]),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        check=False,
    )
    if not answer.exists():
        lines = [line for line in started.stderr.splitlines() if line.strip()]
        raise Failed(
            f"{called}: the process that exports it ended with code {started.returncode}"
            + (f": {lines[-1].strip()}" if lines else "")
        )
    told = json.loads(answer.read_text())
    if "error" in told:
        raise {"Missing": Missing, "Failed": Failed}.get(told["kind"], BadInput)(told["error"])
    return OnnxModel(output.read_bytes(), told["name"], _renamed(x, told["inputs"]))


def _environment(paths: list[str]) -> dict[str, str]:
    quiet = {"TF_CPP_MIN_LOG_LEVEL": "3", "TF_ENABLE_ONEDNN_OPTS": "0"}
    return {
        **os.environ,
        **quiet,
        "KERAS_BACKEND": "tensorflow",
        "CUDA_VISIBLE_DEVICES": "",
        "PYTHONPATH": os.pathsep.join(path for path in paths if path),
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def described(x: Any) -> Any:
    """Shapes and types of inputs, as JSON."""
    if x is None:
        return None
    if hasattr(x, "shape"):
        kind = str(getattr(x, "dtype", "float32")).rpartition(".")[2]
        return {"shape": [int(size) for size in x.shape], "type": kind}
    if isinstance(x, dict):
        return {"dict": {str(name): described(one) for name, one in x.items()}}
    if isinstance(x, (list, tuple)) and all(isinstance(size, int) for size in x):
        return {"sizes": list(x)}
    if isinstance(x, (list, tuple)):
        return {"list": [described(one) for one in x]}
    raise BadInput(
        f"x is a {type(x).__name__}: give arrays or shapes, alone, in a list or in a dictionary"
    )


def _renamed(x: Any, names: list[str]) -> Any:
    """Nested inputs by the names of the leaves, in the order in which these are."""
    if not isinstance(x, dict) or all(not isinstance(one, (dict, list)) for one in x.values()):
        return x
    return dict(zip(names, _leaves(x), strict=False))


def _leaves(x: Any) -> list[Any]:
    if isinstance(x, dict):
        return [leaf for name in sorted(x) for leaf in _leaves(x[name])]
    if isinstance(x, list):
        return [leaf for one in x for leaf in _leaves(one)]
    return [x]
