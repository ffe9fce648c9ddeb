#!/usr/bin/python3
"""Drives the completion in a real bash, as the shell does when somebody presses Tab.

    completion_test.py PROGRAM COMPLETION
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from help_text import all_commands

DRIVER = r"""
set -u
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
"$(complete -p jouletree | sed 's/.*-F \([^ ]*\).*/\1/')" jouletree "${COMP_WORDS[-1]}" x
printf '%s\n' "${COMPREPLY[@]}"
"""


def complete(script, folder, *words):
    """The suggestions for the last word. Bash passes '=' as a word of its own."""
    result = subprocess.run(
        ["bash", "--norc", "-c", DRIVER, "bash", script, "jouletree", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert not result.stderr, f"{words}: {result.stderr}"
    return [line for line in result.stdout.split("\n") if line]


def check_every_command(program, script, folder):
    commands = all_commands(program)
    for command in commands:
        flags = complete(script, folder, *command.words, "-")
        assert sorted(flags) == sorted(command.flags), f"{command.words}: {flags}"
        if command.commands:
            offered = complete(script, folder, *command.words, "")
            assert offered == command.commands, f"{command.words}: {offered}"
    return len(commands)


def check_cases(program, script, folder):
    zoo = json.loads(subprocess.check_output([program, "zoo", "list", "--format", "json"]))
    names = [architecture["name"] for architecture in zoo["architectures"]]
    resnets = [name for name in names if name.startswith("resnet")]
    assert resnets
    cases = [
        (["ins"], ["inspect"]),
        (["zoo", "b"], ["build"]),
        # words to choose from, in both ways of writing
        (["inspect", "a.onnx", "--format", ""], ["table", "json", "csv", "jsonl"]),
        (["inspect", "a.onnx", "--format", "js"], ["json", "jsonl"]),
        (["inspect", "--format", "=", "js"], ["json", "jsonl"]),
        (["inspect", "--format", "="], ["table", "json", "csv", "jsonl"]),
        (["compare", "a.onnx", "b.onnx", "--by", ""], ["type"]),
        # a value of a flag is no place, also if it has an '=' in it
        (["inspect", "--dim", "batch", "=", "8", ""], ["a.onnx", "b c.pt", "sub"]),
        (["inspect", "--dim", "batch", "=", ""], []),
        (["inspect", "--depth", ""], []),
        # models before other files, folders to go on, all files if no model fits
        (["inspect", ""], ["a.onnx", "b c.pt", "sub"]),
        (["inspect", "sub/"], ["sub/notes.txt"]),
        (["compare", "a.onnx", "b"], ["b c.pt"]),
        (["zoo", "build", "gpt2", "-o", "n"], ["new.txt"]),
        # architectures
        (["zoo", "build", ""], names),
        (["zoo", "build", "--set", "layers", "=", "1", "resnet"], resnets),
        # after the last place come flags
        (["zoo", "list", "--f"], ["--format"]),
        (["inspect", "a.onnx", ""], complete(script, folder, "inspect", "-")),
    ]
    for words, expected in cases:
        actual = complete(script, folder, *words)
        assert sorted(actual) == sorted(expected), f"{words}: {actual}, not {expected}"
    return len(cases)


def main(program, script):
    subprocess.run(["bash", "-n", script], check=True)
    script = os.path.abspath(script)
    program = os.path.abspath(program)
    with tempfile.TemporaryDirectory() as folder:
        for name in ("a.onnx", "b c.pt", "new.txt", "sub/notes.txt"):
            path = Path(folder, name)
            path.parent.mkdir(exist_ok=True)
            path.touch()
        commands = check_every_command(program, script, folder)
        cases = check_cases(program, script, folder)
    print(f"{commands} commands and {cases} cases are completed as they should be")


if __name__ == "__main__":
    main(*sys.argv[1:])
