#!/usr/bin/python3
"""A campaign of Python functions, for inference and for training, from the plan to the database.

    python_models_test.py PROGRAM PYTHON

PYTHON runs the models and must have PyTorch; without it the test is skipped.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import campaigns

BLOCKS = """\
from torch import nn

def block(width):
    return nn.Sequential(nn.Linear(width, width), nn.ReLU())
"""
NETS = """\
import os
import pathlib
import sys
import threading
import time

import torch
from torch import nn
from torch.nn import functional

from blocks import block

print("hello from the user's module")


class Net(nn.Module):
    def __init__(self, width, blocks):
        super().__init__()
        self.words = nn.Embedding(10, width)
        self.blocks = nn.Sequential(*(block(width) for _ in range(blocks)))
        self.drop = nn.Dropout(0.5)
        self.last = nn.Linear(width, 3)

    def forward(self, x, tokens, *, scale=None):
        print("hello from the model")
        assert scale is None and tokens.dtype == torch.int64
        return self.last(self.drop(self.blocks(x + self.words(tokens))))

    @classmethod
    def make(cls, config):
        assert sys.stdin.read() == "", "requests of the program were read"
        return cls(**config)


def deeper():
    return Net(16, 3)


def broken(width):
    raise ValueError(f"no width {width}")


def no_model():
    return [1, 2]


def leaves():
    sys.exit("had enough")


def falls():
    class Falls(nn.Module):
        def forward(self, x):
            return x @ x
    return Falls()


runs = []


def die_once_between_runs():
    mark = pathlib.Path(__file__).with_name("died")
    while not mark.exists():
        before = len(runs)
        time.sleep(0.1)
        if 20 < before == len(runs):
            mark.touch()
            os._exit(9)


def mortal():
    with pathlib.Path(__file__).with_name("made").open("a") as file:
        file.write("made\\n")
    threading.Thread(target=die_once_between_runs, daemon=True).start()
    model = nn.Sequential(nn.Linear(64, 64), nn.Tanh(), nn.Softmax(-1), nn.Linear(64, 64))
    model.register_forward_hook(lambda *_: runs.append(1))
    return model


def gone():
    os._exit(9)


def own_loss(outputs, target):
    return functional.mse_loss(outputs.softmax(-1), target)


def own_optimizer(parameters):
    return torch.optim.RMSprop(parameters)
"""
ROUGH = "precision: 50%\nbaseline: 0\nmodules: false\n"
QUICK = f"budget: 300ms\n{ROUGH}"
INPUTS = "inputs: {x: [batch, 16], tokens: {shape: [batch], type: int64}}\n"
BOTH = f"""\
name: both
models:
  - python: nets.small:Net.make
    arguments: {{config: {{width: 16, blocks: 1}}}}
  - nets.small:deeper
dims: {{batch: 4}}
modes: [inference, training]
training: {{loss: cross_entropy, target: [batch], momentum: 0.9}}
operators: {{include: [Gemm, MatMul, Mul]}}
target: none
budget: 5s
{INPUTS}{ROUGH}"""
# The default loss, and everything by functions of the user.
KINDS = f"""\
name: kinds
models:
  - nets.small:deeper
  - python: nets.small:deeper
    training: {{loss: 'nets.small:own_loss', target: [batch, 3], optimizer: 'nets.small:own_optimizer'}}
  - python: nets.small:deeper
    training: {{optimizer: none}}
dims: {{batch: 4}}
modes: training
target: 90%
budget: 3s
{INPUTS}{ROUGH}"""
FILES = f"""\
name: files
models: [scripted.pt]
inputs: {{x: 4x16}}
modes: [inference, training]
{QUICK}"""
SCRIPTED = """\
import sys, torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(16, 8), nn.BatchNorm1d(8), nn.ReLU())

    def forward(self, x):
        return self.layers(x)

if __name__ == "__main__":
    torch.jit.script(Net()).save(sys.argv[1])
"""
# Its process ends once while operators are measured; starting another takes seconds of the budget.
MORTAL = """\
name: mortal
models: [{python: 'nets.small:mortal', inputs: {input: 32x64}}]
budget: 15s
precision: 20%
baseline: 0
modules: false
"""


def line_of(text):
    """Where it stands in the user's file."""
    return next(at for at, line in enumerate(NETS.splitlines(), 1) if text in line)


