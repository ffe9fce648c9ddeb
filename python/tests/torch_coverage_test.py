"""Operators that models are made of have a cost rule, forward and backward."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch")

import torch.nn.functional as F  # noqa: N812
from torch import nn

import jouletree as jt
from jouletree.torch import inspect_training


class Sum(nn.Module):
    """Adds up the means of what several functions make of an input."""

    def __init__(self, *functions: Callable[[Any], Any]) -> None:
        super().__init__()
        self.functions = functions

    def forward(self, x: Any) -> Any:
        return sum(function(x).mean() for function in self.functions)


INDICES = torch.zeros(3, 8, dtype=torch.long)
FAMILIES: dict[str, tuple[list[Callable[[Any], Any]], tuple[int, ...]]] = {
    "activations": (
        [
            F.relu, F.relu6, F.gelu, F.silu, F.mish, F.elu, F.selu, F.celu, F.hardswish,
            F.hardsigmoid, F.hardtanh, F.leaky_relu, F.softplus, F.logsigmoid, F.tanhshrink,
            F.softsign, F.softshrink, F.hardshrink, F.rrelu, torch.sigmoid, torch.tanh, F.dropout,
            lambda x: F.gelu(x, approximate="tanh"), lambda x: F.threshold(x, 0.1, 0.0),
            lambda x: F.glu(x), lambda x: F.softmax(x, -1), lambda x: F.log_softmax(x, -1),
            lambda x: F.prelu(x, torch.tensor([0.1])), lambda x: F.alpha_dropout(x, training=True),
        ],
        (3, 8),
    ),
    "numbers": (
        [
            torch.exp, torch.erf, torch.rsqrt, F.normalize, lambda x: torch.logsumexp(x, -1),
            lambda x: x.cumsum(0), lambda x: x.cumprod(0),
            lambda x: x.logcumsumexp(0), lambda x: x.sort().values, lambda x: x.topk(3).values,
            lambda x: x.var(-1), lambda x: x.std(), lambda x: x.norm(), lambda x: x.max(),
            lambda x: x.prod(), lambda x: x.median(), lambda x: x.kthvalue(2).values,
            lambda x: x.clamp(0, 1), lambda x: x.atan2(x + 1), lambda x: torch.lerp(x, x + 1, 0.5),
            lambda x: x.nan_to_num(), lambda x: torch.complex(x, x).abs(),
            lambda x: torch.einsum("ij,kj->ik", x, x), lambda x: torch.cdist(x, x),
            lambda x: torch.fft.irfft(torch.fft.rfft(x) * 2j), lambda x: torch.trapezoid(x),
        ],
        (3, 8),
    ),
    "moves": (
        [
            lambda x: x.roll(1), lambda x: x.flip(0), lambda x: x.tril(), lambda x: x.diagonal(),
            lambda x: torch.where(x > 0, x, -x), lambda x: x.masked_fill(x > 0, 0),
            lambda x: x.gather(1, INDICES), lambda x: x.scatter_add(1, INDICES, x),
            lambda x: x.index_select(0, INDICES[:, 0]), lambda x: x[INDICES[:, 0]],
            lambda x: x.unfold(1, 2, 2), lambda x: x.repeat(1, 2), lambda x: torch.stack([x, x]),
            lambda x: x.index_add(0, INDICES[:, 0], x), lambda x: x.expand(2, 3, 8),
        ],
        (3, 8),
    ),
    "images": (
        [
            lambda x: F.max_pool2d(x, 2), lambda x: F.avg_pool2d(x, 2),
            lambda x: F.adaptive_avg_pool2d(x, 3), lambda x: F.adaptive_max_pool2d(x, 3),
            lambda x: F.lp_pool2d(x, 2, 2), lambda x: F.interpolate(x, scale_factor=2),
            lambda x: F.interpolate(x, scale_factor=2, mode="bilinear"),
            lambda x: F.interpolate(x, scale_factor=2, mode="bicubic"),
            lambda x: F.interpolate(x, scale_factor=0.5, mode="bilinear", antialias=True),
            lambda x: F.grid_sample(x, torch.zeros(2, 4, 4, 2), align_corners=False),
            lambda x: F.pixel_shuffle(x, 2), lambda x: F.pixel_unshuffle(x, 2),
            lambda x: F.fold(F.unfold(x, 2), (8, 8), 2), lambda x: F.channel_shuffle(x, 2),
            lambda x: F.pad(x, (1, 1, 1, 1), mode="circular"),
            lambda x: F.pad(x, (1, 1, 1, 1), mode="reflect"),
            lambda x: F.pad(x, (1, 1, 1, 1), mode="replicate"),
            lambda x: F.local_response_norm(x, 2), lambda x: F.instance_norm(x),
            lambda x: F.group_norm(x, 2), lambda x: F.batch_norm(x, None, None, training=True),
            lambda x: F.layer_norm(x, (8,)), lambda x: F.rms_norm(x, (8,)),
            lambda x: F.conv_transpose2d(x, torch.ones(4, 2, 2, 2)),
            lambda x: F.max_unpool2d(*F.max_pool2d(x, 2, return_indices=True), 2),
        ],
        (2, 4, 8, 8),
    ),
    "losses": (
        [
            lambda x: F.cross_entropy(x, INDICES[:, 0]), lambda x: F.mse_loss(x, x * 0),
            lambda x: F.l1_loss(x, x * 0), lambda x: F.huber_loss(x, x * 0),
            lambda x: F.smooth_l1_loss(x, x * 0),
            lambda x: F.binary_cross_entropy(x.sigmoid(), torch.zeros(3, 8)),
            lambda x: F.binary_cross_entropy_with_logits(x, x * 0),
            lambda x: F.kl_div(x.log_softmax(1), torch.ones(3, 8)),
            lambda x: F.hinge_embedding_loss(x, torch.ones(3, 8)),
            lambda x: F.multi_margin_loss(x, INDICES[:, 0]),
            lambda x: F.soft_margin_loss(x, torch.ones(3, 8)),
            lambda x: F.cosine_embedding_loss(x, x * 2, torch.ones(3)),
            lambda x: F.triplet_margin_loss(x, x + 1, x + 2),
        ],
        (3, 8),
    ),
}  # fmt: skip


@pytest.mark.parametrize("family", FAMILIES)
def test_every_operator_has_a_rule(family: str) -> None:
    functions, shape = FAMILIES[family]
    x = torch.rand(shape).add(0.1).requires_grad_()
    result = inspect_training(Sum(*functions), x)
    assert [one.type for one in result.types if not one.has_rule] == []
    assert result.metrics["flops"].value > len(functions)


OPTIMIZERS = ["SGD", "Adam", "AdamW", "Adagrad", "RMSprop", "Adadelta", "Adamax", "NAdam", "RAdam",
              "ASGD", "Rprop", "LBFGS"]  # fmt: skip


def forms_of(kind: str) -> list[dict[str, bool]]:
    """How an optimiser can go about its parameters: one by one, list by list, all at once."""
    known = getattr(torch.optim, kind).__init__.__code__.co_varnames
    return [{}, *({form: True} for form in ("foreach", "fused") if form in known)]


FORMS = [(kind, settings) for kind in OPTIMIZERS for settings in forms_of(kind)]


@pytest.mark.parametrize(("kind", "settings"), FORMS, ids=str)
def test_every_optimizer_is_counted(kind: str, settings: dict[str, bool]) -> None:
    net = nn.Linear(8, 4)
    optimizer = getattr(torch.optim, kind)(net.parameters(), lr=0.1, **settings)
    result = inspect_training(net, torch.ones(3, 8), loss=lambda y: y.sum(), optimizer=optimizer)
    assert [one.type for one in result.types if not one.has_rule] == []
    assert result.metrics["params"].value == 36
    assert result.metrics["macs"].value >= 2 * 3 * 8 * 4


class Recurrent(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.gru = nn.GRU(8, 8, batch_first=True)
        self.lstm = nn.LSTM(8, 8, 2, batch_first=True, bidirectional=True)
        self.cell = nn.LSTMCell(16, 4)
        self.bag = nn.EmbeddingBag(10, 4)

    def forward(self, x: Any) -> Any:
        y, _ = self.gru(x)
        y, _ = self.lstm(y)
        return self.cell(y[0])[0].sum() + self.bag(torch.tensor([[1, 2], [3, 4]])).sum()


def test_recurrent_layers_count_the_products_of_all_their_gates() -> None:
    result = jt.inspect(Recurrent(), torch.randn(2, 5, 8))
    tokens = 2 * 5
    gru = tokens * 3 * 8 * (8 + 8)
    lstm = tokens * 2 * (4 * 8 * (8 + 8) + 4 * 8 * (16 + 8))
    cell = 5 * 4 * 4 * (16 + 4)
    assert result.metrics["macs"].value == gru + lstm + cell
    assert result.coverage.value == 1
    trained = inspect_training(Recurrent(), torch.randn(2, 5, 8))
    assert trained.coverage.value == 1


def test_quantised_layers_count_their_packed_weights() -> None:
    quantised = torch.ao.quantization.quantize_dynamic(
        nn.Sequential(nn.Linear(8, 16), nn.ReLU()), {nn.Linear}, torch.qint8
    )
    result = jt.inspect(quantised, torch.randn(3, 8))
    assert result.metrics["macs"].value == 3 * 8 * 16
    assert result.metrics["params"].value == 8 * 16 + 16


def test_what_runs_inside_a_branch_is_unknown_and_not_called_unused() -> None:
    class Choosing(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.left, self.right = nn.Linear(8, 8), nn.Linear(8, 8)

        def forward(self, x: Any) -> Any:
            return torch.cond(x.sum() > 0, self.left, self.right, (x,))

    with torch.no_grad():
        counted = jt.inspect(Choosing().eval(), torch.ones(2, 8))
    assert counted.metrics["macs"].lower_bound
    assert any("inside branches and loops" in note for note in counted.notes)
    assert not any("not used" in note for note in counted.notes)
