"""What a user says about the inputs of a model, as the library takes it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from jouletree import _arguments
from jouletree.errors import BadInput


@dataclass(frozen=True)
class InputSettings:
    """Arguments of the functions of the library that read a model."""

    shapes: dict[str, tuple[int, ...]] = field(default_factory=dict)
    dims: Mapping[str, int] = field(default_factory=dict)
    values: Mapping[str, Any] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)

    def arguments(self) -> dict[str, Mapping[str, Any]]:
        return {
            "shapes": self.shapes,
            "dims": dict(self.dims),
            "values": dict(self.values),
            "types": self.types,
        }


def input_settings(
    x: Any,
    dims: Mapping[str, int] | None,
    values: Mapping[str, Any] | None,
    input_names: Callable[[], Sequence[str]],
) -> InputSettings:
    """Of arrays, tensors or shapes: one, several in the order of the inputs, or by name."""
    settings = InputSettings(
        dims=_arguments.by_names("dims", dims, "{'batch': 8}"),
        values=_arguments.by_names("values", values, "{'NAME': NUMBER}"),
    )
    for name, given in by_name(x, input_names).items():
        if hasattr(given, "shape"):
            settings.shapes[name] = tuple(int(size) for size in given.shape)
            if hasattr(given, "dtype"):
                # "float32", and "torch.float32" of PyTorch.
                settings.types[name] = str(given.dtype).rpartition(".")[2]
        else:
            settings.shapes[name] = given
    return settings


def by_name(x: Any, input_names: Callable[[], Sequence[str]]) -> dict[str, Any]:
    """Inputs by name, whichever way they were given."""
    if x is None:
        return {}
    if isinstance(x, Mapping):
        return dict(x)
    given = list(x) if _is_several(x) else [x]
    names = list(input_names())
    if len(given) > len(names):
        raise BadInput(
            f"the model has {len(names)} input(s), but {len(given)} were given; "
            f"its inputs are: {', '.join(names)}"
        )
    return dict(zip(names, given, strict=False))


def _is_several(x: Any) -> bool:
    """(1, 3, 224, 224) is one shape, and so is an array; ((1, 3), (1, 7)) are two."""
    if hasattr(x, "shape") or not isinstance(x, Sequence):
        return False
    return not all(isinstance(one, int) for one in x)


def leaves_of(x: Any) -> Any:
    """Inputs of a program of torch.export, which takes those in lists and dictionaries one by one:
    what it would be called with becomes a list of its tensors, or they get its names.

    >>> leaves_of({"d": {"img": (2, 8)}, "scale": (1,)})
    {'d_img': (2, 8), 'scale': (1,)}
    """
    if isinstance(x, Mapping):
        return {name: leaf for key, one in x.items() for name, leaf in _named_leaves(str(key), one)}
    if not isinstance(x, (list, tuple)) or all(_is_array_or_shape(one) for one in x):
        return x
    return [leaf for one in x for _, leaf in _named_leaves("", one) if hasattr(leaf, "shape")] or x


def _named_leaves(name: str, given: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(given, Mapping):
        for key, one in given.items():
            yield from _named_leaves(f"{name}_{key}", one)
    elif isinstance(given, (list, tuple)) and not _is_array_or_shape(given):
        for place, one in enumerate(given):
            yield from _named_leaves(f"{name}_{place}", one)
    else:
        yield name.replace(".", "_"), given


def _is_array_or_shape(one: Any) -> bool:
    is_shape = isinstance(one, (list, tuple)) and all(isinstance(size, int) for size in one)
    return is_shape or hasattr(one, "shape")
