"""What the signature of an operator tells: its arguments, and which of them it changes."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from jouletree.torch.values import Describer, Json


@dataclass(slots=True)
class OperatorFacts:
    """An operator, as far as recording needs to know it."""

    name: str  # With its namespace: "aten::add".
    overload: str
    arguments: list[tuple[str, bool, Json]]  # Name, by keyword only, default.
    written: list[int]  # Positions of arguments that the operator changes.
    composite: bool  # Made of other operators, which run in its place.
    changed: tuple[int, ...] = ()  # The same with those that the signature does not tell of.
    is_work: bool = True  # Not a question, and no mark for a profiler.
    is_question: bool = False
    positional: int = 0  # How many arguments may be given by position.
    defaults: list[Json] = field(default_factory=list)


# By the id of the operator, which stands beside it: operators are slow to hash.
_facts: dict[int, tuple[Any, OperatorFacts]] = {}
#: Batch normalisation moves its running means without its signature saying so, unless its sixth
#: argument is False.
UNSAID_WRITES = dict.fromkeys(
    (
        "aten::native_batch_norm",
        "aten::cudnn_batch_norm",
        "aten::miopen_batch_norm",
        "aten::batch_norm",
        "aten::_batch_norm_impl_index",
        "aten::batch_norm_gather_stats_with_counts",
    ),
    (3, 4),
)
# Questions about a tensor, which some tensor classes answer themselves.
_QUESTIONS = frozenset(
    f"aten::{name}"
    for name in (
        "sym_is_contiguous",
        "is_contiguous",
        "is_strides_like_format",
        "is_non_overlapping_and_dense",
        "size",
        "sym_size",
        "stride",
        "sym_stride",
        "storage_offset",
        "sym_storage_offset",
        "numel",
        "sym_numel",
        "dim",
    )
) | {"prim::layout"}


def facts_of(operator: Any) -> OperatorFacts:
    """Read once for each operator."""
    known = _facts.get(id(operator))
    if known is not None:
        return known[1]
    facts = _read_facts(operator)
    facts.changed = (*facts.written, *UNSAID_WRITES.get(facts.name, ()))
    facts.is_work = not facts.name.startswith(("profiler::", "prim::"))
    facts.is_question = facts.name in _QUESTIONS
    by_keyword = [one[1] for one in facts.arguments]
    facts.positional = by_keyword.index(True) if True in by_keyword else len(by_keyword)
    facts.defaults = [one[2] for one in facts.arguments]
    _facts[id(operator)] = (operator, facts)
    return facts


def _read_facts(operator: Any) -> OperatorFacts:
    schema = getattr(operator, "_schema", None)
    if schema is None:  # Operators that take functions.
        return OperatorFacts(f"higher_order::{operator}", "", [], [], False)
    describer = Describer()
    arguments = [
        (one.name, bool(one.kwarg_only), describer.value(one.default_value))
        for one in schema.arguments
    ]
    written = [
        position
        for position, one in enumerate(schema.arguments)
        if one.alias_info is not None and one.alias_info.is_write
    ]
    composite = False
    with contextlib.suppress(Exception):
        composite = bool(
            torch._C._dispatch_has_kernel_for_dispatch_key(
                operator.name(), torch._C.DispatchKey.CompositeImplicitAutograd
            )
        )
    return OperatorFacts(schema.name, operator._overloadname, arguments, written, composite)


def ordered_arguments(
    facts: OperatorFacts, args: Sequence[Any], kwargs: dict[str, Any]
) -> Iterator[tuple[bool, Any]]:
    """Every argument in the order of the signature: whether it was given, and it or its default as
    JSON."""
    for position, (name, by_keyword, default) in enumerate(facts.arguments):
        if position < len(args) and not by_keyword:
            yield True, args[position]
        elif name in kwargs:
            yield True, kwargs[name]
        else:
            yield False, default
    for extra in args[len(facts.arguments) :]:
        yield True, extra
