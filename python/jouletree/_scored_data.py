"""Data to score on, whatever holds them, as batches of inputs and labels."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from jouletree._arguments import kind_of
from jouletree._scored_arrays import as_numpy, first_tensor, is_torch_tensor, leading
from jouletree.errors import BadInput

#: Where dictionaries keep the right answers.
_LABEL_KEYS = ("labels", "label", "targets", "target", "y")


@dataclass(frozen=True)
class Batch:
    inputs: Any
    labels: Any
    examples: int


class Batches:
    """Iterates once. Throws BadInput for what is no batch, and where there are none."""

    def __init__(self, made: Iterable[Batch], examples: int | None = None) -> None:
        self._made = made
        #: In all of them, where that is known before.
        self.examples = examples
        #: Examples of the largest so far.
        self.largest = 0

    def __iter__(self) -> Iterator[Batch]:
        for one in self._made:
            if one.examples == 0:
                continue
            self.largest = max(self.largest, one.examples)
            yield one
        if self.largest == 0:
            raise BadInput("data: there is no batch in it; give one example at least")


def batches_of(data: Any, labels: Any, batch: int) -> Batches:
    """Arrays are cut; what gives batches itself is taken as it is."""
    if labels is None and _is_pair_of_arrays(data):
        data, labels = data
    if labels is not None:
        if _gives_batches(data):
            raise BadInput(
                f"data is {kind_of(data)}, which brings labels of its own; leave labels out, or "
                "give the examples as an array"
            )
        return _cut(_loaded(data, "data"), _loaded(labels, "labels"), batch)
    if _is_array(data) or isinstance(data, (str, os.PathLike)):
        raise BadInput("labels: data alone are not enough; give the right answers as labels=…")
    if isinstance(data, Mapping) or not isinstance(data, Iterable):
        if isinstance(data, Mapping) and _label_key(data) is not None:
            inputs, answers = _split(data)
            return _cut(inputs, answers, batch)
        if not (hasattr(data, "__getitem__") and hasattr(data, "__len__")):
            raise BadInput(
                f"data is of type {type(data).__name__}: give arrays, or what gives batches of "
                "(inputs, labels), such as a DataLoader"
            )
        data = map(data.__getitem__, range(len(data)))
    return Batches(_given_batches(data, batch))


def _is_array(given: Any) -> bool:
    return hasattr(given, "shape") and hasattr(given, "dtype")


def _gives_batches(data: Any) -> bool:
    """A loader or a data set, and nothing that NumPy reads as one array."""
    if _is_array(data) or hasattr(data, "__array__"):
        return False
    if isinstance(data, (Mapping, str, os.PathLike, list, tuple, range)):
        return False
    return isinstance(data, Iterable) or (hasattr(data, "__getitem__") and hasattr(data, "__len__"))


def _is_pair_of_arrays(data: Any) -> bool:
    """(x, y), and not two batches: their second is an array, the second batch a pair."""
    if not isinstance(data, tuple) or len(data) != 2:
        return False
    x, y = data
    if isinstance(y, (str, os.PathLike)):
        return True
    is_list = isinstance(y, list) and bool(y) and isinstance(y[0], (int, float, list))
    return (_is_array(y) or is_list) and (
        _is_array(x) or isinstance(x, (list, tuple, Mapping, str))
    )


def _loaded(given: Any, what: str) -> Any:
    """Files of NumPy are mapped, not read."""
    if isinstance(given, Mapping):
        return {name: _loaded(one, what) for name, one in given.items()}
    if not isinstance(given, (str, os.PathLike)):
        return given
    if Path(given).suffix == ".npz":
        raise BadInput(f"{what}: {os.fspath(given)} holds several arrays; give them by name")
    try:
        return np.load(given, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError) as error:
        raise BadInput(f"{what}: {os.fspath(given)} cannot be read: {error}") from error


def _cut(x: Any, labels: Any, batch: int) -> Batches:
    """Arrays into batches; the last may be smaller."""
    answers = labels if _is_array(labels) else as_numpy(labels, "the labels")
    examples = leading(answers)
    if examples is None:
        raise BadInput("labels: a single number; give one for each example")
    inputs = _arrays_in(x)
    for one in _all_arrays(inputs):
        if leading(one) != examples:
            raise BadInput(
                f"data hold {leading(one)} examples, but there are {examples} labels; give one "
                "label for each"
            )

    def made() -> Iterator[Batch]:
        for first in range(0, examples, batch):
            last = min(first + batch, examples)
            yield Batch(
                _each(inputs, lambda one, a=first, b=last: one[a:b]),  # type: ignore[misc]
                answers[first:last],
                last - first,
            )

    return Batches(made(), examples)


def _arrays_in(x: Any) -> Any:
    """Lists of numbers become arrays; a tuple or list of arrays stays one of several inputs."""
    if isinstance(x, Mapping):
        return {name: _arrays_in(one) for name, one in x.items()}
    if _is_array(x):
        return x
    if isinstance(x, (tuple, list)) and x and all(_is_array(one) for one in x):
        return tuple(x)
    return _example(x)


def _example(given: Any) -> Any:
    """Numbers without a type become what PyTorch makes of them: real ones float32."""
    array = as_numpy(given, "the data")
    is_typed = hasattr(given, "dtype") or not isinstance(given, (list, tuple, float))
    return array.astype(np.float32) if array.dtype == np.float64 and not is_typed else array


def _all_arrays(inputs: Any) -> list[Any]:
    if isinstance(inputs, Mapping):
        return list(inputs.values())
    return list(inputs) if isinstance(inputs, tuple) else [inputs]


def _each(inputs: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(inputs, Mapping):
        return {name: change(one) for name, one in inputs.items()}
    if isinstance(inputs, tuple):
        return tuple(change(one) for one in inputs)
    return change(inputs)


def _given_batches(data: Iterable[Any], batch: int) -> Iterator[Batch]:
    """Batches as somebody made them; single examples are put together."""
    items = iter(data)
    first = next(items, None)
    if first is None:
        return
    rest = itertools.chain([first], items)
    if leading(_answers(_split(first)[1])) is None:
        yield from _stacked(rest, batch)
        return
    for item in rest:
        inputs, labels = _split(item)
        examples = leading(_answers(labels))
        of_inputs = leading(first_tensor(inputs))
        if examples is None or (of_inputs is not None and of_inputs != examples):
            raise BadInput(
                f"a batch holds {of_inputs} examples and {examples} labels; give one label for each"
            )
        yield Batch(inputs, _answers(labels), examples)


def _answers(labels: Any) -> Any:
    return labels if _is_array(labels) else as_numpy(labels, "the labels")


def _split(item: Any) -> tuple[Any, Any]:
    """What a model takes, and what it should return."""
    if isinstance(item, Mapping):
        key = _label_key(item)
        if key is None:
            raise BadInput(
                f"a batch is a dictionary without 'labels'; it has: {', '.join(map(str, item))}"
            )
        return {name: one for name, one in item.items() if name != key}, item[key]
    if not isinstance(item, (tuple, list)) or len(item) < 2:
        raise BadInput(
            f"a batch is {type(item).__name__}: give (inputs, labels), or a dictionary with "
            "'labels'"
        )
    *inputs, labels = item
    return (inputs[0] if len(inputs) == 1 else tuple(inputs)), labels


def _label_key(item: Mapping[Any, Any]) -> str | None:
    return next((key for key in _LABEL_KEYS if key in item), None)


def _stacked(items: Iterator[Any], batch: int) -> Iterator[Batch]:
    """Single examples, as a data set gives them."""
    while chunk := list(itertools.islice(items, batch)):
        pairs = [_split(item) for item in chunk]
        inputs = [one for one, _ in pairs]
        labels = np.stack([as_numpy(label, "the labels") for _, label in pairs])
        yield Batch(_stack(inputs), labels, len(chunk))


def _stack(inputs: list[Any]) -> Any:
    first = inputs[0]
    if isinstance(first, Mapping):
        return {name: _stack([one[name] for one in inputs]) for name in first}
    if isinstance(first, tuple):
        return tuple(_stack(list(column)) for column in zip(*inputs, strict=True))
    if is_torch_tensor(first):
        import torch

        return torch.stack(inputs)
    return np.stack([_example(one) for one in inputs])
