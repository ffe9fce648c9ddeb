"""Habits from thop, FlopCounterMode and torchprof."""

from __future__ import annotations

import csv
import itertools
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch")

from torch import nn
from torch.utils.flop_counter import FlopCounterMode

import jouletree as jt
from jouletree.torch import Counter, LayerTimer, count, timing

COLUMNS = (
    "name,type,input_size,output_size,kernel_size,stride,padding,params,macs,flops,bytes,"
    "time_s,energy_j,time_provenance,energy_provenance"
)


def small_net() -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(3, 8, 3, stride=2, padding=1), nn.ReLU(), nn.Flatten(), nn.Linear(128, 5)
    )


X = torch.randn(2, 3, 8, 8)
MACS = 2 * 8 * 4 * 4 * 27 + 2 * 128 * 5
PARAMS = 8 * 27 + 8 + 128 * 5 + 5


def test_count_returns_macs_and_parameters() -> None:
    assert count(small_net(), X) == (MACS, PARAMS)
    assert count(small_net(), (X,)) == (MACS, PARAMS)
    assert count(small_net(), {"input": X}) == (MACS, PARAMS)


def test_inspect_takes_a_module() -> None:
    result = jt.inspect(small_net(), X)
    assert result.name == "Sequential"
    assert (result.metrics["macs"].value, result.metrics["params"].value) == (MACS, PARAMS)
    scopes = {one.scope: one.params.value for one in result.operators}
    assert scopes["0.convolution"] == 8 * 27 + 8
    assert scopes["3.addmm"] == 128 * 5 + 5


def test_a_counter_counts_what_runs_inside_it() -> None:
    net = small_net()
    with FlopCounterMode(display=False) as theirs, Counter() as ours:
        net(X).sum().backward()
    assert ours.macs is not None and 2 * ours.macs == theirs.get_total_flops()
    assert ours.coverage == 1.0 and ours.without_rule == []
    assert all(parameter.grad is not None for parameter in net.parameters())


def test_a_counter_counts_several_models_and_functions() -> None:
    first, second = nn.Linear(4, 4), nn.Linear(4, 2)
    with Counter() as counter:
        y = second(first(torch.ones(3, 4)))
        y @ torch.ones(2, 6)
    assert counter.macs == 3 * (16 + 8 + 12)
    modules = {one.scope for one in counter.inspection.modules}
    assert {"Linear", "Linear_2"} <= modules
    assert counter.inspection.metrics["params"].value == 20 + 10


def test_counters_nest_and_start_again() -> None:
    layer, x = nn.Linear(4, 4, bias=False), torch.ones(1, 4)
    outer, inner = Counter(layer), Counter(layer)
    with outer:
        layer(x)
        with inner:
            layer(x)
        layer(x)
    assert (outer.macs, inner.macs) == (48, 16)
    with inner:
        layer(x)
        layer(x)
    assert inner.macs == 32


def test_a_counter_shows_as_many_levels_as_asked_for() -> None:
    net = nn.Sequential(nn.Sequential(nn.Linear(4, 4)))
    with Counter(net, depth=1) as counter:
        net(torch.ones(1, 4))
    assert "Linear" not in counter.table()
    assert "Linear" in counter.table(depth=3)


def test_a_counter_says_what_it_cannot_do() -> None:
    counter = Counter()
    with pytest.raises(jt.BadInput, match="nothing was counted yet"):
        _ = counter.macs
    with counter, pytest.raises(jt.BadInput, match="counts already"):
        counter.__enter__()


@torch.library.custom_op("jouletree_test::mix", mutates_args=())
def mix(x: torch.Tensor) -> torch.Tensor:
    return x @ x.t()


@mix.register_fake
def _(x: torch.Tensor) -> torch.Tensor:
    return x.new_empty(x.shape[0], x.shape[0])


class Custom(nn.Module):
    def forward(self, x: Any) -> Any:
        return mix(x)


def test_a_custom_operator_is_named_and_never_counts_as_nothing() -> None:
    x = torch.ones(4, 4)
    with FlopCounterMode(display=False) as theirs, Counter() as ours:
        Custom()(x)
    assert theirs.get_total_flops() == 0
    assert ours.macs is None
    assert ours.without_rule == ["mix"]
    assert ours.coverage == 0.0
    with pytest.warns(UserWarning, match="nobody knows the work of mix"):
        count(Custom(), torch.ones(4, 4))


def rows_of(file: Path) -> list[dict[str, str]]:
    assert file.read_text().splitlines()[0] == COLUMNS
    with file.open() as lines:
        return list(csv.DictReader(lines))


def test_a_counter_writes_the_per_layer_file(tmp_path: Path) -> None:
    net = small_net()
    with Counter(net) as counter:
        net(X)
    rows = rows_of(counter.save(tmp_path / "per_layer.csv"))
    convolution = next(row for row in rows if row["type"] == "Conv")
    assert convolution["kernel_size"] == "3x3"
    assert convolution["stride"] == "2x2"
    assert convolution["output_size"] == "2x8x4x4"
    assert sum(int(row["macs"]) for row in rows) == MACS


def test_a_timer_times_every_layer(tmp_path: Path) -> None:
    net = small_net()
    with LayerTimer(net) as timer:
        net(X)
        net(X)
    assert [one.name for one in timer.layers] == ["", "0", "1", "2", "3"]
    whole, *layers = timer.layers
    assert timer.runs == 2
    assert all(one.calls == 2 for one in timer.layers)
    assert 0 < sum(one.seconds for one in layers) < whole.seconds
    assert whole.own_seconds == pytest.approx(
        whole.seconds - sum(one.seconds for one in layers), abs=1e-9
    )
    assert "Conv2d" in str(timer)
    rows = rows_of(timer.save(tmp_path / "per_layer.csv"))
    assert [row["type"] for row in rows] == ["Conv2d", "ReLU", "Flatten", "Linear"]
    assert rows[0]["kernel_size"] == "3x3"
    assert rows[0]["input_size"] == "2x3x8x8"
    assert rows[0]["macs"] == ""
    assert float(rows[0]["time_s"]) == pytest.approx(layers[0].seconds / 2)


def test_what_timing_takes_is_in_no_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The clock moves by one whenever somebody looks."""
    ticks = itertools.count()
    monkeypatch.setattr(timing, "time", SimpleNamespace(perf_counter=lambda: float(next(ticks))))

    with LayerTimer(nn.Sequential(nn.ReLU(), nn.ReLU())) as timer:
        timer._model(X)

    whole, first, second = timer.layers
    assert first.own_seconds == first.seconds == second.seconds == 1
    assert whole.own_seconds == 3, "before, between and behind the two"
    assert whole.seconds == 5


def test_a_timer_survives_a_model_that_raises() -> None:
    net = small_net()
    plain = nn.Module.__call__
    with LayerTimer(net) as timer:
        with pytest.raises(RuntimeError):
            net(torch.ones(1))
        net(X)
    assert timer.layers[-1].name == "3"
    assert nn.Module.__call__ is plain


def test_a_timer_leaves_other_models_out() -> None:
    net = small_net()
    with LayerTimer(net) as timer:
        nn.Linear(2, 2)(torch.ones(1, 2))
    assert timer.layers == []
    assert timer.table() == "no module of the model was called"
