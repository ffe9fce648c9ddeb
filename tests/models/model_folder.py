"""The folder of test models: makes each file once, under a temporary name first."""

import argparse
import os
import pathlib
import sys
import time

PROJECT_ROOT = pathlib.Path(__file__).resolve().parents[2]


def default_folder():
    asked = os.environ.get("JOULETREE_TEST_MODELS")
    return pathlib.Path(asked) if asked else PROJECT_ROOT / ".deps" / "models"


def parse_arguments(description):
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument(
        "--out", type=pathlib.Path, default=default_folder(), help="folder of the models"
    )
    parser.add_argument("files", nargs="*", help="which models, by file name (default: all)")
    return parser.parse_args()


class ModelFolder:
    def __init__(self, path, wanted):
        """Without names in `wanted`, all are."""
        self.path = path
        self.wanted = set(wanted)
        path.mkdir(parents=True, exist_ok=True)

    def make(self, name, prefix, write, ending=".onnx"):
        """Calls write(path) for a model that is wanted and absent."""
        target = self.path / f"{prefix}{name}{ending}"
        if target.exists() or (self.wanted and target.name not in self.wanted):
            return
        part = target.with_name(f".{target.name}.{os.getpid()}.part")
        start = time.monotonic()
        try:
            write(str(part))
            os.replace(part, target)
        finally:
            part.unlink(missing_ok=True)
        size_mb = target.stat().st_size / 1e6
        time_s = time.monotonic() - start
        print(f"made {target.name}: {size_mb:.1f} MB in {time_s:.1f} s", file=sys.stderr)


def initializer_elements(path):
    """Elements of the float initializers of an ONNX file: a second count of its parameters."""
    import numpy
    import onnx

    model = onnx.load(path, load_external_data=False)
    floats = (onnx.TensorProto.FLOAT, onnx.TensorProto.FLOAT16, onnx.TensorProto.DOUBLE)
    return sum(int(numpy.prod(t.dims)) for t in model.graph.initializer if t.data_type in floats)
