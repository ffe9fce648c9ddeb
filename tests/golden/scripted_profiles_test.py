#!/usr/bin/python3
"""Compares the files of scripted profiles, to the last digit, with those that stand here.

    scripted_profiles_test.py MAKER EXPECTED            compare
    scripted_profiles_test.py --update MAKER EXPECTED   write down what comes out now
"""

import difflib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

MOST_LINES = 60  # Of differences that are shown of one file.


def files_of(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def differences(expected, actual):
    """One list of lines for each file that differs."""
    for name in sorted(files_of(expected) | files_of(actual)):
        texts = [
            (folder / name).read_text().splitlines(True) if (folder / name).is_file() else []
            for folder in (expected, actual)
        ]
        lines = list(difflib.unified_diff(*texts, f"{name} (expected)", f"{name} (now)"))
        if lines:
            yield lines


def main(arguments):
    update = arguments[0] == "--update"
    maker, expected = arguments[1:] if update else arguments
    expected = Path(expected)
    with tempfile.TemporaryDirectory() as temporary:
        actual = Path(temporary) / "profiles"
        subprocess.run([maker, actual], check=True)
        if update:
            shutil.rmtree(expected, ignore_errors=True)
            shutil.copytree(actual, expected)
            return 0
        different = list(differences(expected, actual))
    for lines in different:
        sys.stdout.writelines(line if line.endswith("\n") else f"{line}\n" for line in lines[:MOST_LINES])
        if len(lines) > MOST_LINES:
            print(f"… and {len(lines) - MOST_LINES} more lines")
    print(f"{len(files_of(expected))} files expected, {len(different)} differ")
    return 1 if different or not files_of(expected) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
