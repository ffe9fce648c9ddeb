#!/usr/bin/python3
"""Makes the Debian package, unpacks it and tries what is in it.

    package_test.py CPACK BUILD SCRATCH
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

SKIPPED = 77


def run(*command, **options):
    result = subprocess.run(
        [str(word) for word in command],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
        **options,
    )
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{result.stdout}{result.stderr}")
    return result.stdout


def needed_packages(program):
    """Packages that hold the libraries which the program names, found without dpkg-shlibdeps."""
    found = set()
    named = re.findall(r"NEEDED +(\S+)", run("objdump", "-p", program))
    paths = dict(re.findall(r"(\S+) => (\S+)", run("ldd", program)))
    for library in named:
        if library not in paths:  # the loader itself, which comes with libc6
            continue
        file = Path(paths[library]).resolve()
        # dpkg knows a file by one of its two paths where /lib is a link to /usr/lib.
        owner = subprocess.run(
            ["dpkg", "-S", f"*/{file.name}"], capture_output=True, text=True, check=True
        ).stdout
        found |= {line.split(":")[0] for line in owner.splitlines() if "-cross" not in line}
    return found


def check_control(package, program, plugins):
    fields = dict(re.findall(r"^(\S+): (.*)$", run("dpkg-deb", "--field", package), re.MULTILINE))
    assert fields["Package"] == "jouletree", fields
    assert fields["Architecture"] == run("dpkg", "--print-architecture").strip(), fields
    for field in ("Version", "Maintainer", "Section", "Description", "Installed-Size"):
        assert fields.get(field), f"no {field} in {fields}"
    depends = {entry.split()[0] for entry in fields["Depends"].split(", ")}
    needed = needed_packages(program).union(*map(needed_packages, plugins.glob("*.so")))
    assert depends <= needed, f"{depends} are more than the program and its plug-ins need"
    assert {"libc6", "libsqlite3-0", "libstdc++6"} <= depends, depends
    # The plug-in opens it by itself.
    assert "libpq5" in fields["Recommends"], fields


def check_entries(package):
    for line in run("dpkg-deb", "--contents", package).splitlines():
        mode, owner, _, _, _, path = line.split(None, 5)
        program = path.startswith("./usr/bin/") or path.endswith("/jouletree-worker")
        executable = program and not path.endswith("/")
        wanted = "drwxr-xr-x" if path.endswith("/") else "-rwxr-xr-x" if executable else "-rw-r--r--"
        assert owner == "root/root" and mode == wanted, line
        assert path.startswith("./usr/"), line


def check_program(root, scratch):
    program = root / "usr/bin/jouletree"
    model = scratch / "model.onnx"
    version = run(program, "--version")
    assert re.match(r"jouletree \d+\.\d+\.\d+\n", version), version
    # Engines are looked for beside this program, not beside the one that was built.
    assert f"{root}/usr/lib/jouletree/libjouletree_torch.so" in version, version
    run(program, "zoo", "build", "bert-l2-h128", "--set", "layers=1", "-o", model)
    assert "4,187,648" in run(program, "inspect", model), "wrong parameters"


def check_torch(package, root):
    """The engine is a package of its own; with it in place the program finds LibTorch."""
    depends = run("dpkg-deb", "--field", package, "Depends")
    assert "jouletree (=" in depends and "libtorch" in depends, depends
    program = root / "usr/bin/jouletree"
    assert "LibTorch: not found" in run(program, "--version")
    run("dpkg-deb", "--extract", package, root)
    assert "LibTorch: found" in run(program, "--version")


def main(cpack, build, scratch):
    if shutil.which("dpkg-deb") is None or shutil.which("dpkg-shlibdeps") is None:
        print("dpkg-deb and dpkg-shlibdeps are needed (Debian: apt install dpkg-dev)")
        sys.exit(SKIPPED)
    scratch = Path(scratch)
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    # gzip is quicker than what releases use, and a development build is large.
    run(cpack, "--config", Path(build) / "CPackConfig.cmake", "-B", scratch,
        "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=gzip")  # fmt: skip
    packages = list(scratch.glob("jouletree_*.deb"))
    assert len(packages) == 1, packages
    root = scratch / "root"
    run("dpkg-deb", "--extract", packages[0], root)
    check_entries(packages[0])
    check_control(packages[0], root / "usr/bin/jouletree", root / "usr/lib/jouletree")
    check_program(root, scratch)
    engines = list(scratch.glob("jouletree-torch_*.deb"))
    assert len(engines) == 1, engines
    check_torch(engines[0], root)
    tests = Path(__file__).parent
    print(run(tests / "man_page_test.py", root / "usr/bin/jouletree", root / "usr/share/man"))
    print(run(tests / "completion_test.py", root / "usr/bin/jouletree",
              root / "usr/share/bash-completion/completions/jouletree"))  # fmt: skip
    for file in ("copyright", "changelog.gz", "changelog.Debian.gz"):
        assert (root / "usr/share/doc/jouletree" / file).is_file(), file
    shutil.rmtree(scratch)


if __name__ == "__main__":
    main(*sys.argv[1:])
