"""Models that change while they run: modules swapped, made late, shared, without a shape yet."""

from __future__ import annotations

from collections.abc import Callable

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch")

from torch import nn

import jouletree
from jouletree.torch import Counter, count, record


class SharesModules(nn.Module):
    """Puts another module in the place of one, with the same modules inside."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(8, 8)
        self.second = nn.Sequential(nn.Linear(8, 8))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.second = nn.Sequential(self.second[0], nn.ReLU())
        return self.second(self.first(x))


class CopiesWeights(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        fresh = nn.Linear(8, 8)
        fresh.load_state_dict(self.layer.state_dict())
        self.layer = fresh
        return self.layer(x)


class SharesWeights(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        fresh = nn.Linear(8, 8)
        fresh.weight, fresh.bias = self.layer.weight, self.layer.bias
        self.layer = fresh
        return self.layer(x)


class SwapsInAList(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(8, 8) for _ in range(2))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.layers[1] = nn.Sequential(self.layers[1], nn.ReLU())
        for layer in self.layers:
            x = layer(x)
        return x


class TiesWeights(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner, self.outer = nn.Linear(8, 8), nn.Linear(8, 8)
        self.outer.weight = self.inner.weight

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.outer(self.inner(x))


def parametrized() -> nn.Module:
    ways = torch.nn.utils.parametrizations
    return nn.Sequential(
        ways.weight_norm(nn.Linear(8, 8)),
        ways.spectral_norm(nn.Linear(8, 8)),
        ways.orthogonal(nn.Linear(8, 8)),
    )


@pytest.mark.filterwarnings("ignore:.*linalg_matrix_exp")
@pytest.mark.parametrize(
    "make",
    [SharesModules, CopiesWeights, SharesWeights, SwapsInAList, TiesWeights, parametrized],
)
def test_every_parameter_counts_once(make: Callable[[], nn.Module]) -> None:
    model = make().eval()
    expected = sum(parameter.numel() for parameter in model.parameters())

    _, params = count(model, torch.randn(2, 8))

    assert params == expected


def test_a_swapped_module_stands_where_the_other_one_stood() -> None:
    calls = record(SwapsInAList().eval(), torch.randn(2, 8)).calls

    assert calls[-1].path == ("layers(ModuleList)", "1(Sequential)", "1(ReLU)")


def test_a_module_that_is_made_late_counts_and_is_gone_afterwards() -> None:
    class Late(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            self.layer = nn.Linear(8, 4)
            self.scale = nn.Parameter(torch.ones(4))
            return self.layer(x) * self.scale

    model = Late()

    _, params = count(model, torch.randn(2, 8))

    assert params == 8 * 4 + 4 + 4
    assert not list(model.parameters())


def test_a_lazy_module_asks_for_its_first_call_and_stays_lazy() -> None:
    model = nn.Sequential(nn.LazyLinear(4))

    with pytest.raises(jouletree.BadInput, match="LazyLinear has no shape before its first call"):
        jouletree.inspect(model, torch.randn(2, 8))

    assert type(model[0]) is nn.LazyLinear
    model(torch.randn(2, 8))
    assert count(model, torch.randn(2, 8))[1] == 36


def test_a_counter_sees_what_a_lazy_module_becomes() -> None:
    model = nn.Sequential(nn.LazyLinear(4))

    with Counter(model) as counter:
        model(torch.randn(2, 8))

    assert counter.inspection.metrics["params"].value == 36
