#!/usr/bin/python3
"""Checks the layout of src/: a room includes only rooms above it, and no type is defined twice.

    check_rooms.py PROJECT_FOLDER

Two types of one name in one namespace are undefined behaviour as soon as one program holds both.
"""

import collections
import pathlib
import re
import sys

# As in docs/architecture.md; each may include those before it.
ROOMS = (
    "base",
    "runtime",
    "model",
    "zoo",
    "tree",
    "meters",
    "engines",
    "measure",
    "store",
    "predict",
    "report",
    "cli",
)
INCLUDE = re.compile(r'#include "([a-z_]+)/')
NAMESPACE = re.compile(r"namespace (jouletree[a-z_:]*) \{")
TYPE = re.compile(r"(?:struct|class|enum class|enum) (?:\[\[.*?\]\] )?([A-Z]\w+)(?: final)?(?: :.*)? ?\{")


def sources(folder, *patterns):
    return sorted(path for pattern in patterns for path in folder.rglob(pattern))


def upward_includes(folder):
    for path in sources(folder / "src", "*.cpp", "*.hpp"):
        room = path.relative_to(folder / "src").parts[0]
        if path.name.endswith("_test.cpp") or room not in ROOMS:
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            included = INCLUDE.match(line)
            if included and included[1] in ROOMS and ROOMS.index(included[1]) > ROOMS.index(room):
                yield f"{path.relative_to(folder)}:{number}: {room} includes {included[1]}, which stands below it"


def unknown_rooms(folder):
    for path in sorted((folder / "src").iterdir()):
        if path.is_dir() and path.name not in ROOMS:
            yield f"src/{path.name}: a room that this check does not know"


def types_of(path):
    namespace = None
    for line in path.read_text().splitlines():
        opened = NAMESPACE.match(line)
        namespace = opened[1] if opened else namespace
        defined = TYPE.match(line)
        if defined and namespace:
            yield f"{namespace}::{defined[1]}"


def types_defined_twice(folder):
    places = collections.defaultdict(list)
    for path in sources(folder / "src", "*.hpp") + sources(folder / "include", "*.hpp"):
        for name in types_of(path):
            places[name].append(str(path.relative_to(folder)))
    for name, files in sorted(places.items()):
        if len(files) > 1:
            yield f"{name} is defined in {' and in '.join(files)}"


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    problems = [*unknown_rooms(folder), *upward_includes(folder), *types_defined_twice(folder)]
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
