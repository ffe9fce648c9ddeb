"""Ctrl-C at a moment at which everything can be put back.

Python raises KeyboardInterrupt between any two of its instructions: in a destructor, where it is
lost; below TorchScript, which makes a RuntimeError of it; halfway through putting a model back. So
a signal that comes while a model is worked on waits for the next moment at which none of this can
happen. Its handler is the user's own, and is called there.

Example:
    >>> with held():
    ...     change(model)
    ...     tell()  # Here it would be all right.
    ...     put_back(model)
"""

from __future__ import annotations

import functools
import os
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any, ParamSpec, TypeVar

Arguments = ParamSpec("Arguments")
Returned = TypeVar("Returned")

# Those that end programs. Others, such as an alarm's, are somebody's tools.
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class _Signals:
    """Stands in for the handlers of signals, which Python calls on the main thread."""

    def __init__(self) -> None:
        self._handlers: dict[int, Callable[[int, FrameType | None], Any]] = {}
        self._waiting: list[int] = []
        self._raised: BaseException | None = None
        self._number = 0  # Of the signal whose handler raised.
        #: The frame whose call looks for signals at moments of its own choice.
        self.open: FrameType | None = None
        #: Around how many pieces of work not even a second signal may come in.
        self.firmly = 0

    def take(self) -> None:
        try:
            for number in _SIGNALS:
                handler = signal.getsignal(number)
                if callable(handler):  # Not ignored, and not the system's.
                    self._handlers[number] = handler
                    signal.signal(number, self._come)
        except BaseException:
            self.give_back()
            raise

    def give_back(self) -> None:
        for number in reversed(self._handlers):
            if signal.getsignal(number) == self._come:
                signal.signal(number, self._handlers[number])

    def tell(self) -> None:
        """Calls the handlers of signals that wait."""
        if self._raised is not None:
            raise self._raised  # Somebody on the way lost it.
        while self._waiting:
            number = self._waiting.pop(0)
            try:
                self._handlers[number](number, sys._getframe())
            except BaseException as error:
                self._raised, self._number, self.open = error, number, None
                raise

    def end(self, error: BaseException | None) -> None:
        """Tells of signals that came to the very end. `error` is what ends the work, if anything
        does."""
        self.give_back()
        if self._raised is not None and error is self._raised:
            # One that says the same again, while everything was put back, has been heard.
            self._waiting = [number for number in self._waiting if number != self._number]
            self._raised = None
        self.tell()

    def _come(self, number: int, frame: FrameType | None) -> None:
        self._waiting.append(number)
        if self._raised is not None or frame is None:
            return
        # Whoever asks twice does not want to wait for a long call to end.
        insists = len(self._waiting) > 1 and not self.firmly and frame.f_code not in _OWN_CODE
        if frame is self.open or insists:
            self.tell()


_signals: _Signals | None = None


def _is_main_thread() -> bool:
    return threading.get_ident() == threading.main_thread().ident


def _end_in_child() -> None:
    """A process that is forked meanwhile never comes to the end of the work."""
    global _signals
    if _signals is not None:
        _signals.give_back()
        _signals = None


os.register_at_fork(after_in_child=_end_in_child)


class held:  # noqa: N801
    """Signals that come inside wait until `tell`, a call by `interruptible`, or the end; a second
    one does not wait, unless it is held `firmly`. Nests. Does nothing but on the main thread, which
    alone gets signals."""

    def __init__(self, firmly: bool = False) -> None:
        self._firmly = firmly
        self._signals: _Signals | None = None
        self._is_outermost = False

    def __enter__(self) -> None:
        global _signals
        if not _is_main_thread():
            return
        if _signals is None:
            self._is_outermost = True
            _signals = _Signals()
            try:
                _signals.take()
            except BaseException:
                _signals = None
                raise
        self._signals = _signals
        if self._firmly:
            self._signals.firmly += 1

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        global _signals
        signals, self._signals = self._signals, None
        if signals is None:
            return
        if self._firmly:
            signals.firmly -= 1
        if self._is_outermost:
            _signals = None
            signals.end(error)


def tell() -> None:
    """Lets signals through that wait. Raises what their handlers raise."""
    if _signals is not None and _is_main_thread():
        _signals.tell()


def telling(function: Callable[Arguments, Returned]) -> Callable[Arguments, Returned]:
    """Lets signals through when the function has done its work: for what C++ calls."""

    @functools.wraps(function)
    def called(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Returned:
        returned = function(*args, **kwargs)
        tell()
        return returned

    return called


def interruptible(call: Callable[[], Returned]) -> Returned:
    """Calls what is written in C++ and looks for signals now and then: they are let through there
    at once. Python code that it calls is not interrupted, and should be `telling`."""
    signals = _signals
    if signals is None or not _is_main_thread():
        return call()
    signals.tell()
    signals.open = sys._getframe()
    try:
        return call()
    finally:
        signals.open = None


# Half a change of handlers would be worse than a signal that waits.
_OWN_CODE = frozenset(
    function.__code__
    for function in (
        _Signals.take,
        _Signals.give_back,
        _Signals.tell,
        _Signals.end,
        held.__enter__,
        held.__exit__,
        interruptible,
    )
)
