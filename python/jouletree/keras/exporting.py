"""Keras models as ONNX models: those on TensorFlow in this process, others in another one."""

from __future__ import annotations

import importlib
import os
import sys
from typing import Any

from jouletree._onnx_model import OnnxModel
from jouletree._sources import need_all
from jouletree.errors import BadInput
from jouletree.progress import shown_progress

_EXPORTERS = ("tensorflow", "tf2onnx")


def exported(model: Any, x: Any) -> OnnxModel:
    """A live model. It stays as it is."""
    keras = sys.modules["keras"]
    if not isinstance(model, keras.Model):
        raise BadInput(
            f"{model.name} is a layer ({type(model).__name__}): put it into a model, such as "
            "keras.Sequential([layer])"
        )
    need_all(_EXPORTERS, "exporting a Keras model to ONNX")
    show = shown_progress()
    if show is not None:
        show(f"exporting {model.name} to ONNX")
    try:
        if keras.config.backend() == "tensorflow":
            here = importlib.import_module("jouletree.keras.here")
            found: OnnxModel = here.exported_here(model, x)
            return found
        return importlib.import_module("jouletree.keras.elsewhere").exported_copy(model, x)  # type: ignore[no-any-return]
    finally:
        if show is not None:
            show(None)


def exported_file(path: str | os.PathLike[str], x: Any) -> OnnxModel:
    """A file of Keras or the folder of a SavedModel. Code in it is not run."""
    need_all(("keras", *_EXPORTERS), "a Keras file")
    show = shown_progress()
    if show is not None:
        show(f"exporting {os.fspath(path)} to ONNX")
    try:
        return importlib.import_module("jouletree.keras.elsewhere").exported_file(path, x)  # type: ignore[no-any-return]
    finally:
        if show is not None:
            show(None)
