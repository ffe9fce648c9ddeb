#!/usr/bin/python3
"""Checks that check_rooms.py finds what it is for, in small projects that are wrong in one way each."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECK = pathlib.Path(__file__).parent / "check_rooms.py"
GOOD = {
    "include/jouletree/meter.hpp": "namespace jouletree {\n\nclass Meter {};\n\n}  // namespace jouletree\n",
    "src/base/csv.hpp": "namespace jouletree {\n\nstruct Csv {};\n\n}  // namespace jouletree\n",
    "src/meters/alarm.hpp": '#include "base/csv.hpp"\n\nnamespace jouletree::meters {\n\nclass Csv;\n\n'
    "class Alarm {\n  struct Row {};\n};\nint rings();\n\n}  // namespace jouletree::meters\n",
    "src/meters/alarm.cpp": "namespace jouletree::meters {\nnamespace {\n\nstruct Row {};\n\n}  // namespace\n\n"
    "int rings() { return 1; }\n\n}  // namespace jouletree::meters\n",
    "src/meters/nvml.cpp": "namespace jouletree {\nnamespace {\n\nstruct Row {};\n\n}  // namespace\n\n"
    "struct Meter::State {};\n\n}  // namespace jouletree\n",
    "src/model/operators/moves.cpp": 'constexpr OperatorRow kRows[] = {\n    {kOnnx, "Concat", concat},\n'
    '    {kMicrosoft,\n     "Pad",\n     pad},\n};\n',
    "src/model/onnx/reader.cpp": 'bool joins(Node node) { return node.op == "Concat"; }\n',
    "src/meters/pad.cpp": '// Not "Pad".\nconst char* name() { return "pad"; }\n',
    "src/measure/rounds_test.cpp": 'const char* file = "model.onnx";\n',
    "tests/support/lab.hpp": "namespace jouletree::test {\n\nclass Lab {};\n\n}  // namespace jouletree::test\n",
}


def problems_with(added=None, text=""):
    """What the check says about a good project, or one with another file."""
    files = GOOD | ({added: text} if added else {})
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
        result = subprocess.run([CHECK, folder], capture_output=True, text=True, check=False)
    if result.returncode != (1 if result.stdout else 0):
        raise AssertionError(f"exit code {result.returncode}: {result.stdout}{result.stderr}")
    return result.stdout


def within(namespace, text):
    return f"namespace {namespace} {{\n\n{text}\n\n}}  // namespace {namespace}\n"


class CheckRooms(unittest.TestCase):
    def test_a_project_in_order_is_fine(self):
        self.assertEqual(problems_with(), "")

    def test_a_room_must_not_include_one_below(self):
        found = problems_with("src/base/text.cpp", '#include "meters/alarm.hpp"\n')
        self.assertEqual(found, "src/base/text.cpp:1: base includes meters, which stands below it\n")

    def test_a_new_room_must_be_told(self):
        self.assertIn(
            "src/cellar: a room",
            problems_with("src/cellar/wine.hpp", within("jouletree::cellar", "struct Wine {};")),
        )

    def test_headers_declare_in_the_namespace_of_their_room(self):
        for text in (
            "struct Row {};",
            "class Row final\n    : public Alarm {\n};",
            "int count();",
            "using Rows = int;",
        ):
            found = problems_with("src/meters/row.hpp", within("jouletree", text))
            self.assertIn(
                "src/meters/row.hpp:3: is in jouletree; names of this header belong in jouletree::meters",
                found,
            )

    def test_a_name_of_an_unnamed_namespace_is_that_of_one_file(self):
        def hidden(text):
            return within("jouletree::meters", f"namespace {{\n\n{text}\n\n}}  // namespace")

        for name, text, other in (
            ("kFile", 'constexpr const char* kFile = "a";', 'inline constexpr std::string_view kFile = "b";'),
            ("kRows", "constexpr std::array<int, 3> kRows = {1, 2, 3};", "constexpr int kRows[] = {4};"),
            ("Entry", "struct Entry {};", "class Entry {};"),
        ):
            GOOD["src/meters/one.cpp"] = hidden(text)
            for second in (
                ("src/meters/two.cpp", hidden(other)),
                ("src/meters/two.hpp", within("jouletree::meters", other)),
            ):
                self.assertIn(
                    f"{name} of an unnamed namespace is also that of another file: src/meters/one.cpp and src/meters/two",
                    problems_with(*second),
                )
            self.assertEqual(problems_with("src/base/two.hpp", within("jouletree", other)), "")
            del GOOD["src/meters/one.cpp"]

    def test_a_function_of_an_unnamed_namespace_hides_none_of_the_room(self):
        hiding = within("jouletree::meters", "namespace {\n\nint rings(Row row) { return 1; }\n\n}  // namespace")
        self.assertIn(
            "src/meters/two.cpp: rings() hides that of src/meters/alarm.hpp",
            problems_with("src/meters/two.cpp", hiding),
        )
        self.assertEqual(problems_with("src/tree/two.cpp", hiding.replace("meters", "tree")), "")

    def test_a_room_may_nest_namespaces_but_not_use_those_of_others(self):
        self.assertEqual(
            problems_with("src/meters/nvml.hpp", within("jouletree::meters::nvml", "struct Card {};")), ""
        )
        self.assertIn(
            "is in jouletree::metersalike",
            problems_with("src/meters/row.hpp", within("jouletree::metersalike", "struct Row {};")),
        )
        self.assertIn(
            "src/meters/row.cpp:3: is in jouletree::tree",
            problems_with("src/meters/row.cpp", within("jouletree::tree", "int row() { return 1; }")),
        )

    def test_headers_of_tests_have_a_namespace_of_their_own(self):
        found = problems_with("tests/support/row.hpp", within("jouletree", "int row();"))
        self.assertIn("belong in jouletree::test", found)

    def test_a_type_is_defined_once_also_in_source_files(self):
        found = problems_with("src/meters/bell.cpp", within("jouletree::meters", "class Alarm {\n};"))
        self.assertEqual(
            found, "jouletree::meters::Alarm is defined in src/meters/alarm.hpp and in src/meters/bell.cpp\n"
        )
        found = problems_with("src/base/row.hpp", within("jouletree", "enum class Csv { Row, Column };"))
        self.assertEqual(found, "jouletree::Csv is defined in src/base/csv.hpp and in src/base/row.hpp\n")

    def test_types_of_one_name_in_two_rooms_are_two_types(self):
        self.assertEqual(
            problems_with("src/tree/alarm.hpp", within("jouletree::tree", "class Alarm {};")), ""
        )

    def test_only_some_places_ask_for_operators_by_name(self):
        for text in (
            'bool pads(Node node) { return node.op == "Pad"; }\n',
            'bool pads(Node node) { return node.op.find("Pad") != kNowhere; }\n',
            'constexpr std::array kMoves = {"Shape", "Pad"};\n',
        ):
            self.assertIn("src/tree/pads.cpp:1: names the operator Pad; ask", problems_with("src/tree/pads.cpp", text))
        found = problems_with("src/engines/torch/parts.cpp", '\nconst char* lookup = "aten::gather";\n')
        self.assertIn("src/engines/torch/parts.cpp:2: names the operator aten::gather", found)

    def test_measuring_knows_no_engine(self):
        found = problems_with("src/measure/rounds.cpp", '#include "model/onnx/reader.hpp"\n')
        self.assertIn("src/measure/rounds.cpp:1: speaks of one engine", found)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
