#!/usr/bin/python3
"""Man pages render without a warning and hold every command and flag that --help shows.

    man_page_test.py PROGRAM MAN_FOLDER
"""

import os
import re
import subprocess
import sys
from pathlib import Path

from help_text import all_commands


def rendered(page):
    result = subprocess.run(
        ["man", "--warnings", "--encoding=ascii", "--local-file", str(page)],
        env={**os.environ, "MANWIDTH": "200", "MAN_KEEP_FORMATTING": "", "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert not result.stderr, f"{page}: {result.stderr}"
    return re.sub(".\b", "", result.stdout)


def has_flag(text, flag):
    return re.search(rf"(?<![\w-]){re.escape(flag)}(?![\w-])", text)


def main(program, folder):
    pages = Path(folder) / "man1"
    commands = all_commands(program)
    expected = {"-".join(["jouletree", *command.words]) + ".1.gz" for command in commands}
    actual = {page.name for page in pages.glob("jouletree*")}
    assert actual == expected, f"pages: {sorted(actual)}, commands: {sorted(expected)}"
    whole = rendered(pages / "jouletree.1.gz")
    for command in commands:
        own = rendered(pages / ("-".join(["jouletree", *command.words]) + ".1.gz"))
        for text, page in ((whole, "jouletree"), (own, "its own page")):
            name = " ".join(["jouletree", *command.words])
            assert name in text, f"{page} lacks '{name}'"
            missing = [flag for flag in command.flags if not has_flag(text, flag)]
            assert not missing, f"{page} lacks {missing} of '{name}'"
    for word in ("EXIT STATUS", "ONNXRUNTIME_ROOT", "EXAMPLES", "SEE ALSO"):
        assert word in whole, f"jouletree.1 lacks {word}"
    print(f"{len(commands)} pages hold all that --help shows")


if __name__ == "__main__":
    main(*sys.argv[1:])
