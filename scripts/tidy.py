#!/usr/bin/env python3
"""clang-tidy over what a build folder compiles, or over the given files; any finding fails.

    tidy.py BUILD [FILE...]

Files are checked side by side. One that passed is not checked again until something changes: it, a
header that it includes, how it is compiled, or the list of checks. BUILD/tidy-passed remembers that.
"""

import concurrent.futures
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

TIDY = "clang-tidy-14"
# Beside what .clang-tidy says. The files of a room are included in one.
OFF = ["bugprone-suspicious-include"]
OFF_IN_TESTS = [
    # Following every path through Google Test's macros takes most of the time and finds nothing; the
    # sanitizers run the tests.
    "clang-analyzer-*",
    # Fixtures offer their members to tests by plain names, and nobody deletes them.
    "cppcoreguidelines-virtual-class-destructor",
    "modernize-use-equals-delete",
    "readability-identifier-naming",
    # Tests say what they mean; their numbers are small and their speed matters to nobody.
    "bugprone-implicit-widening-of-multiplication-result",
    "performance-inefficient-*",
]
NOISE = re.compile(r"^\d+ (warnings?|errors?)( and \d+ errors?)? generated|^Suppressed|^Use -header-filter")


def compiled_files(build):
    """Commands by file; precompiled headers and what is not ours are left out."""
    entries = json.loads((build / "compile_commands.json").read_text())
    return {
        entry["file"]: entry
        for entry in entries
        if "/.deps/" not in entry["file"] and "/cmake_pch." not in entry["file"]
    }


def checks_of(file):
    is_test = file.endswith("_test.cpp") or "/tests/" in file
    return ",".join(f"-{check}" for check in OFF + (OFF_IN_TESTS if is_test else []))


def preprocessed(entry):
    """All that the compiler would see, with the comments, which may silence a check."""
    words = shlex.split(entry["command"])
    if Path(words[0]).name == "ccache":
        del words[0]
    kept, skip = [], False
    for word in words:
        if skip:
            skip = False
        elif word in ("-o", "-MT", "-MF"):
            skip = True
        elif word not in ("-c", "-MD"):
            kept.append(word)
    run = subprocess.run([*kept, "-E", "-C", "-P"], cwd=entry["directory"], capture_output=True)
    return run.stdout if run.returncode == 0 else None


def settings():
    """What decides on findings beside the code."""
    version = subprocess.run([TIDY, "--version"], capture_output=True, check=True).stdout
    lists = sorted(Path().glob(".clang-tidy")) + sorted(Path().glob("*/.clang-tidy"))
    return version + b"".join(path.read_bytes() for path in lists)


def key_of(entry, common):
    code = preprocessed(entry)
    if code is None:
        return None
    text = common + entry["command"].encode() + checks_of(entry["file"]).encode() + code
    return hashlib.sha256(text).hexdigest()


def findings_of(build, entry, common):
    """Empty where all is well."""
    key = key_of(entry, common)
    passed = build / "tidy-passed" / key if key else None
    if passed and passed.exists():
        return ""
    run = subprocess.run(
        [TIDY, "--quiet", "-p", build, f"--checks={checks_of(entry['file'])}",
         "--extra-arg=-Wno-unknown-warning-option", entry["file"]],
        capture_output=True, text=True,
    )  # fmt: skip
    if run.returncode == 0:
        if passed:
            passed.touch()
        return ""
    lines = [line for line in (run.stdout + run.stderr).splitlines() if not NOISE.match(line)]
    return "\n".join(lines) or f"{entry['file']}: {TIDY} ended with {run.returncode}"


def main():
    build = Path(sys.argv[1])
    compiled = compiled_files(build)
    wanted = [os.path.abspath(file) for file in sys.argv[2:]] or sorted(compiled)
    unknown = [file for file in wanted if file not in compiled]
    if unknown:
        sys.exit(f"tidy: not compiled in {build}: {', '.join(unknown)}")
    (build / "tidy-passed").mkdir(exist_ok=True)
    common = settings()
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        checks = [pool.submit(findings_of, build, compiled[file], common) for file in wanted]
        for done, check in enumerate(concurrent.futures.as_completed(checks), 1):
            if findings := check.result():
                failed += 1
                print(findings, flush=True)
            if done % 20 == 0 or done == len(checks):
                print(f"tidy: {done} of {len(checks)} files", file=sys.stderr, flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
