"""JouleTree's C++ library, as the package calls it. Not part of the public interface."""

from collections.abc import Mapping, Sequence
from typing import Any

__version__: str

class CountedModel:
    @property
    def name(self) -> str: ...
    def table(self) -> str: ...
    def json(self) -> str: ...
    def layers(self) -> str: ...
    def tree_line(self) -> str: ...

def inspect_file(
    path: str,
    shapes: Mapping[str, Sequence[int]] = ...,
    dims: Mapping[str, int] = ...,
    values: Mapping[str, Any] = ...,
    types: Mapping[str, str] = ...,
) -> CountedModel: ...
