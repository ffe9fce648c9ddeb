#!/usr/bin/python3
"""200 connections that say nothing, and 200 that say a byte now and then, keep nobody waiting.

    crowd_test.py PROGRAM PROFILES
"""

import socket
import sys
import time

from served import Server

CROWD = 200


def connections(server, count):
    return [socket.create_connection(("127.0.0.1", server.port), timeout=30) for _ in range(count)]


def is_open(connection):
    connection.setblocking(False)
    try:
        return connection.recv(1) != b""
    except BlockingIOError:
        return True
    except ConnectionResetError:
        return False


def slowest_answer(server, tries=5):
    """Relative to what it takes when nobody else is there, so that a busy machine is no failure."""
    slowest = 0.0
    for _ in range(tries):
        begin = time.monotonic()
        server.page("/")
        server.page("/page/steady")
        slowest = max(slowest, time.monotonic() - begin)
    return slowest


def main(program, profiles):
    with Server(program, profiles) as server:
        alone = slowest_answer(server)
        idle = connections(server, CROWD)
        slow = connections(server, CROWD)
        rest = b"ET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
        for connection in slow:
            connection.sendall(b"G")
        crowded = []
        for i in range(4):
            for connection in slow:
                connection.sendall(rest[i : i + 1])
            crowded.append(slowest_answer(server, 2))
        print(f"alone {alone:.3f} s, in a crowd {max(crowded):.3f} s")
        assert max(crowded) < 1 + 20 * alone, crowded
        held = sum(map(is_open, idle))
        assert held == CROWD, f"{held} of {CROWD} idle connections are held"
        # Those that were slow are answered as well once they have said all.
        one = slow[0]
        one.settimeout(30)
        one.sendall(rest[4:])
        assert one.recv(20).startswith(b"HTTP/1.1 200"), "a slow connection was given up"
        # More than are held at once make room for each other.
        more = connections(server, CROWD)
        server.page("/")
        begin = time.monotonic()
        assert server.stop() == 0
        print(f"ended with all of them open after {time.monotonic() - begin:.3f} s")
        for connection in idle + slow + more:
            connection.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
