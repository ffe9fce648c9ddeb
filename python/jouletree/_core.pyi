"""JouleTree's C++ library, as the package calls it. Not part of the public interface."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

__version__: str

class CountedModel:
    @property
    def name(self) -> str: ...
    def table(
        self,
        own: Sequence[OwnMetric] = ...,
        by: str = "module",
        sort: str = "order",
        depth: int | None = None,
    ) -> str: ...
    def json(self, own: Sequence[OwnMetric] = ..., by: str = "module") -> str: ...
    def layers(self) -> str: ...
    def tree_line(self) -> str: ...

class ProfiledModel:
    @property
    def name(self) -> str: ...
    @property
    def layers(self) -> str: ...
    @property
    def tree_line(self) -> str: ...
    def table(self, own: Sequence[OwnMetric] = ..., depth: int | None = None) -> str: ...
    def json(self, own: Sequence[OwnMetric] = ...) -> str: ...
    def metrics(self, own: Sequence[OwnMetric] = ...) -> str: ...
    def save(self, folder: str, replace: bool) -> None: ...

class OwnMetric:
    def __init__(
        self,
        name: str,
        title: str,
        unit: str,
        description: str,
        source: str,
        better: str,
        provenance: str,
        overrides: bool,
        value: float | None,
        failure: str,
    ) -> None: ...
    def check(self) -> None: ...

def inspect_file(
    path: str,
    shapes: Mapping[str, Sequence[int]] = ...,
    dims: Mapping[str, int] = ...,
    values: Mapping[str, Any] = ...,
    types: Mapping[str, str] = ...,
) -> CountedModel: ...
def inspect_zoo(
    name: str,
    shapes: Mapping[str, Sequence[int]] = ...,
    dims: Mapping[str, int] = ...,
    values: Mapping[str, Any] = ...,
    types: Mapping[str, str] = ...,
) -> CountedModel: ...
def inspect_bytes(
    content: bytes,
    name: str,
    shapes: Mapping[str, Sequence[int]] = ...,
    dims: Mapping[str, int] = ...,
    values: Mapping[str, Any] = ...,
    types: Mapping[str, str] = ...,
) -> CountedModel: ...
def inspect_recording(recording: bytes, name: str) -> CountedModel: ...
def zoo_names() -> list[str]: ...
def input_names_of_file(path: str) -> list[str]: ...
def input_names_of_bytes(content: bytes) -> list[str]: ...
def input_names_of_zoo(name: str) -> list[str]: ...
def quantity_text(value: float | None, unit: str, low: float | None, high: float | None) -> str: ...
def write_file(path: str, text: str) -> None: ...
def seconds_of(name: str, text: str) -> float: ...
def build_zoo(name: str, path: str, seed: int) -> None: ...
def load_profile(folder: str) -> ProfiledModel: ...
def profile_file(
    path: str,
    shapes: Mapping[str, Sequence[int]],
    dims: Mapping[str, int],
    values: Mapping[str, Any],
    types: Mapping[str, str],
    data: Sequence[str],
    seed: int,
    threads: int,
    level: str,
    execution: str,
    device: str,
    provider_options: Mapping[str, str],
    arguments: Mapping[str, Any],
    show: Callable[[str | None], None] | None,
) -> ProfiledModel: ...
def set_engine_folder(folder: str) -> None: ...
def set_onnx_runtime_folder(folder: str) -> None: ...
def has_onnx_runtime() -> bool: ...
def profile_live(
    engine: object,
    name: str,
    seed: int,
    arguments: Mapping[str, Any],
    show: Callable[[str | None], None] | None,
) -> ProfiledModel: ...
