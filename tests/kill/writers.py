"""Commands that write, for tests that end them in the middle: what stood at their target before, what
may stand there afterwards, and the next command on the same target."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import onnx
from onnx import TensorProto, helper

BAD_INPUT = 2
PATIENCE = 120

# Those that end in the middle may leave files of such names; the next command takes them away.
HIDDEN = ".jouletree-"

# Of a profile, the files that name its model or an operator of it.
NAMING_FILES = ("tree.jsonl", "layers.csv", "trials.jsonl", "trace.json", "profile.json")

QUICK = ["--budget", "10ms", "--baseline", "0", "--no-modules"]


def environment():
    # Whoever is traced cannot look for leaks.
    quiet = ":".join(filter(None, [os.environ.get("ASAN_OPTIONS"), "detect_leaks=0"]))
    return {**os.environ, "ASAN_OPTIONS": quiet}


def run(command):
    return subprocess.run(
        [str(word) for word in command],
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        timeout=PATIENCE,
        env=environment(),
    )


def must_run(command):
    result = run(command)
    assert result.returncode == 0, f"{result.args}: {result.returncode}, {result.stderr}"
    return result


def snapshot(folder):
    """The content of all files, without those that somebody was killed over."""
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file())
    names = {str(path.relative_to(folder)): path for path in paths}
    return {name: path.read_bytes() for name, path in names.items() if HIDDEN not in name}


def hidden_in(folder):
    return sorted(path.name for path in folder.rglob(f"{HIDDEN}*"))


class Writer:
    """One command, and a folder that holds everything it writes.

    `before` is what stands in the folder when it begins.
    """

    # What it shows is worth more than its file: minutes of measuring.
    shows_result = False

    def __init__(self, name, program, root):
        self.name = name
        self.program = str(program)
        self.root = root
        self.folder = root / "target"
        self.kept = root / "before"
        self.prepare()
        if self.folder.exists():
            shutil.copytree(self.folder, self.kept)
        self.before = snapshot(self.folder) if self.kept.exists() else {}

    def prepare(self):
        """Fills the folder."""
        self.folder.mkdir(parents=True)

    def restore(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        if self.kept.exists():
            shutil.copytree(self.kept, self.folder)

    def command(self):
        raise NotImplementedError

    def state(self):
        """"old" or "new"; fails where it is neither as a whole."""
        raise NotImplementedError

    def next_works(self, state):
        """The next command on the same target, after this one was ended in that state."""
        raise NotImplementedError


class FileWriter(Writer):
    """The same command always writes the same bytes."""

    def __init__(self, name, program, root, writes, older=None):
        self.writes, self.older = writes, older
        super().__init__(name, program, root)
        must_run(self.command())
        self.after = snapshot(self.folder)
        assert self.after != self.before, "it changes nothing"

    def prepare(self):
        super().prepare()
        (self.folder / "mine.txt").write_text("mine")
        if self.older:
            must_run([self.program, *self.older, "-o", self.folder / self.file()])

    def file(self):
        return "result"

    def command(self):
        return [self.program, *self.writes, "-o", self.folder / self.file()]

    def state(self):
        found = snapshot(self.folder)
        if found == self.after:
            return "new"
        # Data of a model that got no name.
        loose = found.keys() - self.before.keys()
        assert loose <= {f"{self.file()}.data", f"{self.file()}.data2"}, f"left behind: {loose}"
        for name, content in self.before.items():
            assert found.get(name) == content, f"{name} is neither the old nor the new one"
        return "old"

    def next_works(self, state):
        del state
        must_run(self.command())
        assert snapshot(self.folder) == self.after, "the next command writes something else"


class ModelWriter(FileWriter):
    def file(self):
        return "model.onnx"

    def state(self):
        found = snapshot(self.folder)
        model = found.get(self.file())
        if model is not None:
            must_run([self.program, "inspect", self.folder / self.file(), "--depth", "0"])
        if model == self.after[self.file()]:
            # The data of the older one may still be there.
            for name, content in self.after.items():
                assert found.get(name) == content, f"{name} is not that of the new model"
            return "new"
        return super().state()

    def next_works(self, state):
        del state
        must_run([*self.command(), "--replace"])
        found = snapshot(self.folder)
        assert len(found) == len(self.after), f"left behind: {sorted(found)}"
        must_run([self.program, "inspect", self.folder / self.file(), "--depth", "0"])


def save_model(path, word):
    """A model that has its word in the name of its only operator, and another operator for each word."""
    graph = helper.make_graph(
        [helper.make_node("Relu" if word == "first" else "Tanh", ["x"], ["y"], name=f"/{word}/op")],
        word,
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 64])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 64])],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
    model.ir_version = 8
    onnx.save(model, str(path))


class ProfileWriter(Writer):
    """Profiles a second model where, perhaps, the profile of a first one stands."""

    shows_result = True

    def __init__(self, name, program, root, replaces):
        self.replaces = replaces
        root.mkdir()
        for word in ("first", "second"):
            save_model(root / f"{word}.onnx", word)
        super().__init__(name, program, root)

    def profile(self, word, *flags):
        return [self.program, "profile", self.root / f"{word}.onnx", *QUICK, *flags, "-o", self.folder]

    def prepare(self):
        super().prepare()
        (self.folder / "mine.txt").write_text("mine")
        if self.replaces:
            must_run(self.profile("first"))

    def command(self):
        return self.profile("second", *(["--replace"] if self.replaces else []))

    def state(self):
        assert (self.folder / "mine.txt").read_text() == "mine"
        shown = run([self.program, "show", self.folder, "--format", "json"])
        if shown.returncode == BAD_INPUT and not self.replaces:
            assert "holds no" in shown.stderr, shown.stderr
            assert snapshot(self.folder) == self.before, "half a profile"
            return "old"
        assert shown.returncode == 0, shown.stderr
        words = {word for word in ("first", "second") if f"/{word}/op" in shown.stdout}
        for name in NAMING_FILES:
            text = (self.folder / name).read_text()
            words |= {word for word in ("first", "second") if f"/{word}/op" in text}
        assert len(words) == 1, f"files of two profiles: {words}"
        if words == {"first"}:
            assert snapshot(self.folder) == self.before, "files of the older profile changed"
            return "old"
        return "new"

    def next_works(self, state):
        if not self.replaces and state == "new":
            refused = run(self.command())
            assert refused.returncode == BAD_INPUT, refused.stderr
            assert "holds a profile already" in refused.stderr, refused.stderr
        must_run(self.profile("second", "--replace"))
        assert self.state() == "new"


class RunWriter(Writer):
    """Records a command, perhaps in a folder that holds an earlier run."""

    shows_result = True

    def __init__(self, name, program, root, append, earlier):
        self.append, self.earlier = append, earlier
        super().__init__(name, program, root)
        self.first = self.runs()[0] if earlier else None

    def prepare(self):
        super().prepare()
        (self.folder / "mine.txt").write_text("mine")
        if self.earlier:
            must_run(self.record())

    def record(self, *flags):
        recorded = ["sleep", "0.1"]
        return [self.program, "run", "--interval", "40ms", *flags, "-o", self.folder, "--", *recorded]

    def command(self):
        return self.record(*(["--append"] if self.append else []))

    def runs(self):
        shown = must_run([self.program, "show", self.folder, "--format", "json"])
        return json.loads(shown.stdout)["runs"]

    def state(self):
        assert (self.folder / "mine.txt").read_text() == "mine"
        lines = self.folder / "power_metrics.json"
        text = lines.read_text() if lines.exists() else ""
        if not text:
            assert not self.earlier, "the earlier run is lost"
            return "old"
        assert text.endswith("\n"), "a line is cut off"
        numbers = {entry.get("run") for entry in map(json.loads, text.splitlines()) if isinstance(entry, dict)}
        runs = self.runs() if numbers else []
        if self.earlier:
            assert runs[0] == self.first, "the earlier run changed"
        assert {run["run"] for run in runs} >= numbers, "a run with lines is not shown"
        return "new" if len(runs) > bool(self.earlier) and runs[-1]["complete"] else "old"

    def next_works(self, state):
        del state
        lines = self.folder / "power_metrics.json"
        count = len(self.runs()) if lines.exists() and lines.read_text() else 0
        must_run(self.record("--append"))
        runs = self.runs()
        assert [run["run"] for run in runs] == sorted({run["run"] for run in runs}), "numbers twice"
        assert len(runs) == count + 1, f"{count} runs became {len(runs)}"
        assert runs[-1]["complete"], "the next run is not complete"
        if self.earlier:
            assert runs[0] == self.first, "the earlier run changed"


def writers(program, tree_file, root):
    """Makers of all of them, by name; each gets a folder of its own below `root`."""
    predictor = root / "predictor.json"
    must_run([program, "train", tree_file, "-o", predictor])
    train = ["train", tree_file]
    predict = ["predict", predictor, tree_file]
    small = ["zoo", "build", "bert-l2-h128", "--set", "layers=1", "--set", "vocabulary=100"]
    # More than 64 MiB of weights get a file of their own.
    large = ["zoo", "build", "bert-l2-h128", "--set", "layers=1", "--set", "vocabulary=140000"]

    def model(writes):
        return {"writer": ModelWriter, "writes": writes}

    def replaced_model(writes):
        older = [*writes, "--seed", "2"]
        return {"writer": ModelWriter, "writes": [*writes, "--replace"], "older": older}

    settings = {
        "zoo build, new": model(small),
        "zoo build, replaced": replaced_model(small),
        "zoo build with data, new": model(large),
        "zoo build with data, replaced": replaced_model(large),
        "train, new": {"writer": FileWriter, "writes": train},
        "train, replaced": {"writer": FileWriter, "writes": train, "older": [*train, "--level", "0.8"]},
        "predict, new": {"writer": FileWriter, "writes": predict},
        "predict, replaced": {"writer": FileWriter, "writes": predict, "older": train},
        "profile, new": {"writer": ProfileWriter, "replaces": False},
        "profile, replaced": {"writer": ProfileWriter, "replaces": True},
        "run, new": {"writer": RunWriter, "append": False, "earlier": False},
        "run --append, new": {"writer": RunWriter, "append": True, "earlier": False},
        "run --append, added": {"writer": RunWriter, "append": True, "earlier": True},
    }

    def maker(name, writer, **settings):
        place = root / "".join(letter if letter.isalnum() else "-" for letter in name)
        return lambda: writer(name, program, place, **settings)

    return {name: maker(name, **kind) for name, kind in settings.items()}
