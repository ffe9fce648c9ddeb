#!/usr/bin/python3
"""Compares docs/metrics.md with what the program knows about its metrics.

    metrics_page_test.py PROGRAM docs/metrics.md             compare
    metrics_page_test.py --update PROGRAM docs/metrics.md    write it anew
"""

import difflib
import subprocess
import sys
from pathlib import Path


def main(arguments):
    update = arguments[0] == "--update"
    program, page = arguments[1:] if update else arguments
    made = subprocess.run(
        [program, "metrics", "--format", "markdown"], capture_output=True, text=True, check=True
    ).stdout
    if update:
        Path(page).write_text(made)
        return 0
    stored = Path(page).read_text()
    sys.stdout.writelines(
        difflib.unified_diff(stored.splitlines(True), made.splitlines(True), page, "the program's")
    )
    if stored != made:
        print(f"{page} is out of date; write it anew with {__file__} --update PROGRAM {page}")
    return 0 if stored == made else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
