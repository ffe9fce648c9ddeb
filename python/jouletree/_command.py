"""The command ``jouletree`` of the package: its program, which finds pip's ONNX Runtime."""

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
    os.execv(PROGRAM, ["jouletree", *sys.argv[1:]])
