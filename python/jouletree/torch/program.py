"""The recorded calls in order, as one function: what a model runs without the Python that calls it.

Arguments come from the results of the calls before, and every tensor is given back after its last
use, so that memory is taken and given back as in the model.

Example:
    >>> program = Program(wired_calls(recording), recording.outputs)
    >>> program.run()                      # What the model returned, as a list of tensors.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

import torch

from jouletree.torch.values import Json
from jouletree.torch.wiring import WiredCall, numbers_in


class Context(NamedTuple):
    """How many of the calls before one run before it: until they moved `least_bytes`, and on to
    `most_bytes` while they take no longer than `longest_s`; none where that is 0 bytes."""

    least_bytes: int = 0
    most_bytes: int = 0
    longest_s: float = 0.0


class Program:
    """The calls as a function. Those outside `needed` run only where others need what they make."""

    def __init__(
        self,
        calls: list[WiredCall],
        outputs: Json,
        needed: Collection[int] | None = None,
        constant: Callable[[torch.Tensor], torch.Tensor] = lambda tensor: tensor,
    ) -> None:
        self._constant = constant
        self._calls = _used_calls(calls, outputs, needed)
        self._outputs = list(numbers_in(outputs))
        self._aliases = (
            set()
            if needed is None
            else {
                call.index for call in self._calls if call.index not in needed and _is_alias(call)
            }
        )
        self._last_use = self._last_uses()
        self._positions: dict[int, int] | None = None
        self.run = self._compiled(timed=False)
        self._timed = self._compiled(timed=True)

    def timed(self, now: Callable[[], int] = time.monotonic_ns) -> list[tuple[int, int, int]]:
        """Runs it once. (call, begin, end) of every call, as `now` tells the time."""
        called = [call.index for call in self._calls if call.index not in self._aliases]
        stamps = [0] * (len(called) + 1)
        self._timed(stamps, now)
        return [(call, stamps[at], stamps[at + 1]) for at, call in enumerate(called)]

    def in_context(
        self, at: int, context: Sequence[int], constant: Callable[[torch.Tensor], torch.Tensor]
    ) -> tuple[Any, list[torch.Tensor]]:
        """The call at a position, after those at other positions.

        Gives a function of (stamps, clock, given, before), and the tensors that stand for `given`:
        those of the call that its context does not make. `before` is called just before the call,
        if it is not None. The clock is read before the call, after it, and once more.
        """
        writer = _Writer(False, constant)
        dying = self._dying()
        for one in context:
            call = self._calls[one]
            writer.add(call, dying.get(one, ()), call.index in self._aliases)
        return writer.function_in_context(self._calls[at])

    def call_at(self, position: int) -> WiredCall:
        return self._calls[position]

    def position_of(self, call: int) -> int | None:
        """Where a call stands among those that run; None where it does not run."""
        if self._positions is None:
            self._positions = {one.index: at for at, one in enumerate(self._calls)}
        return self._positions.get(call)

    def context_of(
        self, at: int, moved: Sequence[int], wanted: Context, took: Mapping[int, float]
    ) -> list[int]:
        """Positions of the calls before one, as many as wanted. `moved` has the bytes, `took` the
        seconds of calls.

        A model runs again and again: before its first call comes its last one.
        """
        context: list[int] = []
        passed_bytes, passed_s = 0, 0.0
        for back in range(1, len(self._calls)):
            one = (at - back) % len(self._calls)
            call = self._calls[one].index
            longer_s = passed_s + took.get(call, 0.0)
            is_enough = context and passed_bytes >= wanted.least_bytes
            if passed_bytes >= wanted.most_bytes or (is_enough and longer_s > wanted.longest_s):
                break
            context.append(one)
            passed_bytes += moved[call]
            passed_s = longer_s
        return context[::-1]

    def faults(self, count: Callable[[], int]) -> list[tuple[int, int]]:
        """Runs it once. (call, page faults) of every call, as `count` counts them."""
        called = [call.index for call in self._calls if call.index not in self._aliases]
        stamps = [0] * (len(called) + 1)
        self._timed(stamps, count)
        return [(call, stamps[at + 1] - stamps[at]) for at, call in enumerate(called)]

    def _last_uses(self) -> dict[int, int]:
        last: dict[int, int] = {}
        for at, call in enumerate(self._calls):
            for number in call.given:
                last[number] = at
            for number in numbers_in(call.outputs):
                last.setdefault(number, at)
        for number in self._outputs:
            last[number] = len(self._calls)
        return last

    def _compiled(self, timed: bool) -> Any:
        writer = _Writer(timed, self._constant)
        dying = self._dying()
        for at, call in enumerate(self._calls):
            writer.add(call, dying.get(at, ()), call.index in self._aliases)
        return writer.function(self._outputs)

    def _dying(self) -> dict[int, list[int]]:
        """Numbers of tensors by the position of their last use."""
        dying: dict[int, list[int]] = {}
        for number, at in self._last_use.items():
            dying.setdefault(at, []).append(number)
        return dying


def _used_calls(
    calls: list[WiredCall], outputs: Json, needed: Collection[int] | None
) -> list[WiredCall]:
    if needed is None:
        return calls
    wanted = set(numbers_in(outputs))
    kept = []
    for call in reversed(calls):
        if call.index in needed or call.written or wanted.intersection(numbers_in(call.outputs)):
            kept.append(call)
            wanted.update(call.given)
    return kept[::-1]


def _is_alias(call: WiredCall) -> bool:
    """Its result shows all of its first argument."""
    results = list(numbers_in(call.outputs))
    if len(results) != 1 or not call.given or call.written:
        return False
    entry = call.outputs[0]["tensor"] if isinstance(call.outputs[0], dict) else None
    first = call.tensors[0]
    return entry is not None and entry[3] == call.storages[0] and entry[2] == list(first.shape)


class _Writer:
    """Python source of a program. Tensors are locals, everything else is global."""

    def __init__(self, timed: bool, constant: Callable[[torch.Tensor], torch.Tensor]) -> None:
        self._timed = timed
        self._shown = constant
        self._stamps = 0
        self._lines: list[str] = []
        self._globals: dict[str, Any] = {}
        self._names: dict[int, str] = {}  # Of constants, by their ids.
        self._known: set[int] = set()  # Numbers that are locals now.
        self._gradients = False
        self._outside: list[torch.Tensor] | None = None  # Given by whoever calls the function.

    def add(self, call: WiredCall, dying: Collection[int], is_alias: bool) -> None:
        self._set_gradients(call.gradients)
        args = self._arguments(call)
        called = f"{self._constant(call.operator)}({', '.join(args)})"
        value = args[0] if is_alias else called
        pattern = self._pattern_of(call)
        self._lines.append(f"{pattern} = {value}" if pattern else value)
        dead = [f"t{number}" for number in dying if number in self._known]
        if dead:
            self._lines.append(f"del {', '.join(dead)}")
            self._known.difference_update(dying)
        if self._timed and not is_alias:
            self._stamps += 1
            self._lines.append(f"stamps[{self._stamps}] = clock()")

    def _arguments(self, call: WiredCall) -> list[str]:
        numbers = iter(call.given)
        args = [self._expression(value, numbers) for value in call.args]
        return args + [
            f"{name}={self._expression(value, numbers)}" for name, value in call.kwargs.items()
        ]

    def function_in_context(self, call: WiredCall) -> tuple[Any, list[torch.Tensor]]:
        """What was added, and a call between two looks at the clock.

        Its result is given back before the second one, as every result is at some time; what its
        context made, later.
        """
        self._set_gradients(call.gradients)
        outside = self._outside = []
        called = f"{self._constant(call.operator)}({', '.join(self._arguments(call))})"
        names = "".join(f"g{at}, " for at in range(len(outside)))
        lines = ["def program(stamps, clock, given, before):", *self._lines]
        lines += [f"{names} = given"] if outside else []
        lines += ["if before is not None: before()", "stamps[0] = clock()", f"made = {called}"]
        lines += ["del made", "stamps[1] = clock()", "stamps[2] = clock()"]
        if self._gradients:
            lines.append(f"{self._constant(torch._C._set_grad_enabled)}(False)")
        exec(compile("\n    ".join(lines), "<recorded program>", "exec"), self._globals)
        return self._globals.pop("program"), outside

    def _set_gradients(self, on: bool) -> None:
        if on != self._gradients:
            self._lines.append(f"{self._constant(torch._C._set_grad_enabled)}({on})")
            self._gradients = on

    def function(self, outputs: list[int]) -> Any:
        self._set_gradients(False)
        head = "def program(stamps, clock):" if self._timed else "def program():"
        lines = [head]
        if self._timed:
            lines.append("    stamps[0] = clock()")
        lines += [f"    {line}" for line in self._lines]
        returned = ", ".join(f"t{number}" for number in outputs if number in self._known)
        lines.append(f"    return [{returned}]")
        exec(compile("\n".join(lines), "<recorded program>", "exec"), self._globals)
        return self._globals.pop("program")

    def _expression(self, value: Any, numbers: Any) -> str:
        if isinstance(value, torch.Tensor):
            number = next(numbers)
            if number in self._known:
                return f"t{number}"
            if self._outside is not None:
                self._outside.append(value)
                return f"g{len(self._outside) - 1}"
            return self._constant(self._shown(value))
        if isinstance(value, (list, tuple)) and any(
            isinstance(item, (torch.Tensor, list, tuple)) for item in value
        ):
            items = "".join(f"{self._expression(item, numbers)}, " for item in value)
            return f"[{items}]" if isinstance(value, list) else f"({items})"
        if value is None or isinstance(value, bool) or type(value) is int:
            return repr(value)
        return self._constant(value)

    def _constant(self, value: Any) -> str:
        name = self._names.get(id(value))
        if name is None:
            name = self._names[id(value)] = f"c{len(self._globals)}"
            self._globals[name] = value
        return name

    def _pattern_of(self, call: WiredCall) -> str:
        """The left side of an assignment; empty where nobody needs the results."""
        if call.returns == 0 or not any(True for _ in numbers_in(call.outputs)):
            return ""
        if call.returns == 1:
            return self._pattern(call.outputs[0])
        return "".join(f"{self._pattern(one)}, " for one in call.outputs)

    def _pattern(self, value: Json) -> str:
        if isinstance(value, list):
            return (
                "[" + "".join(f"{self._pattern(item)}, " for item in value) + "]" if value else "_"
            )
        if isinstance(value, dict) and value.get("tensor") is not None:
            number = value["tensor"][0]
            self._known.add(number)
            return f"t{number}"
        return "_"
