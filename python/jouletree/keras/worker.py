"""The process that exports models of other back ends, and files: one request in, one answer out."""

from __future__ import annotations

import importlib
import json
import operator
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from jouletree._onnx_model import OnnxModel
from jouletree.errors import BadInput, Error
from jouletree.keras.reasons import first_sentence


def main() -> None:
    request = json.load(sys.stdin)
    try:
        made = _answer(request)
        Path(request["output"]).write_bytes(made.content)
        told = {"name": made.name, "inputs": _input_names(made.content)}
    except Error as error:
        told = {"error": str(error), "kind": type(error).__name__}
    except Exception as error:
        text = f"{request['called']}: {type(error).__name__}: {first_sentence(error)}"
        told = {"error": text, "kind": "BadInput"}
    Path(request["answer"]).write_text(json.dumps(told))


def _answer(request: dict[str, Any]) -> OnnxModel:
    x = _given(request["x"])
    if Path(request["file"]).is_dir():
        folder = importlib.import_module("jouletree.keras.saved_model")
        made: OnnxModel = folder.exported_folder(request["file"], request["called"])
        return made
    here = importlib.import_module("jouletree.keras.here")
    found: OnnxModel = here.exported_here(_loaded(request), x)
    return found


def _loaded(request: dict[str, Any]) -> Any:
    """Only what the user's own process saved may hold code."""
    known = [
        operator.attrgetter(name)(importlib.import_module(module))
        for module, name in request["classes"]
    ]
    keras = importlib.import_module("keras")
    trusted = bool(request["trusted"])
    try:
        return keras.saving.load_model(
            request["file"],
            custom_objects={one.__name__: one for one in known},
            compile=False,
            safe_mode=not trusted,
        )
    except Exception as error:
        if trusted:
            raise BadInput(
                f"{request['called']} cannot be copied to TensorFlow for its export: "
                f"{_reason_of(error)}, or run with KERAS_BACKEND=tensorflow"
            ) from error
        raise BadInput(
            f"{request['called']} cannot be loaded: {_innermost(error)}; load it with "
            "keras.saving.load_model, and give the model itself"
        ) from error


def _reason_of(error: Exception) -> str:
    """Keras speaks of what it calls inside; a user knows the class."""
    unmade = re.findall(r"<class '([^']+)'> could not be deserialized", str(error))
    if not unmade or unmade[-1].startswith("keras."):
        return f"{_innermost(error)}; mend that"
    return (
        f"Keras cannot make {unmade[-1]} from what its get_config returns; let its __init__ take "
        "**kwargs and give them to super().__init__, and let get_config return the arguments that "
        "__init__ takes besides"
    )


def _innermost(error: Exception) -> str:
    """Keras tells from the outermost object to the one that fails."""
    text = str(error).rpartition("Exception encountered: ")[2]
    unknown = re.match(r"Could not locate (class|function) '([^']+)'", text)
    if unknown is not None:
        return f"the {unknown[1]} {unknown[2]} that it refers to is none of Keras"
    return first_sentence(ValueError(text) if text else error)


def _given(described: Any) -> Any:
    """Things with a shape and a type, or shapes, in the structure that was given."""
    if described is None:
        return None
    if "shape" in described:
        return SimpleNamespace(shape=tuple(described["shape"]), dtype=described["type"])
    if "sizes" in described:
        return tuple(described["sizes"])
    if "dict" in described:
        return {name: _given(one) for name, one in described["dict"].items()}
    return [_given(one) for one in described["list"]]


def _input_names(content: bytes) -> list[str]:
    onnx = importlib.import_module("onnx")
    return [one.name for one in onnx.load_from_string(content).graph.input]
