#!/usr/bin/python3
"""Profiles a model and compares the tree of the profile with that of the file.

    check_profile.py PROGRAM MANIFEST FOLDER NAME

At least 99 % of the time lies in modules that the file names, or outside of all modules by operators
of a type that the file has there, too. Every kernel of the watched run tells what it is and what it
costs, also where it runs in the branch of an If, whose operators are measured like all others; the
notes name the input that decides which branch runs.
"""

import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from model_entry import arguments_of, entry_of

LEAST_SHARE = 0.99
WITH_BODIES = {"If", "Loop", "Scan"}
TOLD_OF_A_KERNEL = {"operator", "scope", "in_place_s", "alone_s", "energy_j"}
# The engine adds these for its own layout of memory.
CHANGES_OF_LAYOUT = {"ReorderInput", "ReorderOutput"}


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit code {result.returncode}: {result.stderr}")
    return result.stdout


def module_of(scope):
    return scope.rpartition(".")[0]


def modules_of(scopes):
    """All modules around the operators."""
    modules = set()
    for scope in scopes:
        while scope := module_of(scope):
            modules.add(scope)
    return modules


class Places(NamedTuple):
    """Where the time of a profile lies; shares of the time of all operators."""

    modules: int  # That the file names.
    at_root: float
    lost: float  # In no module of the file, though the file has such operators in modules only.
    largest: list[str]  # Of the lost ones.


def shares_of_places(profile, layers):
    """`layers` are the operators of the file."""
    modules = modules_of(layer["name"] for layer in layers)
    outside = {layer["type"] for layer in layers if not module_of(layer["name"])}
    outside |= CHANGES_OF_LAYOUT if outside else set()
    everything, at_root, lost = 0, 0, {}
    for row in profile["tree"]:
        if row["kind"] != "operator" or row["in_place_s"] is None:
            continue
        everything += row["in_place_s"]
        module = module_of(row["scope"])
        at_root += 0 if module else row["in_place_s"]
        if module not in modules if module else row["type"] not in outside:
            lost[row["scope"]] = row["in_place_s"]
    assert everything > 0, "no operator was timed in place"
    largest = sorted(lost, key=lost.get, reverse=True)[:5]
    return Places(len(modules), at_root / everything, sum(lost.values()) / everything, largest)


def check_places(profile, layers):
    places = shares_of_places(profile, layers)
    share = 1 - places.lost
    assert places.modules == 0 or share >= LEAST_SHARE, (
        f"{share:.2%} of the time lie in modules of the file; {places.largest}"
    )


def check_trace(folder, notes):
    some_are_too_short = any("no longer than" in note and "engine's own clock" in note for note in notes)
    events = json.loads((folder / "run_trace.json").read_text())["traceEvents"]
    kernels = [event for event in events if event.get("cat") == "kernel"]
    assert kernels, "no kernel was watched"
    for kernel in kernels:
        args = kernel["args"]
        assert TOLD_OF_A_KERNEL <= set(args), kernel
        # What contains others, as an If does, is no operator, and may belong to no single module.
        is_timed = args["in_place_s"] is not None or some_are_too_short
        known = args["scope"] is not None and is_timed
        assert known or args["operator"] in WITH_BODIES, kernel


def check_branches(profile, layers, model):
    types = {row["type"] for row in profile["tree"] if row["kind"] == "operator"}
    assert not types & WITH_BODIES, types
    if not any(f"{word}:" in layer["name"] for layer in layers for word in ("then", "else")):
        return
    notes = " ".join(profile["notes"])
    for name in model.get("values", {}):
        assert f"--value {name}=" in notes, (name, profile["notes"])


def main(program, manifest, folder, name):
    model = entry_of(manifest, name)
    arguments = arguments_of(folder, model)
    layers = list(csv.DictReader(run(program, "inspect", *arguments, "--format", "csv").splitlines()))
    with tempfile.TemporaryDirectory() as temp:
        out = Path(temp) / "out"
        protocol = ["--budget", "2s", "--baseline", "0", "--no-modules", "--format", "json"]
        profile = json.loads(run(program, "profile", *arguments, *protocol, "-o", str(out)))
        check_trace(out, profile["notes"])
    assert profile["operators_failed"] == 0, profile["failures"]
    check_branches(profile, layers, model)
    check_places(profile, layers)


if __name__ == "__main__":
    main(*sys.argv[1:])
