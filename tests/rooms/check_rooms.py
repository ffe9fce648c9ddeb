#!/usr/bin/python3
"""Checks the layout of the sources: what a room includes, its namespace, and what stands in one place only.

    check_rooms.py PROJECT_FOLDER

A room includes only rooms above it, and its names are in its own namespace. Two types of one name in
one namespace are undefined behaviour as soon as one program holds both. What is known of an operator is in
its row of the operator table; whoever asks for an operator by its name keeps a list that the next operator is
missing from. Measuring knows no engine and no format of models.
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
    "campaign",
    "report",
    "cli",
)
PUBLIC = "jouletree"
TESTS = "jouletree::test"
INCLUDE = re.compile(r'#include "([a-z_]+)/')
# clang-format puts both at the beginning of a line, and names what is closed.
OPENED = re.compile(r"(?:inline )?namespace (?:([a-z0-9_:]+) )?\{")
CLOSED = re.compile(r"\}  // namespace")
TYPE = re.compile(r"(?:struct|class|enum class|enum|union) (?:\[\[.*?\]\] )?([A-Z][\w:]*)")
ALIAS = re.compile(r"using ([A-Z]\w+) =")
# Functions, constants and aliases.
OTHER_NAME = re.compile(r"[\[\w].*[\w)] ?[({=;]")

# A row of the operator table: its domain and its name.
OPERATOR_ROW = re.compile(r'\{k[A-Z]\w*,\s*"([A-Z]\w*)",')
OPERATORS = "src/model/operators"
# Where operators have to be named. All others ask the table.
NAMES_OPERATORS = (
    OPERATORS,
    "src/engines/onnxruntime",  # rewrites graphs for that engine: loops, branches, views of results
    "src/model/onnx",  # reads and writes the format, of which Constant and Identity are a part
    "src/model/pt2/argument_reader.cpp",  # knows the arguments that PyTorch takes by name
    "src/model/pt2/size_expression.cpp",  # functions of SymPy, which are no operators
    "src/model/pt2/size_parser.cpp",  # the same
    "src/model/torchscript",  # translates calls of PyTorch into operators
    "src/predict/fusion",  # imitates what one engine makes of a graph
    "src/predict/operator_names.cpp",  # translates names of layers in measured data
    "src/zoo",  # writes models
)
TEXT = re.compile(r'"((?:aten::)?\w+)"')
ENGINES = re.compile(r"onnx|torch", re.IGNORECASE)

FOR_C = re.compile(r'extern "C"')

Line = collections.namedtuple("Line", "number text namespace")


def defined_in(line):
    """The type or alias that a line begins to define, if any; a declaration ahead defines nothing."""
    begun = TYPE.match(line.text) if "{" in line.text or ";" not in line.text else None
    named = begun or ALIAS.match(line.text)
    return named[1] if named else None


CONSTANT = re.compile(r"(?:inline )?(?:static )?(?:const|constexpr) [^=;{(]*?\b(k[A-Z]\w*)(?:\[\w*\])? ?[={(]")

FUNCTION = re.compile(r"(?:\[\[nodiscard\]\] )?(?:constexpr )?(?:inline )?[\w:<>,&* ]*?[\w>&*] ([a-z]\w*)\(")


def sources(folder, *patterns):
    return sorted(path for pattern in patterns for path in folder.rglob(pattern))


def lines_of(path):
    """Lines that begin in the first column, each with the namespace that it stands in.

    That is None inside an unnamed namespace, and "" outside of all.
    """
    for line, around in lines_with_surroundings(path):
        yield Line(line.number, line.text, None if None in around else "::".join(around))


def lines_with_surroundings(path):
    """The same lines, each with the list of the namespaces around it; None stands for an unnamed one."""
    around = []
    for number, text in enumerate(path.read_text().splitlines(), 1):
        opened = OPENED.match(text)
        if CLOSED.match(text):
            around.pop()
        elif opened and not text.endswith("}"):
            around.append(opened[1])
        elif text and not text.startswith((" ", "/", "#", "}")):
            yield Line(number, text, None), tuple(around)


def room_of(path, folder):
    parts = path.relative_to(folder).parts
    return parts[1] if parts[0] == "src" and parts[1] in ROOMS else None


def unknown_rooms(folder):
    for path in sorted((folder / "src").iterdir()):
        if path.is_dir() and path.name not in ROOMS:
            yield f"src/{path.name}: a room that this check does not know"


def upward_includes(folder):
    for path in sources(folder / "src", "*.cpp", "*.hpp"):
        room = room_of(path, folder)
        if path.name.endswith("_test.cpp") or room is None:
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            included = INCLUDE.match(line)
            if included and included[1] in ROOMS and ROOMS.index(included[1]) > ROOMS.index(room):
                yield f"{path.relative_to(folder)}:{number}: {room} includes {included[1]}, which stands below it"


def is_within(namespace, outer):
    return namespace == outer or namespace.startswith(f"{outer}::")


def namespace_for(path, folder):
    """Where the names of a file belong."""
    room = room_of(path, folder)
    if room:
        return PUBLIC if room == "base" else f"{PUBLIC}::{room}"
    return TESTS if path.relative_to(folder).parts[0] == "tests" else PUBLIC


def names_elsewhere(folder):
    """Names that a header declares outside of its room's namespace.

    A class of the public interface may be completed in a room: `struct Predictor::State {`.
    """
    for path in (
        header for root in ("src", "include", "tests") for header in sources(folder / root, "*.hpp")
    ):
        wanted = namespace_for(path, folder)
        for line in lines_of(path):
            if FOR_C.match(line.text) or not (TYPE.match(line.text) or OTHER_NAME.match(line.text)):
                continue
            if line.namespace == PUBLIC and "::" in (defined_in(line) or ""):
                continue
            if line.namespace != wanted and (wanted == PUBLIC or not is_within(line.namespace or "", wanted)):
                where = "an unnamed namespace" if line.namespace is None else line.namespace or "no namespace"
                place = f"{path.relative_to(folder)}:{line.number}"
                yield f"{place}: is in {where}; names of this header belong in {wanted}"


def foreign_namespaces(folder):
    """Source files of a room define what it declares, and what include/jouletree/ declares."""
    for path in sources(folder / "src", "*.cpp"):
        room = room_of(path, folder)
        if room is None:
            continue
        wanted = namespace_for(path, folder)
        allowed = (wanted, TESTS) if path.name.endswith("_test.cpp") else (wanted,)
        for line in lines_of(path):
            namespace = line.namespace
            if (
                namespace
                and namespace != PUBLIC
                and not any(is_within(namespace, outer) for outer in allowed)
            ):
                place = f"{path.relative_to(folder)}:{line.number}"
                yield f"{place}: is in {namespace}; names of this room belong in {wanted}"


def types_defined_twice(folder):
    places = collections.defaultdict(set)
    for root in ("src", "include", "tests", "bench"):
        for path in sources(folder / root, "*.hpp", "*.cpp"):
            for line in lines_of(path):
                defined = defined_in(line)
                if defined and line.namespace:
                    places[f"{line.namespace}::{defined}"].add(str(path.relative_to(folder)))
    for name, files in sorted(places.items()):
        if len(files) > 1:
            yield f"{name} is defined in {' and in '.join(sorted(files))}"


def lines_of_rooms(folder):
    """Lines of all rooms but their tests: path, what tells names of a room apart, line, surroundings."""
    for path in sources(folder / "src", "*.cpp", "*.hpp"):
        room = room_of(path, folder)
        if room is None or path.name.endswith("_test.cpp"):
            continue
        for line, around in lines_with_surroundings(path):
            yield path, (room, "::".join(part for part in around if part)), line, around


def names_that_clash(folder):
    """Names of an unnamed namespace that another file of the room has as well.

    Files of a room are compiled together in any grouping, so such a name clashes in some builds only.
    """
    unnamed = collections.defaultdict(set)
    shared = collections.defaultdict(set)
    for path, place, line, around in lines_of_rooms(folder):
        constant = CONSTANT.match(line.text)
        name = constant[1] if constant else defined_in(line)
        # Any number of files may call one type the same.
        if name and not ALIAS.match(line.text):
            (unnamed if None in around else shared)[*place, name].add(str(path.relative_to(folder)))
    for (room, namespace, name), files in sorted(unnamed.items()):
        files = files | shared[room, namespace, name]
        if len(files) > 1:
            yield f"{name} of an unnamed namespace is also that of another file: {' and '.join(sorted(files))}"


def functions_that_hide(folder):
    """Functions of an unnamed namespace that are called like one that a header of the room declares.

    Where both are compiled together, code in an unnamed namespace finds the first one only.
    """
    hidden = collections.defaultdict(set)
    declared = collections.defaultdict(set)
    for path, place, line, around in lines_of_rooms(folder):
        function = FUNCTION.match(line.text)
        if function and None in around:
            hidden[*place, function[1]].add(str(path.relative_to(folder)))
        elif function and path.suffix == ".hpp":
            declared[*place, function[1]].add(str(path.relative_to(folder)))
    for key in sorted(hidden.keys() & declared.keys()):
        for path in sorted(hidden[key]):
            # What is an overload there was meant to be one.
            if any(pathlib.Path(path).stem == pathlib.Path(header).stem for header in declared[key]):
                continue
            yield f"{path}: {key[2]}() hides that of {' and of '.join(sorted(declared[key]))}"


def code_of(path):
    """Numbered lines without comments that fill a line or its end."""
    for number, text in enumerate(path.read_text().splitlines(), 1):
        yield number, re.sub(r"(^|\s)//.*", "", text)


def rooms_code(folder, root):
    for path in sources(folder / root, "*.cpp", "*.hpp"):
        if not path.name.endswith("_test.cpp"):
            yield path, path.relative_to(folder)


def named_operators(folder):
    """Operators that are asked for by their name outside of the places that have to."""
    rows = "".join(path.read_text() for path, _ in rooms_code(folder, OPERATORS))
    operators = set(OPERATOR_ROW.findall(rows))
    for path, place in rooms_code(folder, "src"):
        if any(place.is_relative_to(allowed) for allowed in NAMES_OPERATORS):
            continue
        for number, text in code_of(path):
            for word in TEXT.findall(text):
                if word in operators or word.startswith("aten::"):
                    yield (
                        f"{place}:{number}: names the operator {word}; ask facts_of() or its row, and add the "
                        "fact there if it is missing"
                    )


def engines_in_measuring(folder):
    for path, place in rooms_code(folder, "src/measure"):
        for number, text in code_of(path):
            if ENGINES.search(text):
                yield f"{place}:{number}: speaks of one engine; that belongs in its folder of src/engines"


CHECKS = (
    unknown_rooms,
    upward_includes,
    names_elsewhere,
    foreign_namespaces,
    types_defined_twice,
    names_that_clash,
    functions_that_hide,
    named_operators,
    engines_in_measuring,
)


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    problems = [problem for check in CHECKS for problem in check(folder)]
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
