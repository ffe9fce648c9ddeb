"""JouleTree's C++ library, as the package calls it. Not part of the public interface."""

from collections.abc import Mapping, Sequence
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
