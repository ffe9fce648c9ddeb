#!/usr/bin/python3
"""Runs golden tests: each .golden file holds a command, its exit code and all it prints.

A command may begin with environment variables: NAME=VALUE jouletree ...

    run_golden.py PROGRAM MODELS FILE.golden...     compare
    run_golden.py --update PROGRAM MODELS FILE...   write down what it prints now
"""

import difflib
import os
import shlex
import subprocess
import sys
from pathlib import Path


def run(program, models, command):
    words = shlex.split(command)
    # What is kept at home must not decide what is printed.
    environment = {**os.environ, "HOME": "home", "XDG_DATA_HOME": ""}
    while "=" in words[0]:
        name, value = words.pop(0).split("=", 1)
        environment[name] = value
    assert words[0] == "jouletree", command
    result = subprocess.run(
        [program, *words[1:]],
        cwd=models,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return (
        f"$ {command}\nexit code {result.returncode}\n"
        f"--- stdout\n{result.stdout}--- stderr\n{result.stderr}"
    )


def main(arguments):
    update = arguments[0] == "--update"
    if update:
        arguments = arguments[1:]
    program, models, *files = arguments
    program = str(Path(program).resolve())
    failed = 0
    for file in map(Path, files):
        expected = file.read_text()
        commands = [line[2:] for line in expected.splitlines() if line.startswith("$ ")]
        if not commands:
            sys.exit(f"{file}: holds no command")
        actual = "\n".join(run(program, models, command) for command in commands)
        if update:
            file.write_text(actual)
        elif actual != expected:
            failed += 1
            sys.stdout.writelines(
                difflib.unified_diff(
                    expected.splitlines(True), actual.splitlines(True), str(file), "now"
                )
            )
    print(f"{len(files) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
