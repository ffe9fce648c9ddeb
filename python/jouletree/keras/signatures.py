"""What a model is called with: names, shapes and types, in the structure that it takes."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jouletree.errors import BadInput

_FLOAT = "float32"


@dataclass(frozen=True)
class Leaf:
    """One tensor; a dimension of any size is None."""

    name: str
    shape: tuple[int | None, ...]
    type: str


@dataclass(frozen=True)
class Signature:
    """``structure`` holds leaves in lists and dictionaries. A model whose ``call`` takes several
    tensors gets its items one by one."""

    structure: Any
    is_spread: bool = False

    @property
    def leaves(self) -> list[Leaf]:
        return _leaves_in(self.structure)

    def packed(self, values: Sequence[Any]) -> list[Any]:
        """The arguments of a call, with these in the place of the leaves."""
        rest = iter(values)
        filled = _mapped(self.structure, lambda _: next(rest))
        return list(filled) if self.is_spread else [filled]


def signature_of(model: Any, x: Any) -> Signature:
    """As the model says itself; else as `x` says, or the first call that the model got."""
    structure = _input_of(model)
    if structure is not None:
        return Signature(_named(structure, "input", _leaf_of_tensor))
    if x is not None:
        return Signature(
            _named(_plain(x), "input", _leaf_of_given), _takes_several(model) and _is_list(x)
        )
    shapes = getattr(model, "_build_shapes_dict", None)
    if not model.built or not shapes:
        raise BadInput(
            f"{model.name} was never built, so that its inputs are not known: give what it is "
            "called with as x, an array or a shape such as x=(1, 224, 224, 3)"
        )
    listed = [_plain(shape, fixed=False) for shape in shapes.values()]
    if len(listed) == 1:
        return Signature(_named(listed[0], "input", _leaf_of_given))
    return Signature(_named(listed, "input", _leaf_of_given), is_spread=True)


def named_inputs(signature: Signature, x: Any) -> Any:
    """`x` by the names of the inputs where its structure says which is which, else as it is."""
    if x is None or _is_leaf(x):
        return x
    given = _leaves_in(_plain(x), keep=True)
    leaves = signature.leaves
    if isinstance(x, Mapping) and not all(_is_leaf(one) for one in x.values()):
        if len(given) != len(leaves):
            raise BadInput(
                f"x holds {len(given)} tensors, but the model takes {len(leaves)}: "
                f"{', '.join(leaf.name for leaf in leaves)}"
            )
        return {leaf.name: one for leaf, one in zip(leaves, given, strict=True)}
    return x


def _input_of(model: Any) -> Any:
    """Symbolic tensors of a model made of a graph of layers."""
    try:
        tensors = model.inputs
    except (AttributeError, ValueError):
        return None
    if not tensors:
        return None
    try:
        return model.input
    except (AttributeError, ValueError):  # A model of Sequential.
        return tensors[0] if len(tensors) == 1 else tensors


def _leaf_of_tensor(name: str, tensor: Any) -> Leaf:
    layer = getattr(getattr(tensor, "_keras_history", None), "operation", None)
    if layer is not None and name.startswith("input"):
        name = str(layer.name)
    shape = tuple(None if size is None else int(size) for size in tensor.shape)
    return Leaf(name, shape, str(tensor.dtype))


def _leaf_of_given(name: str, given: Any) -> Leaf:
    if hasattr(given, "shape"):
        kind = str(getattr(given, "dtype", _FLOAT)).rpartition(".")[2].strip("'<>")
        return Leaf(name, tuple(int(size) for size in given.shape), kind)
    return Leaf(name, tuple(given), _FLOAT)


def _is_leaf(value: Any) -> bool:
    """An array, or a shape."""
    if hasattr(value, "shape"):
        return True
    return isinstance(value, Sequence) and all(
        size is None or (isinstance(size, int) and not isinstance(size, bool)) for size in value
    )


def _is_list(x: Any) -> bool:
    return isinstance(x, Sequence) and not _is_leaf(x)


def _plain(x: Any, fixed: bool = True) -> Any:
    """Lists, dictionaries and leaves; the first size of a shape that is not `fixed` may be any."""
    if _is_leaf(x):
        if not fixed and not hasattr(x, "shape"):
            return (None, *tuple(x)[1:])
        return x
    if isinstance(x, Mapping):
        return {str(name): _plain(one, fixed) for name, one in x.items()}
    if isinstance(x, Sequence) and not isinstance(x, str):
        return [_plain(one, fixed) for one in x]
    raise BadInput(
        f"x is a {type(x).__name__}: give arrays or shapes, alone, in a list or in a dictionary"
    )


def _named(structure: Any, name: str, leaf_of: Any) -> Any:
    if isinstance(structure, Mapping):
        return {key: _named(structure[key], str(key), leaf_of) for key in sorted(structure)}
    is_shape = _is_leaf(structure)
    if isinstance(structure, (list, tuple)) and not is_shape:
        return [_named(one, f"{name}_{place}", leaf_of) for place, one in enumerate(structure)]
    return leaf_of(name, structure)


def _takes_several(model: Any) -> bool:
    """More than one argument without a default."""
    needed = [
        parameter
        for parameter in inspect.signature(model.call).parameters.values()
        if parameter.default is parameter.empty
        and parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
    ]
    return len(needed) > 1


def _mapped(structure: Any, change: Any) -> Any:
    if isinstance(structure, dict):
        return {key: _mapped(one, change) for key, one in structure.items()}
    if isinstance(structure, list):
        return [_mapped(one, change) for one in structure]
    return change(structure)


def _leaves_in(structure: Any, keep: bool = False) -> list[Any]:
    if isinstance(structure, dict):
        ordered = sorted(structure.items()) if keep else list(structure.items())
        return [leaf for _, one in ordered for leaf in _leaves_in(one, keep)]
    if isinstance(structure, list) and not (keep and _is_leaf(structure)):
        return [leaf for one in structure for leaf in _leaves_in(one, keep)]
    return [structure]