FAILURES = {
    "{python: 'nets.small:broken', arguments: {width: 3}}": (
        f"nets.small:broken raised ValueError: no width 3 (nets/small.py:{line_of('no width')})"
    ),
    "nets.small:no_model": (
        "nets.small:no_model returned a list: it must return a torch.nn.Module"
    ),
    "nets.small:leaves": (
        f"nets.small:leaves raised SystemExit: had enough (nets/small.py:{line_of('had enough')})"
    ),
    "nets.small:gone": "Python ended while it made the model: ",
    "nets.small:deper": "nets.small has no 'deper'; did you mean deeper?",
    "nets.smal:deeper": "there is no module 'nets.smal'",
    "nets.torn:make": "importing nets.torn raised SyntaxError",
    "nets.poor:make": "importing nets.poor raised ModuleNotFoundError: No module named 'absent'"
    " (nets/poor.py:2)",
    "{python: 'nets.small:falls', inputs: {x: 2x3}}": (
        "the model raised RuntimeError when it was run: mat1 and mat2 shapes cannot be multiplied "
        f"(2x3 and 2x3) (nets/small.py:{line_of('x @ x')})"
    ),
    "{python: 'nets.small:deeper', inputs: {x: 4x16}}": "forward also needs tokens",
    "{python: 'nets.small:deeper', inputs: {x: 4x16, y: 4x16}}": (
        "the model has no input 'y'; its inputs are: x, tokens, scale"
    ),
}


def write_package(folder):
    nets = folder / "nets"
    nets.mkdir()
    (nets / "__init__.py").touch()
    (nets / "small.py").write_text(NETS)
    (nets / "torn.py").write_text("def make(:\n    pass\n")
    (nets / "poor.py").write_text("import os\nimport absent\n")
    (folder / "blocks.py").write_text(BLOCKS)


def run(program, plan, database, *more):
    return subprocess.run(
        campaigns.command(program, plan, database, *more),
        capture_output=True,
        text=True,
        check=False,
        # Users start the program from anywhere.
        cwd="/",
    )


def items_of(program, plan, database):
    return {one["item"]: one for one in campaigns.status(program, plan, database)["list"]}


def ask(program, *words):
    result = subprocess.run(
        [program, "campaign", *words], capture_output=True, text=True, check=True
    )
    return result.stdout


def check_both_modes(program, folder):
    plan = campaigns.write_plan(folder, BOTH)
    database = folder / "both.sqlite"
    said = ask(program, "check", str(plan), "--db", str(database))
    assert "both: 4 items, 0 of them done, 4 to measure" in said, said
    assert "2 items of inference, 2 of training" in said, said
    result = run(program, plan, database)
    assert result.returncode == 0, result.stderr
    assert "hello" not in result.stdout, result.stdout
    items = items_of(program, plan, database)
    assert len(items) == 4 and all(one["state"] == "done" for one in items.values()), items
    small = [one["result"] for name, one in items.items() if "Net.make" in name]
    deeper = [one["result"] for name, one in items.items() if "deeper" in name]
    # What inference measured is no use for training, where calls cost more.
    assert [one["reused"] for one in small] == [0, 0], small
    assert all(one["reused"] > 0 for one in deeper), deeper
    assert small[1]["kinds"] > small[0]["kinds"], small
    check_modes_in(database)
    report = ask(program, "report", str(plan), "--db", str(database))
    # A busy machine adds warnings below the table, which name items, too.
    items = report.split("\n\n")[0]
    assert items.count(", training loss=cross_entropy target=4 momentum=0.9") == 2, report
    again = run(program, plan, database)
    assert again.returncode == 0 and "took" not in again.stderr, again.stderr


def check_modes_in(database):
    sql = (
        "SELECT DISTINCT e.options, o.direction FROM measurements m "
        "JOIN operators o ON o.id = m.operator_id JOIN engines e ON e.id = m.engine_id"
    )
    seen = {
        (json.loads(options)["mode"], phase) for options, phase in campaigns.rows(database, sql)
    }
    trained = {phase for mode, phase in seen if mode == "train"}
    assert {"forward", "backward", "optimizer"} <= trained, seen
    assert {phase for mode, phase in seen if mode == "inference"} == {"forward"}, seen
    models = campaigns.rows(database, "SELECT name, mode, file_bytes FROM models ORDER BY id")
    assert sorted(mode for _, mode, _ in models) == ["inference"] * 2 + ["training"] * 2, models
    # What the model stores, not the file that says how to make it.
    assert all(size and size > 1500 for *_, size in models), models
    campaigns.check_once(database)
    campaigns.check_integrity(database)


