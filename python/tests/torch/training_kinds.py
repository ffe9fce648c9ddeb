"""Models and optimisers of many kinds, and what a profile must leave as it was."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class First(nn.Module):  # type: ignore[misc]
    """Gives the first result of a module that has several."""

    def __init__(self, inner: Any) -> None:
        super().__init__()
        self.inner = inner

    def forward(self, *given: Any) -> Any:
        return self.inner(*given)[0]


class Packed(nn.Module):  # type: ignore[misc]
    def __init__(self, inner: Any) -> None:
        super().__init__()
        self.inner = inner

    def forward(self, x: Any, lengths: Any) -> Any:
        packed = nn.utils.rnn.pack_padded_sequence(x, lengths, True, enforce_sorted=False)
        return nn.utils.rnn.pad_packed_sequence(self.inner(packed)[0], batch_first=True)[0]


class Exponential(torch.autograd.Function):  # type: ignore[misc]
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        result = x.exp()
        ctx.save_for_backward(result)
        return result

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        return gradient * ctx.saved_tensors[0]


class OwnFunction(nn.Module):  # type: ignore[misc]
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, x: Any) -> Any:
        return Exponential.apply(self.layer(x))


class Checkpointed(nn.Module):  # type: ignore[misc]
    def __init__(self, reentrant: bool) -> None:
        super().__init__()
        self.first = nn.Linear(8, 8)
        self.kept = nn.Sequential(nn.Linear(8, 8), nn.Dropout(), nn.ReLU(inplace=True))
        self.reentrant = reentrant

    def forward(self, x: Any) -> Any:
        return checkpoint(self.kept, self.first(x), use_reentrant=self.reentrant)


class Attention(nn.Module):  # type: ignore[misc]
    def __init__(self) -> None:
        super().__init__()
        self.attention = nn.MultiheadAttention(8, 2, dropout=0.1, batch_first=True)

    def forward(self, x: Any) -> Any:
        return self.attention(x, x, x)[0]


class Clipping(torch.optim.SGD):  # type: ignore[misc]
    def step(self, closure: Any = None) -> Any:
        nn.utils.clip_grad_norm_([p for group in self.param_groups for p in group["params"]], 1.0)
        return super().step(closure)


SEQUENCES = torch.randn(4, 5, 8, generator=torch.Generator().manual_seed(1))
ROWS = SEQUENCES[:, 0].clone()
LENGTHS = torch.tensor([5, 3, 2, 4])

MODELS: dict[str, tuple[Callable[[], Any], tuple[Any, ...]]] = {
    "LSTM": (lambda: First(nn.LSTM(8, 8, 2, batch_first=True)), (SEQUENCES,)),
    "LSTM both ways": (
        lambda: First(nn.LSTM(8, 8, 2, batch_first=True, bidirectional=True, dropout=0.5)),
        (SEQUENCES,),
    ),
    "GRU": (lambda: First(nn.GRU(8, 8, batch_first=True)), (SEQUENCES,)),
    "RNN": (lambda: First(nn.RNN(8, 8, batch_first=True)), (SEQUENCES,)),
    "packed LSTM": (lambda: Packed(nn.LSTM(8, 8, batch_first=True)), (SEQUENCES, LENGTHS)),
    "packed GRU": (
        lambda: Packed(nn.GRU(8, 8, batch_first=True, bidirectional=True)),
        (SEQUENCES, LENGTHS),
    ),
    "LSTM cell": (lambda: First(nn.LSTMCell(8, 8)), (ROWS,)),
    "Transformer": (
        lambda: nn.Transformer(8, 2, 1, 1, 16, batch_first=True),
        (SEQUENCES, SEQUENCES.flip(1)),
    ),
    "attention": (Attention, (SEQUENCES,)),
    "batch norm, cumulative": (
        lambda: nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8, momentum=None), nn.Dropout()),
        (ROWS,),
    ),
    "in place": (
        lambda: nn.Sequential(nn.Linear(8, 8), nn.ReLU(inplace=True), nn.Linear(8, 8)),
        (ROWS,),
    ),
    "checkpoint": (lambda: Checkpointed(False), (ROWS,)),
    "reentrant checkpoint": (lambda: Checkpointed(True), (ROWS,)),
    "own function": (OwnFunction, (ROWS,)),
}
OPTIMIZERS: dict[str, Callable[[Any], Any]] = {
    "SGD": lambda p: torch.optim.SGD(p, lr=0.01, foreach=False),
    "clipping": lambda p: Clipping(p, lr=0.01),
    "AdamW": lambda p: torch.optim.AdamW(p, foreach=False),
    "AdamW foreach": lambda p: torch.optim.AdamW(p, foreach=True),
    "AdamW fused": lambda p: torch.optim.AdamW(p, fused=True),
    "SGD fused": lambda p: torch.optim.SGD(p, lr=0.01, momentum=0.9, fused=True),
    "SGD foreach": lambda p: torch.optim.SGD(p, lr=0.01, momentum=0.9, foreach=True),
    "RMSprop": lambda p: torch.optim.RMSprop(p),
}


def copied(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value.detach().clone()
    if isinstance(value, dict):
        return {key: copied(item) for key, item in value.items()}
    return [copied(item) for item in value] if isinstance(value, (list, tuple)) else value


def equal(a: Any, b: Any) -> bool:
    if isinstance(a, torch.Tensor):
        return bool(torch.equal(a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(equal(a[key], b[key]) for key in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(equal(x, y) for x, y in zip(a, b, strict=True))
    return bool(a == b)


def everything(model: Any, optimizer: Any) -> Any:
    return copied(
        [
            model.state_dict(),
            [parameter.grad for parameter in model.parameters()],
            [(module.training, len(module._forward_hooks)) for module in model.modules()],
            optimizer.state_dict() if optimizer is not None else None,
            torch.get_rng_state(),
            torch.is_grad_enabled(),
            torch.is_autocast_enabled("cpu"),
        ]
    )


def square(y: Any) -> Any:
    return y.float().pow(2).mean()
