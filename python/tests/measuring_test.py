"""Joules and seconds of code."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import AsyncIterator, Iterator
from types import SimpleNamespace

import pytest

import jouletree as jt


def test_time_and_energy_come_with_bounds_and_provenance() -> None:
    began = time.monotonic()
    with jt.measure("sleep") as sleep:
        time.sleep(0.2)

    assert 0.2 <= float(sleep.time) <= time.monotonic() - began
    assert (sleep.time.unit, sleep.time.provenance) == ("s", "measured")
    assert sleep.energy.value is not None and sleep.energy.value > 0
    assert sleep.energy.unit == "J"
    assert sleep.energy.provenance in ("measured", "estimated")
    assert sleep.power.value == pytest.approx(float(sleep.energy) / float(sleep.time))
    assert sleep.covers
    assert sleep.meters
    assert str(sleep).startswith("sleep: ")
    assert "sleep" in sleep._repr_html_()


def test_energy_without_a_part_is_a_lower_bound() -> None:
    with jt.measure("epoch") as epoch:
        pass
    numbers = {"energy": (5.0, None, None, "estimated"), "time_s": 2.0, "meters": []}
    for missing, text in (["nvml:gpu-0"], "at least 5 J (estimated)"), ([], "5 J (estimated)"):
        epoch._content = SimpleNamespace(**numbers, missing=missing, covers="cards and CPUs")  # type: ignore[assignment]
        assert epoch.missing == missing
        assert str(epoch.energy) == text
        assert epoch.power.lower_bound == bool(missing)


def test_results_are_numbers() -> None:
    with jt.measure() as pause:
        time.sleep(0.05)

    value = pause.energy.value
    assert value is not None
    assert pause.energy / 2 == value / 2 and 2 * pause.energy == 2 * value
    assert pause.energy + 1 == 1 + pause.energy == value + 1
    assert pause.energy - 1 == value - 1 and 1 - pause.energy == 1 - value
    assert 1 / pause.energy == 1 / value and -pause.energy == -value
    assert pause.energy / pause.time == pytest.approx(float(pause.power))
    assert 0 < pause.energy <= pause.energy < 1e9 and 1e9 > pause.time >= 0.05
    assert sum([pause.energy, pause.energy]) == 2 * value
    assert f"{pause.time:.3f}" == f"{pause.time.value:.3f}"
    assert f"{pause.time}" == str(pause.time)
    assert round(pause.time, 2) == round(float(pause.time), 2)
    assert (int(pause.time), abs(pause.energy)) == (int(float(pause.time)), value)
    for quantity, unit in ((pause.energy, "J"), (pause.time, "s"), (pause.power, "W")):
        assert (quantity.unit, isinstance(quantity.value, float)) == (unit, True)
        assert quantity.provenance in ("measured", "estimated")
        assert (quantity.low is None) == (quantity.high is None)


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (0.9, 1.1, "1 J ± 10.0 % (predicted)"),
        (0.9, 1.12, "1 J ± 11.0 % (predicted)"),
        (0.4, 18.0, "1 J, 400 mJ to 18 J (predicted)"),
        (1.0, 1.2, "1 J, 1 J to 1.2 J (predicted)"),
        (1.0, 1.0, "1 J ± 0.0 % (predicted)"),
        (-3.0, 5.0, "1 J unstable (predicted)"),
        (0.5, None, "1 J (predicted)"),
    ],
)
def test_an_interval_is_shown_as_it_is(low: float, high: float | None, text: str) -> None:
    """± is for those whose sides are about as wide."""
    assert str(jt.Quantity(1.0, "J", low, high, "predicted")) == text


def test_what_is_unknown_is_no_number() -> None:
    unknown = jt.Quantity(None, "J")
    with pytest.raises(TypeError, match="unknown"):
        unknown + 1
    assert str(unknown) == f"{unknown}" == "unknown"


def test_measurements_nest() -> None:
    with jt.measure("outer") as outer:
        with jt.measure("first") as first:
            time.sleep(0.05)
        with jt.measure("second") as second:
            time.sleep(0.05)

    assert float(first.time) + float(second.time) <= float(outer.time)
    assert float(first.energy) + float(second.energy) <= float(outer.energy) * 1.001 + 1e-5


def test_threads_measure_at_the_same_time() -> None:
    found: dict[int, jt.Measurement] = {}

    def work(number: int) -> None:
        with jt.measure(f"thread {number}") as one:
            time.sleep(0.02 * (number + 1))
        found[number] = one

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    for number, one in found.items():
        assert float(one.time) >= 0.02 * (number + 1)
        assert one.energy.value is not None


def test_exceptions_pass_through_and_the_measurement_ends() -> None:
    with pytest.raises(ZeroDivisionError), jt.measure("broken") as broken:
        time.sleep(0.01)
        _ = 1 / 0

    assert float(broken.time) >= 0.01


def test_numbers_before_the_end_are_a_clear_error() -> None:
    one = jt.measure("epoch 1")
    with pytest.raises(jt.BadInput, match="'epoch 1' has not begun"):
        _ = one.energy
    with one, pytest.raises(jt.BadInput, match="'epoch 1' is still running"):
        _ = one.time
    assert float(one.time) >= 0
    with pytest.raises(jt.BadInput, match="was used already"), one:
        pass


def test_a_decorated_function_keeps_its_measurements() -> None:
    @jt.measure("step")
    def step(size: int) -> int:
        """Does a step."""
        time.sleep(0.01)
        return size * 2

    assert step(3) == 6
    assert step(size=4) == 8
    assert step.__doc__ == "Does a step."
    assert [one.name for one in step.measurements] == ["step", "step"]
    assert all(float(one.time) >= 0.01 for one in step.measurements)


def test_methods_and_coroutines_can_be_decorated() -> None:
    class Trainer:
        @jt.measure()
        def step(self, size: int) -> tuple[Trainer, int]:
            return self, size

        @jt.measure("later")
        async def later(self) -> str:
            await asyncio.sleep(0.02)
            return "done"

    trainer = Trainer()
    assert trainer.step(3) == (trainer, 3)
    assert Trainer.step.measurements[-1].name.endswith("Trainer.step")
    assert asyncio.run(trainer.later()) == "done"
    assert float(Trainer.later.measurements[-1].time) >= 0.02


def test_many_measurements_that_nobody_reads_cost_no_memory() -> None:
    kept = []
    for number in range(2000):
        with jt.measure("short") as one:
            pass
        if number % 100 == 0:
            kept.append(one)
    gc.collect()

    assert all(one.energy.value is not None for one in kept)


def test_a_child_process_measures_for_itself() -> None:
    code = textwrap.dedent(
        """
        import json, os, sys, time, jouletree
        with jouletree.measure("both") as both:
            child = os.fork()
            with jouletree.measure("own") as own:
                time.sleep(0.05)
            if child == 0:
                print(json.dumps({"time": own.time.value, "energy": own.energy.value}), flush=True)
        if child == 0:
            os._exit(0)
        os.waitpid(child, 0)
        print(json.dumps({"time": both.time.value, "energy": both.energy.value}))
        """
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )

    for line in done.stdout.splitlines():
        used = json.loads(line)
        assert used["time"] >= 0.05
        assert used["energy"] > 0
    assert len(done.stdout.splitlines()) == 2


def test_a_process_ends_while_something_is_measured() -> None:
    code = "import jouletree; one = jouletree.measure('open'); one.__enter__(); print('end')"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, env=os.environ
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, "end\n", "")


def test_a_generator_is_measured_from_its_first_to_its_last_item() -> None:
    @jt.measure("items")
    def items(count: int) -> Iterator[int]:
        for item in range(count):
            time.sleep(0.01)
            yield item

    made = items(3)
    assert len(items.measurements) == 0
    assert list(made) == [0, 1, 2]
    assert float(items.measurements[-1].time) >= 0.03
    for _ in items(3):
        break
    gc.collect()
    assert len(items.measurements) == 2


def test_an_async_generator_is_measured_from_its_first_to_its_last_item() -> None:
    closed: list[bool] = []

    @jt.measure()
    async def items(count: int) -> AsyncIterator[int]:
        try:
            for item in range(count):
                await asyncio.sleep(0.01)
                yield item
        finally:
            closed.append(True)

    async def collected() -> list[int]:
        return [item async for item in items(3)]

    assert asyncio.run(collected()) == [0, 1, 2]
    assert float(items.measurements[-1].time) >= 0.03
    assert closed == [True]