def check_kinds(program, folder):
    plan = campaigns.write_plan(folder, KINDS)
    database = folder / "kinds.sqlite"
    said = ask(program, "check", str(plan), "--db", str(database))
    assert "3 to measure\nall of training\n" in said, said
    result = run(program, plan, database)
    assert result.returncode == 0, result.stderr
    items = items_of(program, plan, database)
    assert len(items) == 3, items
    results = [one["result"] for one in items.values()]
    assert all(one["target"] == 0.9 and one["attribution_time"] for one in results), results
    # SGD without momentum has one operator, RMSprop several.
    plain, own, none = (one["kinds"] for one in results)
    assert none < plain < own, results


def check_files(program, python, folder):
    source = folder / "scripted.py"
    source.write_text(SCRIPTED)
    subprocess.run([python, str(source), str(folder / "scripted.pt")], check=True)
    plan = campaigns.write_plan(folder, FILES)
    database = folder / "files.sqlite"
    result = run(program, plan, database)
    assert result.returncode == 0, result.stderr
    assert len(items_of(program, plan, database)) == 2
    sql = "SELECT mode, file_bytes FROM models ORDER BY mode"
    size = (folder / "scripted.pt").stat().st_size
    assert campaigns.rows(database, sql) == [("inference", size), ("training", size)]


def check_program(program, python, folder):
    """What torch.export wrote says its inputs itself, and check finds sizes that do not fit."""
    code = (
        "import sys, torch; net = torch.nn.Linear(16, 4); "
        "torch.export.save(torch.export.export(net, (torch.ones(8, 16),)), sys.argv[1])"
    )
    subprocess.run([python, "-c", code, str(folder / "my net.pt2")], check=True)
    database = folder / "program.sqlite"
    plan = campaigns.write_plan(folder, f"models: ['my net.pt2']\n{QUICK}")
    assert "1 item, 0 of them done" in ask(program, "check", str(plan), "--db", str(database))
    plan.write_text(plan.read_text() + "dims: {batch: 1}\ninputs: {input: [batch, 16]}\n")
    words = [program, "campaign", "check", str(plan), "--db", str(database)]
    checked = subprocess.run(words, capture_output=True, text=True, check=False)
    expected = "dimension 0 of input 'input' must be 8, not 1"
    assert checked.returncode == 1 and expected in " ".join(checked.stdout.split()), checked
    result = run(program, plan, database)
    (item,) = items_of(program, plan, database).values()
    assert result.returncode == 1 and expected in item["reason"], (result, item)


def check_lost_process(program, folder):
    plan = campaigns.write_plan(folder, MORTAL)
    database = folder / "mortal.sqlite"
    result = run(program, plan, database)
    assert result.returncode == 0, result.stderr
    assert (folder / "nets" / "died").exists(), "the process was not lost"
    # Every process makes the model again.
    assert len((folder / "nets" / "made").read_text().split()) == 2
    (item,) = items_of(program, plan, database).values()
    assert item["state"] == "done" and item["result"]["measured"] > 0, item


def check_failures(program, folder):
    rows = "".join(f"  - {row}\n" for row in FAILURES)
    plan = campaigns.write_plan(folder, f"name: bad\nmodels:\n{rows}dims: {{batch: 4}}\n{INPUTS}")
    database = folder / "bad.sqlite"
    words = [program, "campaign", "check", str(plan), "--db", str(database)]
    checked = subprocess.run(words, capture_output=True, text=True, check=False)
    assert checked.returncode == 1, (checked.returncode, checked.stderr)
    would_fail = " ".join(checked.stdout.split())
    assert "raised ValueError: no width 3" in would_fail, checked.stdout
    assert "the model has no input 'y'" in would_fail, checked.stdout
    assert "forward also needs tokens" in would_fail, checked.stdout
    result = run(program, plan, database)
    assert result.returncode == 1, (result.returncode, result.stderr)
    assert "Traceback" not in result.stderr, result.stderr
    reasons = [one["reason"] for one in items_of(program, plan, database).values()]
    assert len(reasons) == len(FAILURES), reasons
    for expected in FAILURES.values():
        assert any(reason and expected in reason for reason in reasons), (expected, reasons)


def main(program, python):
    program = str(pathlib.Path(program).resolve())
    found = subprocess.run([python, "-c", "import torch"], capture_output=True, check=False)
    if found.returncode != 0:
        print(f"skipped: {python} has no PyTorch")
        sys.exit(77)
    os.environ["JOULETREE_PYTHON"] = python
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        write_package(folder)
        check_both_modes(program, folder)
        check_kinds(program, folder)
        check_files(program, python, folder)
        check_program(program, python, folder)
        check_lost_process(program, folder)
        check_failures(program, folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
