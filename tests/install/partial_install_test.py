#!/usr/bin/python3
"""Installs what the quickstart builds and nothing else: the program, its worker and its engine.

The scripts of the build's installation run on a folder that holds only these.

    partial_install_test.py CMAKE BUILD SCRATCH PROGRAM WORKER ENGINE
"""

import shutil
import subprocess
import sys
from pathlib import Path


def copy_scripts(build, partial):
    """The scripts, and what configuring made, as if the build stood in the other folder."""
    scripts = [path for path in build.rglob("cmake_install.cmake") if partial not in path.parents]
    for script in scripts:
        copied = partial / script.relative_to(build)
        copied.parent.mkdir(parents=True, exist_ok=True)
        copied.write_text(script.read_text().replace(str(build), str(partial)))


def main(cmake, build, scratch, *built):
    build, scratch = Path(build), Path(scratch)
    shutil.rmtree(scratch, ignore_errors=True)
    partial, prefix = scratch / "partial", scratch / "prefix"
    copy_scripts(build, partial)
    for file in map(Path, built):
        copied = partial / file.relative_to(build)
        copied.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, copied)
    result = subprocess.run(
        [cmake, f"-DCMAKE_INSTALL_PREFIX={prefix}", "-P", partial / "cmake_install.cmake"],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert "Not installed, because only the program was built" in result.stdout, result.stdout
    for file in ("bin/jouletree", "lib/jouletree/jouletree-worker", "include/jouletree/meter.h"):
        assert (prefix / file).is_file(), f"not installed: {file}"
    packages = list(prefix.rglob("jouletree-config.cmake"))
    assert not packages, f"a package without its library: {packages}"
    shown = subprocess.run(
        [prefix / "bin/jouletree", "--version"],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert shown.stdout.startswith("jouletree "), shown.stdout
    shutil.rmtree(scratch)
    print("the quickstart's build installs")


if __name__ == "__main__":
    main(*sys.argv[1:])
