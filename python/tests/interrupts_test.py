"""Signals wait for a moment at which everything can be put back."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

from jouletree import _interrupts
from jouletree._interrupts import held, interruptible, tell

NUMBERS = [signal.SIGINT, signal.SIGTERM]


def ctrl_c() -> None:
    signal.raise_signal(signal.SIGINT)


@pytest.fixture(autouse=True)
def handlers_stay() -> Iterator[None]:
    before = [signal.getsignal(number) for number in NUMBERS]
    yield
    assert [signal.getsignal(number) for number in NUMBERS] == before
    assert _interrupts._signals is None


def test_a_signal_waits_for_the_end() -> None:
    done: list[str] = []
    with pytest.raises(KeyboardInterrupt), held():
        ctrl_c()
        done.append("work")
    assert done == ["work"]


def test_a_signal_waits_for_the_end_of_the_outermost() -> None:
    done: list[str] = []
    with pytest.raises(KeyboardInterrupt), held():
        with held(firmly=True):
            ctrl_c()
        done.append("work")
    assert done == ["work"]


def test_a_signal_is_let_through_where_it_does_no_harm() -> None:
    done: list[str] = []
    with pytest.raises(KeyboardInterrupt), held():
        tell()  # Nothing waits.
        ctrl_c()
        done.append("before")
        tell()
        done.append("after")
    assert done == ["before"]


class Destroyed:
    def __del__(self) -> None:
        ctrl_c()


def test_a_signal_in_a_destructor_is_not_lost() -> None:
    with pytest.raises(KeyboardInterrupt), held():
        del [Destroyed()][0]


def test_whoever_asks_twice_does_not_wait() -> None:
    done: list[str] = []
    with pytest.raises(KeyboardInterrupt), held():
        ctrl_c()
        done.append("once")
        ctrl_c()
        done.append("twice")
    assert done == ["once"]


def test_putting_back_is_never_interrupted() -> None:
    done: list[str] = []
    with pytest.raises(KeyboardInterrupt), held():
        try:
            ctrl_c()
            ctrl_c()
        finally:  # A third and a fourth, while everything is put back.
            ctrl_c()
            ctrl_c()
            done.append("put back")
    with pytest.raises(KeyboardInterrupt), held(firmly=True):
        for _ in range(3):
            ctrl_c()
        done.append("all of it")
    assert done == ["put back", "all of it"]


def test_what_was_lost_on_the_way_is_raised_again() -> None:
    def lost() -> None:
        ctrl_c()
        with pytest.raises(KeyboardInterrupt):
            ctrl_c()

    done: list[str] = []
    with pytest.raises(KeyboardInterrupt), held():
        lost()
        done.append("not noticed")
        tell()
        done.append("after")
    with pytest.raises(KeyboardInterrupt), held():
        lost()
        raise RuntimeError("what TorchScript makes of it")
    assert done == ["not noticed"]


def test_code_that_looks_for_signals_is_interrupted_at_once() -> None:
    done: list[str] = []

    def called(work: Callable[[], None]) -> None:
        """Stands for C++, which no frame of Python is made for."""
        ctrl_c()
        work()
        done.append("more")
        tell()
        done.append("too much")

    with pytest.raises(KeyboardInterrupt), held():
        interruptible(partial(called, lambda: done.append("callback")))
    with pytest.raises(KeyboardInterrupt), held():
        interruptible(partial(signal.raise_signal, signal.SIGINT))
        done.append("too late")
    with pytest.raises(KeyboardInterrupt), held():
        ctrl_c()
        interruptible(lambda: done.append("never begun"))
    with pytest.raises(KeyboardInterrupt):
        interruptible(partial(signal.raise_signal, signal.SIGINT))
    assert done == ["callback", "more"]


def test_the_handler_is_the_users_own(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[int] = []

    def noted(number: int, frame: Any) -> None:
        told.append(number)

    before = [signal.signal(number, noted) for number in NUMBERS]
    try:
        with held():
            signal.raise_signal(signal.SIGTERM)
            assert told == []
            tell()
            assert told == [signal.SIGTERM]
            ctrl_c()
        assert told == [signal.SIGTERM, signal.SIGINT]
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        with held():
            ctrl_c()
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        for number, handler in zip(NUMBERS, before, strict=True):
            signal.signal(number, handler)
    assert len(told) == 2


def test_another_thread_holds_nothing_and_disturbs_nothing() -> None:
    seen: list[bool] = []

    def work() -> None:
        with held(), held(firmly=True):
            tell()
            seen.append(interruptible(lambda: _interrupts._signals is None))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    with pytest.raises(KeyboardInterrupt), held():
        ctrl_c()
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert seen == [True, False]


def test_a_forked_process_has_the_handlers_of_its_parent() -> None:
    with held():
        child = os.fork()
        if child == 0:
            ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler
            os._exit(0 if ours else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert _interrupts._signals is not None
