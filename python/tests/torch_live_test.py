"""Live objects are left as they were."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch")

from torch import nn

from jouletree.torch import record, record_training
from jouletree.torch.fake import record_fake
from jouletree.torch.live import LiveState
from jouletree.torch.runs import TrainingStep


class Busy(nn.Module):
    """Changes whatever a forward call can change."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3)
        self.norm = nn.BatchNorm2d(4)
        self.drop = nn.Dropout(0.5)
        self.fc = nn.Linear(4 * 36, 5)
        self.register_buffer("seen", torch.zeros(1))
        self.cache: list[Any] = []
        self.calls = 0
        self.fails = False

    def forward(self, x: Any) -> Any:
        self.calls += 1
        self.cache.append(x)
        self.late = True
        self.seen += 1
        self.eval_once = self.drop.eval()
        self.drop.train()
        random.random()
        with torch.no_grad():
            self.fc.bias.mul_(2)
        x.mul_(1.5)
        y = self.drop(self.norm(self.conv(x)))
        if self.fails:
            torch.set_num_threads(1 + torch.get_num_threads() % 2)
            raise RuntimeError("in the middle")
        return self.fc(y.flatten(1))


def fingerprint(model: nn.Module, optimizer: Any, x: Any) -> dict[str, Any]:
    """Everything that a run may change, copied."""
    return {
        "state": {name: tensor.clone() for name, tensor in model.state_dict().items()},
        "objects": [id(one) for one in (*model.parameters(), *model.buffers())],
        "memory": [one.data_ptr() for one in (*model.parameters(), *model.buffers())],
        "grads": [None if p.grad is None else p.grad.clone() for p in model.parameters()],
        "grad objects": [id(p.grad) for p in model.parameters()],
        "trainable": [p.requires_grad for p in model.parameters()],
        "flags": [module.training for module in model.modules()],
        "hooks": [
            {key: list(value) for key, value in vars(module).items() if "hooks" in key and value}
            for module in model.modules()
        ],
        "fields": [sorted(vars(module)) for module in model.modules()],
        "cache": list(getattr(model, "cache", [])),
        "calls": getattr(model, "calls", None),
        "optimizer": copy.deepcopy(optimizer.state_dict()),
        "groups": [id(group) for group in optimizer.param_groups],
        "input": x.clone(),
        "torch random": torch.get_rng_state(),
        "python random": random.getstate(),
        "threads": torch.get_num_threads(),
        "grad mode": torch.is_grad_enabled(),
        "call": nn.Module.__call__,
    }


def assert_same(before: Any, after: Any, where: str = "") -> None:
    if isinstance(before, torch.Tensor):
        assert torch.equal(before, after), where
    elif isinstance(before, dict):
        assert before.keys() == after.keys(), where
        for key in before:
            assert_same(before[key], after[key], f"{where}.{key}")
    elif isinstance(before, (list, tuple)):
        assert len(before) == len(after), where
        for position, (one, other) in enumerate(zip(before, after, strict=True)):
            assert_same(one, other, f"{where}[{position}]")
    else:
        assert before == after, where


def trained() -> tuple[Busy, Any, Any]:
    """A model in the middle of its training: gradients, optimiser state, hook, frozen weight."""
    torch.manual_seed(3)
    model = Busy()
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
    x = torch.randn(2, 3, 8, 8)
    for _ in range(2):
        model(x.clone()).sum().backward()
        optimizer.step()
    model.conv.bias.requires_grad_(False)
    model.fc.register_forward_hook(lambda module, args, output: None)
    model.norm.eval()
    model.cache.clear()
    return model, optimizer, x


def run_inference(model: Any, optimizer: Any, x: Any) -> None:
    record(model, x)


def run_training(model: Any, optimizer: Any, x: Any) -> None:
    record_training(model, x, loss=lambda y: y.pow(2).sum(), optimizer=optimizer)


def run_fake_inference(model: Any, optimizer: Any, x: Any) -> None:
    record_fake(model, x)


def run_fake_training(model: Any, optimizer: Any, x: Any) -> None:
    record_fake(model, x, step=TrainingStep(lambda y: y.pow(2).sum(), None, optimizer))


RUNS = [run_inference, run_training, run_fake_inference, run_fake_training]


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("train", [True, False])
def test_a_recorded_run_leaves_everything_as_it_was(run: Any, train: bool) -> None:
    model, optimizer, x = trained()
    model.train(train)
    before = fingerprint(model, optimizer, x)
    run(model, optimizer, x)
    assert_same(before, fingerprint(model, optimizer, x))


@pytest.mark.parametrize("run", RUNS)
def test_a_model_that_raises_in_the_middle_is_left_as_it_was(run: Any) -> None:
    model, optimizer, x = trained()
    model.fails = True
    before = fingerprint(model, optimizer, x)
    with pytest.raises(RuntimeError, match="in the middle"):
        run(model, optimizer, x)
    assert_same(before, fingerprint(model, optimizer, x))


@pytest.mark.parametrize("kind", ["SGD", "Adam", "Adagrad", "RMSprop", "Adadelta", "NAdam"])
def test_a_new_optimizer_has_no_state_afterwards(kind: str) -> None:
    model = nn.Linear(4, 2)
    optimizer = getattr(torch.optim, kind)(model.parameters(), lr=0.1)
    before = copy.deepcopy(optimizer.state_dict())
    weights = [one.clone() for one in model.parameters()]
    record_training(model, torch.randn(3, 4), loss=lambda y: y.sum(), optimizer=optimizer)
    assert_same(before, optimizer.state_dict())
    assert_same(weights, list(model.parameters()))
    assert all(parameter.grad is None for parameter in model.parameters())


def test_a_saved_state_also_covers_runs_that_nobody_watches() -> None:
    model, optimizer, x = trained()
    before = fingerprint(model, optimizer, x)
    state = LiveState(model, optimizer, x)
    state.save()
    for _ in range(3):
        model(x).sum().backward()
        optimizer.step()
        optimizer.zero_grad()
    model.fc.weight.data = torch.zeros(5, 4 * 36)
    state.restore()
    assert_same(before, fingerprint(model, optimizer, x))


def test_inference_copies_no_parameters() -> None:
    model = nn.Linear(8, 8)
    state = LiveState(model)
    state.save_buffers()
    assert all(copied.held is None for copied in state._memory.values())
