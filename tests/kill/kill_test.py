#!/usr/bin/python3
"""Kills commands that write, at random moments, and looks at what they leave behind.

    kill_test.py PROGRAM TREE_FILE [KILLS_PER_COMMAND]

A result that stood there before must still be whole, or the new one must be; a half-written one
must never stand under the name of a result, and the next command must work.
"""

import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

import writers


def start(writer):
    return subprocess.Popen(
        [str(word) for word in writer.command()],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env=writers.environment(),
    )


def check(writer, kills, chance):
    writer.restore()
    began = time.monotonic()
    assert start(writer).wait() == 0, f"{writer.name} fails without being killed"
    usual = time.monotonic() - began
    assert writer.state() == "new", f"{writer.name}: its own reader finds nothing"
    ends = {"old": 0, "new": 0}
    for kill in range(kills):
        writer.restore()
        process = start(writer)
        time.sleep(chance.uniform(0, usual))
        process.send_signal(signal.SIGKILL)
        process.wait()
        try:
            state = writer.state()
            writer.next_works(state)
        except AssertionError as problem:
            sys.exit(f"{writer.name}, kill {kill}: {problem}")
        ends[state] += 1
    print(f"{writer.name}: {kills} kills within {usual:.2f} s each, always whole ({ends})", flush=True)


def main():
    program, tree_file = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    kills = int(sys.argv[3]) if len(sys.argv) > 3 else 25
    chance = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        made = writers.writers(program, tree_file, pathlib.Path(folder).resolve())
        for make in made.values():
            check(make(), kills, chance)


if __name__ == "__main__":
    main()
