#!/usr/bin/python3
"""Every command and flag that a page of the documentation names exists.

    docs_commands_test.py JOULETREE PAGE…
"""

import pathlib
import re
import shlex
import subprocess
import sys

FLAG = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]*")
# `jouletree inspect --by op`, `inspect --by op`, and lines of blocks, with or without a prompt.
INLINE = re.compile(r"(?<!`)`([^`]+)`(?!`)")
BLOCK = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```", re.DOTALL | re.MULTILINE)
# What a shell takes for the end of a command.
END = re.compile(r"[|;&]|(?<!<)>|\s#\s")
# Flags of other programs, which stand alone in a page: those of bench/torch_attribution.py and
# examples/transformers_dataset.py.
OTHERS = {"--small", "--models", "--sizes"}


class Program:
    """What the program says about its commands and their flags."""

    def __init__(self, path):
        self.path = path
        self.flags = {}
        self._ask(())

    def _ask(self, words):
        text = subprocess.run(
            [self.path, *words, "--help"], check=True, capture_output=True, text=True
        ).stdout
        self.flags[words] = set()
        commands = []
        heading = ""
        for line in text.splitlines():
            if line.endswith(":"):
                heading = line
            found = re.match(r"  (\S+)", line)
            if not found:
                continue
            if found[1].startswith("-"):
                self.flags[words] |= set(FLAG.findall(re.split(r"  +|\s", line.strip())[0]))
            elif heading not in ("Positionals:", "Example:", "Examples:"):
                commands.append(found[1])
        if "SUBCOMMAND" in text:
            for command in commands:
                self._ask((*words, command))

    def command_of(self, words):
        """The longest command that the words begin with."""
        known = ()
        for word in words:
            if (*known, word) not in self.flags:
                break
            known = (*known, word)
        return known


def pieces_of(page):
    """Texts in which commands may stand, with whether they are lines of a shell."""
    text = page.read_text()
    for language, block in BLOCK.findall(text):
        if language in ("", "sh", "bash", "console", "shell", "text"):
            for line in block.replace("\\\n", " ").splitlines():
                yield line, True
    for inline in INLINE.findall(BLOCK.sub("", text).replace("\n", " ")):
        yield inline, False


def words_of(text):
    try:
        return shlex.split(text)
    except ValueError:  # An open quote: a sentence.
        return text.split()


def calls_in(text, is_line, program):
    """(command, its words) of the calls of the program in a text."""
    for part in END.split(text):
        words = words_of(part)
        for at, word in enumerate(words):
            if word == "jouletree" or word.endswith("/jouletree"):
                # A command that is run by another one has flags of its own.
                yield program.command_of(words[at + 1 :]), words[at + 1 :]
                break
        else:
            # Pages also name a command without the program.
            if not is_line and len(words) > 1 and (words[0],) in program.flags:
                yield program.command_of(words), words


def problems_in(page, program):
    everywhere = set().union(*program.flags.values())
    for text, is_line in pieces_of(page):
        for command, words in calls_in(text, is_line, program):
            name = " ".join(("jouletree", *command))
            if "--" in words:
                words = words[: words.index("--")]
            following = words[len(command) :]
            if not command and following and re.fullmatch(r"[a-z]+", following[0]):
                yield f"`{text.strip()}`: there is no command {following[0]!r}"
                continue
            known = program.flags[command] | ({"--version"} if not command else set())
            for word in following:
                if command == ("run",) and not word.startswith("-"):
                    break  # The measured command begins.
                flag = word.partition("=")[0]
                if FLAG.fullmatch(flag) and flag not in known:
                    yield f"`{text.strip()}`: {name} has no flag {flag}"
        if not is_line and text.startswith("--") and FLAG.match(text):
            flag = FLAG.match(text)[0]
            if flag not in everywhere | OTHERS:
                yield f"`{text.strip()}`: no command has a flag {flag}"


def wrong_rows_of(page, program):
    """A table of flags is about the command in the heading above it."""
    command = None
    for line in page.read_text().splitlines():
        heading = re.match(r"## (?:`jouletree ([a-z]+))?", line)
        if heading:
            command = heading[1]
        elif command and line.startswith("| `-"):
            known = set().union(
                *(flags for words, flags in program.flags.items() if words[:1] == (command,))
            )
            cell = line.replace("\\|", "").split("|")[1]
            for flag in FLAG.findall(" ".join(INLINE.findall(cell))):
                if flag not in known:
                    yield f"{line[:40]}…: jouletree {command} has no flag {flag}"


def main():
    program = Program(sys.argv[1])
    problems = []
    calls = 0
    for page in map(pathlib.Path, sys.argv[2:]):
        found = [*problems_in(page, program), *wrong_rows_of(page, program)]
        problems += [f"{page.name}: {problem}" for problem in found]
        calls += sum(
            bool(command)
            for text, is_line in pieces_of(page)
            for command, _ in calls_in(text, is_line, program)
        )
    if calls == 0:
        problems.append("no page calls the program")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
