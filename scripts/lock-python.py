#!/usr/bin/env python3
"""Writes python/locked*.txt: all that python/requirements-*.txt need, with versions and hashes.

    .deps/python/bin/python scripts/lock-python.py

Versions are those that are installed in .deps/python; install newer ones there with pip and try them
before. Hashes are those of the wheels for Linux that the registry lists, whichever of them pip takes
later, and of torch that of the one file that pip finds now, because no registry has its build for CPUs.
"""

import hashlib
import html
import importlib.metadata
import re
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request
from pathlib import Path

from packaging.requirements import Requirement
from packaging.tags import compatible_tags, cpython_tags
from packaging.utils import InvalidWheelFilename, canonicalize_name, parse_wheel_filename
from pip._internal.models.index import PyPI

FOLDER = Path(__file__).parent.parent / "python"
PYTHONS = ((3, 11), (3, 12), (3, 13))
MACHINES = ("x86_64", "aarch64")
NEWEST_GLIBC = 36  # Debian 12
HEAD = """# Written by scripts/lock-python.py: {what}
# pip installs these files and no others. Torch aside, any of the hashes of a package will do: they are
# those of its wheels for Linux.
"""


def usable_tags():
    platforms = []
    for machine in MACHINES:
        platforms += [f"manylinux_2_{minor}_{machine}" for minor in range(NEWEST_GLIBC, 4, -1)]
        platforms += [f"manylinux{year}_{machine}" for year in ("2014", "2010", "1")]
    tags = set()
    for python in PYTHONS:
        tags.update(cpython_tags(python, platforms=platforms))
        tags.update(compatible_tags(python, f"cp{python[0]}{python[1]}", platforms))
    return tags


TAGS = usable_tags()


def wanted(name):
    lines = (FOLDER / f"requirements-{name}.txt").read_text().splitlines()
    return [Requirement(line) for line in lines if line and not line.startswith("#")]


def with_all_that_they_need(requirements):
    """Name and version of each, by what is installed."""
    found = {}
    waiting = list(requirements)
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        if name in found:
            continue
        installed = importlib.metadata.distribution(name)
        if not requirement.specifier.contains(installed.version, prereleases=True):
            sys.exit(f"{name} {installed.version} is installed, but {requirement} is wanted")
        found[name] = installed.version
        for text in installed.requires or []:
            needed = Requirement(text)
            if needed.marker is None or any(
                needed.marker.evaluate({"extra": extra}) for extra in requirement.extras or {""}
            ):
                waiting.append(needed)
    return found


def is_usable(file, version):
    try:
        _, of_file, _, tags = parse_wheel_filename(file)
    except InvalidWheelFilename:
        return False
    return str(of_file) == version and not TAGS.isdisjoint(tags)


def hashes_in_registry(name, version):
    with urllib.request.urlopen(f"{PyPI.simple_url}/{name}/") as answer:
        page = answer.read().decode()
    hashes = set()
    for link in re.findall(r'href="([^"]+)"', page):
        url = urllib.parse.urlparse(html.unescape(link))
        file = urllib.parse.unquote(url.path.rpartition("/")[2])
        if file.endswith(".whl") and is_usable(file, version):
            hashes.add(url.fragment.removeprefix("sha256="))
    return hashes


def hash_of_file(name, version):
    with tempfile.TemporaryDirectory() as folder:
        command = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "-q",
            "--no-deps",
            "-d",
            folder,
            f"{name}=={version}",
        ]
        subprocess.run(command, check=True)
        (file,) = Path(folder).iterdir()
        return {hashlib.sha256(file.read_bytes()).hexdigest()}


def write(file, what, versions):
    text = HEAD.format(what=what)
    for name, version in sorted(versions.items()):
        hashes = hash_of_file(name, version) if "+" in version else hashes_in_registry(name, version)
        if not hashes:
            sys.exit(f"the registry has no wheel of {name} {version} for Linux")
        text += (
            f"{name}=={version}" + "".join(f" \\\n    --hash=sha256:{one}" for one in sorted(hashes)) + "\n"
        )
    (FOLDER / file).write_text(text)


def main():
    base = with_all_that_they_need(wanted("build") + wanted("test"))
    torch = with_all_that_they_need(wanted("torch") + wanted("models"))
    keras = {canonicalize_name(one.name): one.specifier for one in wanted("keras")}
    write("locked.txt", "what builds the package and checks it.", base)
    more = {name: version for name, version in torch.items() if name not in base}
    write("locked-torch.txt", "torch and what its tests need besides.", more)
    pinned = {name: str(versions).removeprefix("==") for name, versions in keras.items()}
    write("locked-keras.txt", "Keras and its back ends.", pinned)


if __name__ == "__main__":
    main()
