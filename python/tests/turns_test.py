"""Measurements of several threads take turns."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

from jouletree._turns import turn


def test_a_second_thread_waits_and_says_so() -> None:
    shown: list[str | None] = []
    order: list[str] = []

    def second() -> None:
        with turn(shown.append):
            order.append("second")

    with turn(None):
        thread = threading.Thread(target=second)
        thread.start()
        while not shown:
            time.sleep(0.01)
        order.append("first")
    thread.join()
    assert order == ["first", "second"]
    assert shown == ["waiting for another profile of this program to end", None]


def test_the_same_thread_does_not_wait_for_itself() -> None:
    with turn(None), turn(None):
        pass


def test_a_turn_ends_when_something_is_raised() -> None:
    with pytest.raises(RuntimeError), turn(None):
        raise RuntimeError
    thread = threading.Thread(target=lambda: turn(None).__enter__())
    thread.start()
    thread.join()


def test_ctrl_c_ends_the_waiting() -> None:
    script = textwrap.dedent("""
        import threading, time
        from jouletree._turns import turn
        def first():
            with turn(None):
                print("taken", flush=True)
                time.sleep(60)
        threading.Thread(target=first, daemon=True).start()
        time.sleep(0.5)
        with turn(lambda line: print(line, flush=True)):
            pass
    """)
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "taken\n"
    assert process.stdout.readline().startswith("waiting")
    process.send_signal(signal.SIGINT)
    _, complaints = process.communicate(timeout=20)
    assert "KeyboardInterrupt" in complaints


def test_a_forked_process_does_not_wait_for_a_thread_of_its_parent() -> None:
    with turn(None):
        child = os.fork()
        if child == 0:
            thread = threading.Thread(target=lambda: turn(None).__enter__(), daemon=True)
            thread.start()
            thread.join(5)
            os._exit(int(thread.is_alive()))
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
