#!/usr/bin/python3
"""200 clients that say nothing, little or half of what they want keep no scrape waiting.

monitor_crowd_test.py PROGRAM
"""

import contextlib
import signal
import socket
import sys
import tempfile
import threading
import time

from watched_machine import FakeMachine, Monitor

CROWD = 200
REQUEST = b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"


class Crowd:
    """Connections of one kind, as long as it lasts."""

    def __init__(self, monitor, kind):
        self.connections = [socket.create_connection(monitor.place, timeout=30) for _ in range(CROWD)]
        self.ended = threading.Event()
        self.thread = threading.Thread(target=kind, args=(self.connections, self.ended))
        self.thread.start()

    def held(self):
        return sum(map(is_open, self.connections))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()
        for connection in self.connections:
            connection.close()


def silent(_connections, _ended):
    pass


def half_a_request(connections, _ended):
    for connection in connections:
        connection.sendall(REQUEST[:-2] + b"X-")


def a_byte_now_and_then(connections, ended):
    for byte in REQUEST[:-1]:
        for connection in connections:
            with contextlib.suppress(OSError):  # it may be given up in the end
                connection.sendall(bytes([byte]))
        if ended.wait(0.2):
            return


def a_body_that_never_comes(connections, _ended):
    for connection in connections:
        connection.sendall(b"POST /metrics HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n")


def never_read(connections, _ended):
    for connection in connections:
        connection.sendall(REQUEST * 5)


KINDS = (silent, half_a_request, a_byte_now_and_then, a_body_that_never_comes, never_read)
# Those that have said nothing wrong so far.
HELD = (silent, half_a_request, a_byte_now_and_then)


def is_open(connection):
    connection.setblocking(False)
    try:
        return connection.recv(1) != b""
    except BlockingIOError:
        return True
    except ConnectionResetError:
        return False


def slowest_scrape(monitor, tries=5):
    slowest = 0.0
    for _ in range(tries):
        began = time.monotonic()
        assert "jouletree_energy_joules_total" in monitor.scrape()
        slowest = max(slowest, time.monotonic() - began)
    return slowest


def scrapes_in_a_crowd(program, machine, kind):
    with Monitor(program, machine) as monitor:
        alone = slowest_scrape(monitor)
        with Crowd(monitor, kind) as crowd:
            time.sleep(0.3)
            crowded = slowest_scrape(monitor)
            held = crowd.held()
            began = time.monotonic()
            assert monitor.stop(signal.SIGTERM) == 0
            ended = time.monotonic() - began
        print(f"{kind.__name__}: {crowded:.3f} s (alone {alone:.3f} s), ended after {ended:.3f} s")
        # Relative to what it takes alone, so that a busy machine is no failure.
        assert crowded < 1 + 20 * alone, (kind.__name__, crowded)
        assert ended < 1 + 20 * alone, (kind.__name__, ended)
        if kind in HELD:
            assert held == CROWD, f"{kind.__name__}: {held} of {CROWD} connections are held"


def more_than_are_held_make_room(program, machine):
    with Monitor(program, machine) as monitor, contextlib.ExitStack() as crowds:
        alone = slowest_scrape(monitor)
        for kind in KINDS:
            crowds.enter_context(Crowd(monitor, kind))
        crowded = slowest_scrape(monitor)
        print(f"all of them: {crowded:.3f} s")
        assert crowded < 1 + 20 * alone, crowded
        assert monitor.stop(signal.SIGINT) == 0


def main(program):
    with tempfile.TemporaryDirectory() as root, FakeMachine(root) as machine:
        for kind in KINDS:
            scrapes_in_a_crowd(program, machine, kind)
        more_than_are_held_make_room(program, machine)


if __name__ == "__main__":
    main(*sys.argv[1:])
