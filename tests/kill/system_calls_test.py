#!/usr/bin/python3
"""Kills commands at each system call with which they change their target, and lets each fail.

    system_calls_test.py PROGRAM TREE_FILE [--short] [WRITER…]

Whenever a command ends, what stands at its target is whole, the old or the new one, and the next command
on the same target works. A call that fails is told of, and costs no result that was measured. --short
takes a few calls of each writer.
"""

import argparse
import pathlib
import sys
import tempfile
import time

import system_calls
import writers

SKIPPED = 77
KILL = "signal=SIGKILL"
ERRORS = {"ENOSPC": "No space left on device", "EIO": "Input/output error"}
CRASHES = range(64, 128)


def of_large_files(points):
    """Without most of the writes that follow each other in one file."""
    for point, before, after in zip(points, [None, *points], [*points[1:], None], strict=False):
        inner = before and after and before.name == point.name == after.name == "write"
        if not inner or point.number % 16 == 0:
            yield point


def short_selection(points, writer):
    """Of all that change names; of a profile, which has many, the third rename among others: once
    it left files of two profiles."""
    naming = [point for point in points if point.name.startswith(("rename", "link"))]
    if not isinstance(writer, writers.ProfileWriter):
        return naming
    renames = [point for point in naming if point.name.startswith("rename")]
    whole_set = [point for point in renames if "unfinished\"" in point.text]
    assert len(renames) > 3 and len(whole_set) == 1, f"other renames than expected: {renames}"
    return [renames[2], *whole_set, renames[-1]]


def kill_at(traced, point):
    killed = traced.hit(point, KILL)
    if killed is None:
        return None
    assert killed.code < 0, f"it survived: {killed.code}"
    state = traced.writer.state()
    traced.writer.next_works(state)
    left = writers.hidden_in(traced.writer.folder)
    assert not left, f"the next command leaves {left}"
    return state


def check_failed(failed, writer, error, is_measured):
    assert failed.code not in CRASHES, f"exit code {failed.code}"
    told = [line for line in failed.err.splitlines() if line.startswith("jouletree: ")]
    assert any(ERRORS[error] in line for line in told), f"not told: {failed.err}"
    assert any(str(writer.folder) in line for line in told), f"not told where: {failed.err}"
    if writer.shows_result and is_measured:
        shown = failed.out + failed.err
        assert "energy" in shown.lower(), f"the result is lost: {shown}"


def fail_at(traced, point, error):
    failed = traced.hit(point, f"error={error}")
    if failed is None:
        return None
    assert failed.code >= 0, f"ended by signal {-failed.code}: {failed.err}"
    writer = traced.writer
    state = writer.state()
    left = writers.hidden_in(writer.folder)
    if failed.code == 0:
        assert state == "new", "exit code 0, but nothing was written"
    else:
        check_failed(failed, writer, error, point.place > 0)
        if state == "old":
            found = writers.snapshot(writer.folder)
            assert found.keys() >= writer.before.keys(), "files are gone"
            more = found.keys() - writer.before.keys()
            assert not more or isinstance(writer, writers.RunWriter), f"left behind: {more}"
    writer.next_works(state)
    assert not left or not writers.hidden_in(writer.folder), "the next command leaves them"
    return f"{'told' if failed.code else 'ignored'}, {state}"


def check(writer, short):
    began = time.monotonic()
    traced = system_calls.TracedWriter(writer)
    points = list(of_large_files(traced.points))
    if short:
        points = short_selection(points, writer)
    counts = {}
    missed = 0
    for i, point in enumerate(points):
        errors = [list(ERRORS)[i % 2]] if short else list(ERRORS)
        for what in ["kill", *errors]:
            try:
                end = kill_at(traced, point) if what == "kill" else fail_at(traced, point, what)
            except AssertionError as problem:
                sys.exit(f"{writer.name}: {what} at {point.name}({point.text}: {problem}")
            if end is None:
                missed += 1
            else:
                end = f"killed, {end}" if what == "kill" else end
                counts[end] = counts.get(end, 0) + 1
    assert counts, f"{writer.name}: no call was hit"
    assert missed <= len(points) // 4, f"{writer.name}: {missed} calls were not hit"
    told = ", ".join(f"{end}: {count}" for end, count in sorted(counts.items()))
    print(
        f"{writer.name}: {len(points)} of {len(traced.points)} calls ({told}; not hit: {missed}) "
        f"in {time.monotonic() - began:.0f} s",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("tree_file", type=pathlib.Path)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("only", nargs="*")
    options = parser.parse_intermixed_args()
    reason = system_calls.reason_to_skip()
    if reason:
        print(f"skipped: {reason}")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder).resolve()
        made = writers.writers(options.program.resolve(), options.tree_file.resolve(), root)
        for name in options.only or made:
            check(made[name](), options.short)


if __name__ == "__main__":
    main()
