"""An ONNX model that was made of something else, with what it is called."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class OnnxModel:
    """``x`` are its inputs as far as the user gave any, by the names of this model's inputs."""

    content: bytes
    name: str
    x: Any = None

    @property
    def file_name(self) -> str:
        """The name, as far as it can be that of a file."""
        return (re.sub(r"[^\w.+-]", "_", self.name)[:100].lstrip(".") or "model") + ".onnx"
