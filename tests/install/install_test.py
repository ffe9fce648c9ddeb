#!/usr/bin/python3
"""Installs the build, moves the installation, and builds an outside project against it.

    install_test.py CMAKE BUILD SOURCE SCRATCH [CMAKE_ARGUMENT...]
"""

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

OUTSIDE = Path(__file__).parent / "outside"
EXAMPLE = Path(__file__).parents[2] / "examples/library"


def run(*command, check=True, env=None):
    result = subprocess.run(
        [str(word) for word in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=600,
        env=env,
    )
    if check and result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{result.stdout}")
    return result


def check_files(prefix, source, build):
    public = {path.name for path in (source / "include/jouletree").iterdir()}
    installed = {path.name for path in (prefix / "include/jouletree").iterdir()}
    assert public == installed, f"public headers: {public ^ installed}"
    for file in (
        "lib/jouletree/jouletree-worker",
        "lib/jouletree/libjouletree_httplib.so",
        "lib/jouletree/libjouletree_onnxruntime.so",
        "lib/jouletree/libjouletree_postgresql.so",
        "lib/jouletree/libjouletree_sqlite.so",
        "lib/jouletree/python/jouletree/torch/worker.py",
        "share/man/man1/jouletree.1.gz",
        "share/bash-completion/completions/jouletree",
        "share/doc/jouletree/LICENSE",
        "share/doc/jouletree/README.md",
        "share/doc/jouletree/docs/cli.md",
    ):
        assert (prefix / file).is_file(), f"not installed: {file}"
    # The program and the library of a development build hold paths for the debugger.
    for file in prefix.rglob("*"):
        if file.suffix not in (".cmake", ".hpp", ".gz", "") or not file.is_file():
            continue
        if file.parent.name == "bin" or file.name == "jouletree-worker":
            continue
        text = file.read_bytes()
        for folder in (source, build):
            assert str(folder).encode() not in text, f"{file} names {folder}"


def imported_by(module):
    """Modules of ours that a file imports whenever it is imported itself."""
    for statement in ast.parse(module.read_text()).body:
        if not isinstance(statement, ast.ImportFrom) or not statement.module:
            continue
        if statement.module == "jouletree":
            yield from (f"jouletree.{alias.name}" for alias in statement.names)
        elif statement.module.startswith("jouletree."):
            yield statement.module


def check_python_worker_is_whole(prefix):
    """Everything that it imports is installed too."""
    folder = prefix / "lib/jouletree/python"
    runner = "jouletree.torch.file_runner"
    assert runner in (folder / "jouletree/torch/worker.py").read_text()
    seen, to_see = set(), [runner, "jouletree.torch.oldest", "jouletree.torch.reasons"]
    while to_see:
        name = to_see.pop()
        if name in seen:
            continue
        seen.add(name)
        module = folder.joinpath(*name.split(".")).with_suffix(".py")
        assert module.is_file(), f"not installed: {module.relative_to(prefix)}"
        to_see += imported_by(module)
    assert "jouletree.errors" in seen, seen


def check_version_is_asked_for(cmake, prefix, scratch, arguments):
    result = run(
        cmake, "-S", OUTSIDE, "-B", scratch / "other-version", f"-DCMAKE_PREFIX_PATH={prefix}",
        "-DWANTED_VERSION=0.2", *arguments, check=False,
    )  # fmt: skip
    assert result.returncode != 0, "version 0.1 passed for 0.2"
    assert "version: 0.1" in result.stdout, result.stdout


def check_counts(prefix, build, scratch):
    program = prefix / "bin/jouletree"
    model = scratch / "model.onnx"
    run(program, "zoo", "build", "bert-l2-h128", "--set", "layers=1", "-o", model)
    expected = json.loads(run(program, "inspect", model, "--format", "json").stdout)["metrics"]
    lines = run(build / "counts", model).stdout.splitlines()
    counted = {name: float(value) for name, value in (line.split() for line in lines)}
    assert counted.keys() == expected.keys(), f"{counted.keys()} and {expected.keys()}"
    for name, value in counted.items():
        wanted = expected[name]["value"]
        assert abs(value - wanted) <= 1e-6 * abs(wanted), f"{name}: {value}, not {wanted}"
    embeddings = (30522 + 512 + 2 + 2) * 128
    attention, feed_forward, norms = 4 * 129 * 128, 129 * 512 + 513 * 128, 4 * 128
    pooler = 129 * 128
    published = embeddings + attention + feed_forward + norms + pooler
    assert counted["params"] == published, counted["params"]


def check_example(cmake, prefix, build, scratch, arguments):
    """The programs of examples/library against the installation; the engine is the build's."""
    example = scratch / "example"
    run(cmake, "-S", EXAMPLE, "-B", example, f"-DCMAKE_PREFIX_PATH={prefix}", *arguments)
    run(cmake, "--build", example)
    env = os.environ | {"JOULETREE_ENGINE_DIR": str(build / "lib/jouletree")}
    folder = scratch / "profile"
    told = run(example / "costly_operators", scratch / "model.onnx", folder, env=env).stdout
    assert " in ONNX Runtime " in told.splitlines()[0] and "MatMul" in told, told
    shown = json.loads(run(prefix / "bin/jouletree", "show", folder, "--format", "json").stdout)
    assert shown["metrics"]["time_s"]["value"] > 0, shown["metrics"]
    measured = run(example / "joules_of", "sh", "-c", "echo from the command; exit 7", check=False)
    assert measured.returncode == 7, measured
    assert "from the command" in measured.stdout and " J (" in measured.stdout, measured.stdout


def main(cmake, build, source, scratch, *arguments):
    build, source, scratch = Path(build), Path(source), Path(scratch)
    shutil.rmtree(scratch, ignore_errors=True)
    run(cmake, "--install", build, "--prefix", scratch / "first")
    # An installation that knows where it was put is not good enough.
    prefix = scratch / "moved"
    (scratch / "first").rename(prefix)
    check_files(prefix, source, build)
    check_python_worker_is_whole(prefix)
    outside = scratch / "outside"
    run(cmake, "-S", OUTSIDE, "-B", outside, f"-DCMAKE_PREFIX_PATH={prefix}", *arguments)
    run(cmake, "--build", outside)
    check_counts(prefix, outside, scratch)
    run(outside / "uses_whole")
    check_example(cmake, prefix, build, scratch, arguments)
    check_version_is_asked_for(cmake, prefix, scratch, arguments)
    shutil.rmtree(scratch)
    print("an outside project finds, builds and runs")


if __name__ == "__main__":
    main(*sys.argv[1:])
