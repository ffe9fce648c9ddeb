"""Devices that do their work later than they are called: windows hold the work, not the calls.

No such device is at hand where tests run, so one is scripted, with a clock of its own.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch")

import jouletree as jt
from jouletree.torch import devices, engine, timing
from jouletree.torch.engine import TorchEngine

CALL, WORK = 1, 500  # Nanoseconds.


class Device:
    """Calls take a moment; the work waits in a queue."""

    type = "scripted"

    def __init__(self) -> None:
        self.now = 1_000_000
        self._idle_at = 0

    def __str__(self) -> str:
        return "scripted:0"

    def call(self) -> None:
        self.now += CALL
        self._idle_at = max(self._idle_at, self.now) + WORK

    def wait(self) -> None:
        self.now = max(self.now, self._idle_at)


class Calls:
    """A workload, and a program of three calls."""

    def __init__(self, device: Device) -> None:
        self._device = device

    def run(self, times: int = 1) -> None:
        for _ in range(times):
            self._device.call()

    def restore(self) -> None:
        self._device.call()  # What it copies back is not of the window.

    def timed(self, now: Callable[[], int]) -> list[tuple[int, int, int]]:
        stamps = [now()]
        for _ in range(3):
            self.run()
            stamps.append(now())
        return [(call, stamps[call], stamps[call + 1]) for call in range(3)]


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch) -> Device:
    one = Device()
    clock = types.SimpleNamespace(
        monotonic_ns=lambda: one.now,
        process_time_ns=lambda: one.now,
        monotonic=lambda: one.now * 1e-9,
    )
    backend = types.SimpleNamespace(synchronize=lambda which: which.wait())
    monkeypatch.setattr(engine, "time", clock)
    monkeypatch.setattr(torch, "scripted", backend, raising=False)
    return one


@pytest.fixture
def on_device(device: Device) -> Iterator[TorchEngine]:
    run: Any = types.SimpleNamespace(training=False, gradients=False, called=torch.nn.Identity())
    one = TorchEngine(run)
    one._run_on({device})  # type: ignore[arg-type]
    one._slots["part"] = Calls(device)
    yield one


def test_a_window_holds_its_work_and_nothing_from_before(
    on_device: TorchEngine, device: Device
) -> None:
    for _ in range(100):
        device.call()
    begin, end, *_ = on_device.run("part", 10)
    assert end - begin == CALL + 10 * WORK


def test_each_run_lasts_until_its_work_is_done(on_device: TorchEngine, device: Device) -> None:
    for _ in range(100):
        device.call()
    assert on_device.run_each("part", 3) == pytest.approx([(CALL + WORK) * 1e-9] * 3)


def test_warming_up_tells_how_long_a_run_takes(on_device: TorchEngine, device: Device) -> None:
    calls: Any = Calls(device)
    assert on_device._prepare("whole", calls, 1e-5) == pytest.approx((CALL + WORK) * 1e-9)
    assert on_device._slots["whole"] is calls


def test_calls_in_the_model_last_until_their_work_is_done(
    on_device: TorchEngine, device: Device
) -> None:
    on_device._program = Calls(device)  # type: ignore[assignment]
    on_device.take_operators([0, 1, 2])
    for slices in on_device.watch(2):
        assert [end - begin for _, begin, end in slices] == [CALL + WORK] * 3


def test_layers_are_timed_with_their_work(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    class Layer(torch.nn.Module):  # type: ignore[misc, name-defined]
        def forward(self, x: Any) -> Any:
            device.call()
            return x

    monkeypatch.setattr(timing, "working_later", lambda tensors: {device})
    monkeypatch.setattr(
        timing, "time", types.SimpleNamespace(perf_counter=lambda: device.now * 1e-9)
    )
    for _ in range(100):
        device.call()
    with timing.LayerTimer(torch.nn.Sequential(Layer(), Layer())) as timer:
        timer._model(torch.zeros(1))
    assert [round(one.seconds * 1e9) for one in timer.layers] == [
        2 * (CALL + WORK),
        CALL + WORK,
        CALL + WORK,
    ]


def test_work_begun_before_an_inner_module_is_the_outer_ones(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Outer(torch.nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.inner = torch.nn.Identity()

        def forward(self, x: Any) -> Any:
            device.call()
            return self.inner(x)

    monkeypatch.setattr(timing, "working_later", lambda tensors: {device})
    monkeypatch.setattr(
        timing, "time", types.SimpleNamespace(perf_counter=lambda: device.now * 1e-9)
    )
    with timing.LayerTimer(Outer()) as timer:
        timer._model(torch.zeros(1))
    assert [round(one.own_seconds * 1e9) for one in timer.layers] == [CALL + WORK, 0]


def test_a_device_that_cannot_be_waited_for_cannot_be_timed() -> None:
    unknown: Any = types.SimpleNamespace(type="unheard_of")
    with pytest.raises(jt.BadInput, match=r"torch\.unheard_of\.synchronize"):
        devices.waiting_for([unknown])


def test_kinds_of_which_there_is_one_device_are_not_asked_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waited: list[str] = []

    def synchronize() -> None:
        waited.append("for all")

    backend = types.SimpleNamespace(synchronize=synchronize)
    monkeypatch.setattr(torch, "scripted", backend, raising=False)
    devices.waiting_for([Device()])()  # type: ignore[list-item]
    assert waited == ["for all"]


def test_what_is_done_at_once_is_not_waited_for() -> None:
    tensors = [torch.zeros(1), torch.zeros(1, device="meta")]
    assert devices.working_later(tensors) == set()
