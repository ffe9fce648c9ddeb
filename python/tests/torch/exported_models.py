"""Models that torch.export can export, each with what it is called with. Together they reach every
kind of thing that an archive can hold: open sizes, shared weights, buffers that change, operators
that take graphs, inputs that are no tensors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import nn
from torch.export import Dim


@dataclass
class Exportable:
    module: nn.Module
    args: tuple[Any, ...]
    kwargs: dict[str, Any] = field(default_factory=dict)
    dynamic_shapes: Any = None
    #: Training-mode export keeps dropout and batch statistics.
    train: bool = False
    #: Decomposed to the operators of core ATen.
    core: bool = False
    strict: bool = False


class Convolutions(nn.Module):
    """Every kind of convolution, pooling and normalisation."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(
            nn.Conv2d(3, 16, 7, stride=2, padding=3, bias=False), nn.BatchNorm2d(16), nn.ReLU()
        )
        self.depthwise = nn.Conv2d(16, 16, 3, padding="same", groups=16)
        self.dilated = nn.Conv2d(16, 24, 3, dilation=2, padding=2)
        self.up = nn.ConvTranspose2d(24, 8, 4, stride=2, padding=1, groups=2)
        self.norm = nn.GroupNorm(4, 8)
        self.instance = nn.InstanceNorm2d(8, affine=True)
        self.head = nn.Linear(8 * 4, 5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = nn.functional.max_pool2d(self.stem(x), 3, 2, 1)
        x = nn.functional.gelu(self.dilated(self.depthwise(x)))
        x = self.instance(self.norm(self.up(x)))
        x = nn.functional.interpolate(x, scale_factor=2, mode="bilinear")
        x = nn.functional.adaptive_avg_pool2d(nn.functional.avg_pool2d(x, 2), 2)
        return self.head(x.flatten(1))


class OtherRanks(nn.Module):
    """Signals and volumes."""

    def __init__(self) -> None:
        super().__init__()
        self.signal = nn.Conv1d(2, 8, 5, padding=2)
        self.back = nn.ConvTranspose1d(8, 2, 3)
        self.volume = nn.Conv3d(1, 4, 3)

    def forward(self, x: torch.Tensor, volume: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return self.back(torch.relu(self.signal(x))), self.volume(volume).mean()


class Recurrent(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(30, 12)
        self.lstm = nn.LSTM(12, 10, num_layers=2, bidirectional=True, batch_first=True)
        self.gru = nn.GRU(20, 6, batch_first=True)
        self.plain = nn.RNN(6, 5, batch_first=True)
        self.cell = nn.LSTMCell(5, 4)
        self.other_cell = nn.GRUCell(4, 3)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        x, _ = self.lstm(self.words(ids))
        x, _ = self.gru(x)
        x, _ = self.plain(x)
        hidden, _ = self.cell(x[:, -1])
        return self.other_cell(hidden)


class Attending(nn.Module):
    """Multi-head attention, PyTorch's own layers and the bare operator."""

    def __init__(self) -> None:
        super().__init__()
        self.attention = nn.MultiheadAttention(16, 4, batch_first=True)
        self.layer = nn.TransformerEncoderLayer(16, 2, 32, batch_first=True, norm_first=True)
        self.project = nn.Linear(16, 48)

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        x = self.attention(x, x, x, need_weights=False)[0] + self.layer(x)
        query, key, value = self.project(x).reshape(x.shape[0], -1, 3, 4, 4).permute(2, 0, 3, 1, 4)
        x = nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        return x.transpose(1, 2).flatten(2)


class Tied(nn.Module):
    """One matrix under two names, one module called three times, and weights that nothing reads."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(40, 16)
        self.block = nn.Sequential(nn.Linear(16, 16), nn.ReLU())
        self.again = self.block[0]
        self.head = nn.Linear(16, 40, bias=False)
        self.head.weight = self.words.weight
        self.idle = nn.Linear(16, 7)
        self.frozen = nn.Linear(16, 16).requires_grad_(False)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        x = self.block(self.again(self.block(self.words(ids))))
        return self.head(self.frozen(x))


class Counting(nn.Module):
    """Buffers that change, some of them not stored; a constant in the code."""

    count: torch.Tensor
    mean: torch.Tensor

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(6, 6)
        self.register_buffer("count", torch.zeros(1))
        self.register_buffer("mean", torch.zeros(6), persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.count.add_(1)
        self.mean.mul_(0.9).add_(x.mean(0), alpha=0.1)
        return self.linear(x - self.mean) * torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])


class Growing(nn.Module):
    """Sizes of which others are made."""

    def __init__(self) -> None:
        super().__init__()
        self.encode = nn.Conv2d(3, 8, 3, stride=2, padding=1)
        self.project = nn.Linear(8, 12)

    def forward(self, x: torch.Tensor, ids: torch.Tensor) -> torch.Tensor:
        y = self.project(self.encode(x).flatten(2).transpose(1, 2))
        y = torch.cat([y, y.mean(1, keepdim=True), y[:, : y.shape[1] // 2]], 1)
        return torch.matmul(y, y.transpose(1, 2)).sum() + ids.sum()


class Choosing(nn.Module):
    """Data choose between two branches; the first, which the example takes, costs more."""

    def __init__(self) -> None:
        super().__init__()
        self.wide = nn.Linear(8, 64)
        self.narrow = nn.Linear(64, 8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        def costly(x: torch.Tensor) -> torch.Tensor:
            return self.narrow(torch.relu(self.wide(x)))

        def cheap(x: torch.Tensor) -> torch.Tensor:
            return x * 2

        return torch.cond(x.sum() > -1e9, costly, cheap, (x,))


class ChoosingBySize(nn.Module):
    """Sizes choose between two branches."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(8, 8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        def large(x: torch.Tensor) -> torch.Tensor:
            return self.linear(x)

        def small(x: torch.Tensor) -> torch.Tensor:
            return x + 1

        return torch.cond(x.shape[0] > 4, large, small, (x,))


class Mapped(nn.Module):
    """A body for every row, and one that hands a state on."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(8, 8))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        from functorch.experimental.control_flow import map as mapped
        from torch._higher_order_ops.scan import scan

        def row(x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
            return x @ weight

        def step(state: torch.Tensor, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
            state = torch.tanh(state @ self.weight + x)
            return state, state.clone()

        rows = mapped(row, x, self.weight)
        _, states = scan(step, torch.zeros_like(rows[0]), rows)
        return states


class Batched(nn.Module):
    """A function of one row for all rows, by torch.vmap."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(8, 6)

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        def product(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
            return self.linear(x) @ y

        return torch.vmap(product)(x, y)


class Repeating(nn.Module):
    """A loop whose end depends on data: one iteration is counted."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(8, 8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        from torch._higher_order_ops.while_loop import while_loop

        def go_on(at: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
            return at < 1

        def step(at: torch.Tensor, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
            return at + 1, self.linear(x)

        _, x = while_loop(go_on, step, (torch.tensor(0), x))
        return x


class Wrapped(nn.Module):
    """Parts without gradients, and in another precision."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(8, 16)
        self.second = nn.Linear(16, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        with torch.no_grad():
            x = torch.relu(self.first(x))
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return self.second(x)


class Nested(nn.Module):
    """Inputs in lists and dictionaries, numbers, None, and some by name."""

    def __init__(self) -> None:
        super().__init__()
        self.left = nn.Linear(4, 6)
        self.right = nn.Linear(4, 6)

    def forward(
        self,
        pair: list[torch.Tensor],
        named: dict[str, torch.Tensor],
        times: int,
        nothing: None = None,
        *,
        share: float = 0.5,
        extra: torch.Tensor | None = None,
    ) -> dict[str, torch.Tensor]:
        y = self.left(pair[0]) * times + self.right(pair[1]) * share + named["bias"]
        return {"sum": y if extra is None else y + extra}


class Products(nn.Module):
    """Products that are no layers."""

    def __init__(self) -> None:
        super().__init__()
        self.bilinear = nn.Bilinear(6, 5, 7)
        self.table = nn.Parameter(torch.randn(3, 6, 4))

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        z = self.bilinear(x, y)
        w = torch.einsum("bi,kij->bkj", x, self.table)
        w = torch.tensordot(w, self.table, dims=([1, 2], [0, 2]))
        v = torch.addmm(w, x, self.table[0] @ self.table[1].T, beta=0.5, alpha=2.0)
        v = torch.baddbmm(v.unsqueeze(1), v.unsqueeze(1), v.unsqueeze(2) @ v.unsqueeze(1))
        return v.sum() + torch.inner(z, z).sum() + torch.cdist(x, x).sum()


class Integers(nn.Module):
    """Weights of eight bits that are turned into numbers with fractions before they are used."""

    weight: torch.Tensor
    scale: torch.Tensor

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("weight", torch.randint(-128, 127, (16, 8), dtype=torch.int8))
        self.register_buffer("scale", torch.rand(16, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return nn.functional.linear(x, self.weight.to(x.dtype) * self.scale)


class DataSized(nn.Module):
    """Behind what depends on data, sizes are unknown."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.linear(x)
        return self.linear(y[y[:, 0] > 0])


def _net(*layers: nn.Module) -> nn.Module:
    return nn.Sequential(*layers)


def _attending(**settings: Any) -> Exportable:
    return Exportable(Attending().eval(), (torch.randn(2, 6, 16),), **settings)


def _growing() -> Exportable:
    batch, height = Dim("batch", min=1, max=64), Dim("half", min=4, max=512)
    return Exportable(
        Growing(),
        (torch.randn(2, 3, 16, 20), torch.ones(2, 5, dtype=torch.int64)),
        dynamic_shapes=({0: batch, 2: 2 * height}, {0: batch, 1: Dim.AUTO}),
    )


def _dropping(train: bool, core: bool) -> Exportable:
    module = _net(
        nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.Dropout(0.2), nn.Flatten(), nn.Linear(288, 4)
    )
    return Exportable(module.train(train), (torch.randn(2, 3, 8, 8),), train=train, core=core)


def _half(dtype: torch.dtype) -> Exportable:
    module = _net(nn.Linear(16, 32), nn.LayerNorm(32), nn.GELU(approximate="tanh"))
    return Exportable(module.to(dtype), (torch.randn(4, 16, dtype=dtype),))


MODELS: dict[str, Callable[[], Exportable]] = {
    "convolutions": lambda: Exportable(Convolutions().eval(), (torch.randn(1, 3, 32, 32),)),
    "convolutions_core": lambda: Exportable(
        Convolutions().eval(), (torch.randn(1, 3, 32, 32),), core=True
    ),
    "other_ranks": lambda: Exportable(
        OtherRanks(), (torch.randn(2, 2, 20), torch.randn(1, 1, 6, 6, 6))
    ),
    "recurrent": lambda: Exportable(Recurrent().eval(), (torch.zeros(2, 7, dtype=torch.int64),)),
    "recurrent_core": lambda: Exportable(
        Recurrent().eval(), (torch.zeros(2, 7, dtype=torch.int64),), core=True
    ),
    "attending": _attending,
    "attending_masked": lambda: _attending(kwargs={"mask": torch.zeros(6, 6)}),
    "attending_strict": lambda: _attending(strict=True),
    "attending_core": lambda: _attending(core=True),
    "tied": lambda: Exportable(Tied(), (torch.zeros(2, 5, dtype=torch.int64),)),
    "counting": lambda: Exportable(Counting(), (torch.randn(3, 6),)),
    "counting_core": lambda: Exportable(Counting(), (torch.randn(3, 6),), core=True),
    "growing": _growing,
    "choosing": lambda: Exportable(Choosing(), (torch.randn(4, 8),)),
    "mapped": lambda: Exportable(Mapped(), (torch.randn(5, 3, 8),)),
    "batched": lambda: Exportable(Batched(), (torch.randn(5, 3, 8), torch.randn(5, 6, 2))),
    "batched_core": lambda: Exportable(
        Batched(), (torch.randn(5, 3, 8), torch.randn(5, 6, 2)), core=True
    ),
    "repeating": lambda: Exportable(Repeating(), (torch.randn(4, 8),)),
    "wrapped": lambda: Exportable(Wrapped(), (torch.randn(4, 8),)),
    "nested": lambda: Exportable(
        Nested(),
        ([torch.randn(2, 4), torch.randn(2, 4)], {"bias": torch.randn(6)}, 3, None),
        {"share": 0.25, "extra": torch.randn(2, 6)},
    ),
    "products": lambda: Exportable(Products(), (torch.randn(4, 6), torch.randn(4, 5))),
    "integers": lambda: Exportable(Integers(), (torch.randn(2, 8),)),
    "training": lambda: _dropping(train=True, core=False),
    "training_core": lambda: _dropping(train=True, core=True),
    "inference": lambda: _dropping(train=False, core=False),
    "half": lambda: _half(torch.float16),
    "bfloat16": lambda: _half(torch.bfloat16),
    "double": lambda: _half(torch.float64),
}


def program_of(model: Exportable) -> Any:
    """The exported program, in the mode that the model asks for."""
    program = torch.export.export(
        model.module,
        model.args,
        model.kwargs,
        dynamic_shapes=model.dynamic_shapes,
        strict=model.strict,
    )
    return program.run_decompositions() if model.core else program
