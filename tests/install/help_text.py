"""Reads what --help says of the program and of each of its commands."""

import re
import subprocess


class Command:
    def __init__(self, words, text):
        self.words = words  # ["zoo", "build"]; empty for the program itself
        sections = re.split(r"^(\w[\w -]*):\n", text, flags=re.MULTILINE)
        by_name = dict(zip(sections[1::2], sections[2::2]))
        # An entry is indented by two spaces; a longer indent goes on with the entry above.
        self.flags = [
            name
            for names in re.findall(r"^  (-\S+)", by_name.get("Options", ""), re.MULTILINE)
            for name in names.split(",")
        ]
        # Commands stand in groups, each under its own title, and have a description.
        others = ("Options", "Positionals", "Example", "Examples")
        self.commands = [
            name
            for title, entries in by_name.items()
            if title not in others
            for name in re.findall(r"^  (\w\S*) {2,}\S", entries, re.MULTILINE)
        ]


def all_commands(program, words=()):
    """The program and all its commands, outermost first."""
    text = subprocess.run(
        [program, *words, "--help"], capture_output=True, text=True, check=True, timeout=60
    ).stdout
    command = Command(list(words), text)
    assert "--help" in command.flags, f"cannot read the help of {words}: {text}"
    found = [command]
    for name in command.commands:
        found += all_commands(program, [*words, name])
    return found
