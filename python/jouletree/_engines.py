"""Where the package keeps its program and engines, and where pip keeps those of others."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

from jouletree import _core

PACKAGE = Path(__file__).parent
PROGRAM = PACKAGE / "bin" / "jouletree"
ENGINE_FOLDER = PACKAGE / "lib" / "jouletree"


def onnx_runtime_folder() -> Path | None:
    """Where the library of the package onnxruntime is. The package is found, but not imported."""
    spec = importlib.util.find_spec("onnxruntime")
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent / "capi"
    return folder if folder.is_dir() else None


def has_libtorch() -> bool:
    """Whether the plug-in is there that runs TorchScript files without Python."""
    folder = os.environ.get("JOULETREE_ENGINE_DIR") or ENGINE_FOLDER
    return (Path(folder) / "libjouletree_torch.so").exists()


def announce() -> None:
    """Tells the library where to look for engines."""
    _core.set_engine_folder(str(ENGINE_FOLDER))
    found = onnx_runtime_folder()
    _core.set_onnx_runtime_folder("" if found is None else str(found))
