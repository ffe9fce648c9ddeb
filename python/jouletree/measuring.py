"""Joules and seconds of any code."""

from __future__ import annotations

import atexit
import contextlib
import functools
import inspect
import os
import threading
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import TracebackType
from typing import Any, Generic, ParamSpec, TypeVar, overload

from jouletree import _core
from jouletree._arguments import checked_call
from jouletree._html import page, quantities_table
from jouletree.errors import BadInput, Error
from jouletree.quantity import Quantity

Arguments = ParamSpec("Arguments")
Returned = TypeVar("Returned")

# A function that is called for days keeps only its last measurements.
_MOST_KEPT = 10_000

atexit.register(_core.close_session)
os.register_at_fork(after_in_child=_core.forget_session)


class Measurement:
    """What one stretch of code used. Made by ``jouletree.measure``."""

    __slots__ = ("_content", "_lock", "_pid", "_state", "_window", "name")

    def __init__(self, name: str) -> None:
        self.name = name
        self._state = "new"
        self._window = 0
        self._content: _core.WindowResult | None = None
        self._lock = threading.Lock()
        self._pid = 0

    def __enter__(self) -> Measurement:
        if self._state != "new":
            raise BadInput(
                f"measurement '{self.name}' was used already; make another one with "
                "jouletree.measure"
            )
        self._pid = os.getpid()
        self._window = _core.begin_window(self.name)
        self._state = "open"
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if os.getpid() == self._pid:
            _core.end_window(self._window)
            self._state = "ended"

    @overload
    def __call__(
        self, function: Callable[Arguments, Returned]
    ) -> Measured[Arguments, Returned]: ...
    @overload
    def __call__(self, function: Any) -> Any: ...
    def __call__(self, function: Any) -> Any:
        """As a decorator: every call is a measurement of its own."""
        return Measured(function, self.name)

    @property
    def energy(self) -> Quantity:
        """Of the machine, with what it uses when idle. Waits until the meters have told it."""
        result = self._result()
        return replace(_joules(*result.energy), lower_bound=bool(result.missing))

    @property
    def time(self) -> Quantity:
        return Quantity(self._result().time_s, "s", provenance="measured")

    @property
    def power(self) -> Quantity:
        """The mean: energy per time."""
        energy, seconds = self.energy, self._result().time_s

        def per_second(joules: float | None) -> float | None:
            return None if joules is None or seconds <= 0 else joules / seconds

        value = per_second(energy.value)
        return Quantity(
            value,
            "W",
            per_second(energy.low),
            per_second(energy.high),
            None if value is None else energy.provenance,
            energy.lower_bound,
        )

    @property
    def covers(self) -> str:
        """Which parts of the machine the energy is of."""
        return self._result().covers

    @property
    def missing(self) -> list[str]:
        """Meters of the energy that told nothing for some of the time; it is then a lower bound."""
        return self._result().missing

    @property
    def meters(self) -> dict[str, Quantity]:
        """What each meter counted; some contain others, so that they do not add up."""
        return {name: _joules(*numbers) for name, numbers in self._result().meters}

    def __str__(self) -> str:
        if self._state != "ended":
            return f"{self.name or 'measurement'}: not ended"
        return f"{self.name or 'measurement'}: {self.time}, {self.energy}, {self.power}"

    def __repr__(self) -> str:
        return f"<{self}>"

    def _repr_html_(self) -> str:
        if self._state != "ended":
            return page(str(self), "")
        shown = {"Time": self.time, "Energy": self.energy, "Power": self.power}
        return page(self.name, quantities_table(shown), "", [self.covers])

    def __del__(self) -> None:
        if self._content is not None or self._state == "new" or os.getpid() != self._pid:
            return
        # At the very end of a process there may be nothing left to tell it to.
        with contextlib.suppress(Error, TypeError, AttributeError):
            if self._state == "open":
                _core.end_window(self._window)
            _core.forget_window(self._window)

    def _result(self) -> _core.WindowResult:
        if self._state != "ended":
            state = "has not begun" if self._state == "new" else "is still running"
            raise BadInput(
                f"measurement '{self.name}' {state}; read its numbers behind the with block"
            )
        with self._lock:
            if self._content is None:
                self._content = _core.window_result(self._window)
            return self._content


def _joules(
    value: float | None, low: float | None, high: float | None, provenance: str
) -> Quantity:
    return Quantity(value, "J", low, high, None if value is None else provenance)


class Measured(Generic[Arguments, Returned]):
    """A function whose calls are measured. Made by ``@jouletree.measure(...)``."""

    def __init__(self, function: Callable[Arguments, Returned], name: str) -> None:
        functools.update_wrapper(self, function)
        self._function = function
        self._name = name or getattr(function, "__qualname__", "")
        self.measurements: deque[Measurement] = deque(maxlen=_MOST_KEPT)
        """Of the calls that have ended, the last one last."""

    def __call__(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Returned:
        if inspect.iscoroutinefunction(self._function):
            return self._awaited(*args, **kwargs)  # type: ignore[return-value]
        if inspect.isgeneratorfunction(self._function):
            return self._iterated(*args, **kwargs)  # type: ignore[no-any-return]
        if inspect.isasyncgenfunction(self._function):
            return self._iterated_later(*args, **kwargs)  # type: ignore[no-any-return]
        with self._measured():
            return self._function(*args, **kwargs)

    async def _awaited(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Any:
        with self._measured():
            return await self._function(*args, **kwargs)  # type: ignore[misc]

    def _iterated(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Any:
        """From the first item that is asked for to the last."""
        with self._measured():
            return (yield from self._function(*args, **kwargs))  # type: ignore[misc]

    async def _iterated_later(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Any:
        items: Any = self._function(*args, **kwargs)
        with self._measured():
            async with contextlib.aclosing(items):
                async for item in items:
                    yield item

    @contextlib.contextmanager
    def _measured(self) -> Iterator[None]:
        measurement = Measurement(self._name)
        try:
            with measurement:
                yield
        finally:
            self.measurements.append(measurement)

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        """A method is called with its object, as any function is."""
        return self if instance is None else functools.partial(self.__call__, instance)  # type: ignore[arg-type]


@checked_call
def measure(name: str = "") -> Measurement:
    """Measures joules and seconds of any code, as a context manager or as a decorator.

    Measurements nest and may overlap in threads; all share one sampler. Energy is that of the
    machine (or of what its meters can see), so that what else runs is in it. Exceptions pass
    through, and the measurement ends all the same.

    >>> with jouletree.measure("epoch 1") as epoch:
    ...     train()
    >>> epoch.energy.value, epoch.energy.provenance, epoch.time.value
    >>> @jouletree.measure("step")
    ... def step(batch): ...
    >>> step(batch); step.measurements[-1].energy
    """
    if not isinstance(name, str):
        raise BadInput("measure takes a name: jouletree.measure('epoch 1')")
    return Measurement(name)
