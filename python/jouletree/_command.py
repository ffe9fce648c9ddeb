"""The command ``jouletree`` of the package: its program, which finds pip's ONNX Runtime and
PyTorch."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

from jouletree._engines import PROGRAM, onnx_runtime_folder


def main() -> NoReturn:
    """Becomes the program."""
    found = onnx_runtime_folder()
    if found is not None:
        os.environ.setdefault("ONNXRUNTIME_ROOT", str(found))
    # The first Python that is asked for PyTorch, unless the user names another.
    os.environ.setdefault("JOULETREE_PACKAGE_PYTHON", sys.executable)
    os.execv(PROGRAM, ["jouletree", *sys.argv[1:]])
