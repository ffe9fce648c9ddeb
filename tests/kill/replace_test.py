#!/usr/bin/python3
"""Kills a program that replaces a profile again and again, and looks at what stands in the folder.

    replace_test.py PROGRAM REWRITE_PROFILE [KILLS]

PROGRAM must show one of the two profiles, and all files must then be those of that profile.
"""

import pathlib
import random
import subprocess
import sys
import tempfile
import time


def files_of(folder):
    files = (path for path in folder.iterdir() if path.is_file() and path.name != "mine.txt")
    return {path.name: path.read_bytes() for path in files}


def killed(rewrite, folder, one, other, chance):
    began = time.monotonic()
    with subprocess.Popen([rewrite, folder, one, other], stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"ready\n", "the writer fails without being killed"
        # So far it wrote three profiles: what follows hits the fourth to sixth.
        time.sleep(chance.uniform(0, time.monotonic() - began))
        assert process.poll() is None, f"the writer ended by itself: {process.returncode}"
        process.kill()


def main(program, rewrite, kills="40"):
    chance = random.Random(1)
    unfinished = 0
    seen = {"one": 0, "other": 0}
    with tempfile.TemporaryDirectory() as scratch:
        folder, one, other = (pathlib.Path(scratch) / name for name in ("profile", "one", "other"))
        folder.mkdir()
        (folder / "mine.txt").write_text("mine")
        for kill in range(int(kills)):
            killed(rewrite, folder, one, other, chance)
            unfinished += any(path.name.startswith(".") for path in folder.iterdir())
            show = [program, "show", folder]
            shown = subprocess.run(show, capture_output=True, text=True, check=False)
            assert shown.returncode == 0, f"kill {kill}: {shown.stderr}"
            found = files_of(folder)
            whole = [known.name for known in (one, other) if files_of(known) == found]
            assert whole, f"kill {kill}: files of two profiles, or not all: {sorted(found)}"
            seen[whole[0]] += 1
            assert (folder / "mine.txt").read_text() == "mine"
    assert all(seen.values()), f"the kills always left the same profile: {seen}"
    print(f"{kills} kills, {unfinished} while files changed: always one whole profile ({seen})")


if __name__ == "__main__":
    main(*sys.argv[1:])
