"""Builds the model that a plan of a campaign names, and writes it as a TorchScript file.

    constructing.py REQUEST.json

The request names a function, its arguments, the shapes of the inputs, the folder of the plan and
the file to write. Exit code 3: this Python has no PyTorch. The last line of the output says what
went wrong.
"""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any

_NO_TORCH = 3
# Whole numbers are indices more often than not: few, so that they fit every table.
_INDICES = 2


def _given(shape: str, torch: Any) -> Any:
    sizes, _, name = shape.partition(":")
    dims = [int(size) for size in sizes.split("x") if size]
    dtype = getattr(torch, name or "float32")
    if dtype.is_floating_point or dtype.is_complex:
        return torch.randn(dims, dtype=dtype)
    return torch.randint(0, _INDICES, dims, dtype=dtype)


def main(request_file: str) -> int:
    # This file's folder comes first, and its modules must not hide others of the same name.
    sys.path[:] = [entry for entry in sys.path if Path(entry) != Path(__file__).parent]
    try:
        import torch
    except ImportError as error:
        print(f"there is no PyTorch: {error}")
        return _NO_TORCH
    request = json.loads(Path(request_file).read_text())
    sys.path.insert(0, request["folder"])
    module, _, name = request["function"].partition(":")
    try:
        function: Any = importlib.import_module(module)
        for part in name.split("."):
            function = getattr(function, part)
        torch.manual_seed(1)
        model = function(**request["arguments"]).eval()
        inputs = [_given(shape, torch) for shape in request["inputs"].values()]
        with torch.no_grad():
            trace: Any = torch.jit.trace
            traced = trace(model, tuple(inputs), check_trace=False)
            torch.jit.save(traced, request["result"])
    except Exception as error:  # Whatever a function of the user raises.
        print(f"{type(error).__name__}: {' '.join(str(error).split())}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
