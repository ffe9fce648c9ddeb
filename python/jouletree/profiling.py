"""Measuring a model: time and energy of the whole, its modules and its operators."""

from __future__ import annotations

import importlib
import os
import tempfile
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jouletree import _arguments, _core, _engines, _sources
from jouletree._files import lasting_name, model_file, naming_engine
from jouletree._inputs import by_name, input_settings
from jouletree._interrupts import held, interruptible
from jouletree._names import called
from jouletree._turns import turn
from jouletree._units import seconds_of, share_of
from jouletree._warnings import warn
from jouletree.database import DatabaseWarning, location_of
from jouletree.errors import BadInput, Error
from jouletree.profiles import Profile
from jouletree.progress import shown_progress

if TYPE_CHECKING:
    from jouletree.scoring import Score

_CACHES = ("hot", "model", "cold")
LARGEST_SEED = 2**64 - 1


@_arguments.checked_call
def profile(
    model: Any,
    x: Any = None,
    *,
    dims: Mapping[str, int] | None = None,
    values: Mapping[str, Any] | None = None,
    data: Mapping[str, str | os.PathLike[str]] | Sequence[str | os.PathLike[str]] = (),
    budget: float | str | None = None,
    precision: float | str = 0.02,
    target: Any = None,
    cache: str = "model",
    modules: bool = True,
    baseline: float | str = 2.0,
    threads: int | None = None,
    level: str = "all",
    execution: str = "sequential",
    device: str | None = None,
    provider_options: Mapping[str, str] | None = None,
    seed: int = 1,
    score: Any = None,
    db: Any = None,
    fresh: bool = False,
    **torch_arguments: Any,
) -> Profile:
    """Measures time and energy of a model, its modules and its operators.

    ``model`` and ``x`` are as for ``jouletree.inspect``; arrays in ``x`` are what a model file is
    run with. An ONNX file runs in ONNX Runtime (``pip install onnxruntime``), a PyTorch model, a
    TorchScript file and a program of torch.export (``.pt2``) in this process. Arguments are the
    flags of ``jouletree profile``: ``budget`` is the time for all windows together, in seconds or
    as ``"60s"``; ``threads`` are those that one operator may use, 1 unless said; ``device`` is
    where a model file runs, the CPU unless said; ``precision`` is the
    half-width of the 95 % interval that is enough and ``target`` the share of the time that
    operators must explain, as ``0.02`` or ``"2%"``. Ctrl-C stops the measurement and leaves nothing
    behind.

    A PyTorch model is called as ``model(x)``, ``model(*x)`` for a tuple and ``model(**x)`` for a
    dictionary, in the caller's grad mode, and is left as it was. ``mode="train"`` measures a
    training step: forward, ``loss(output, target)`` (left out where the model returns its loss),
    backward, and the step and ``zero_grad`` of an ``optimizer``. ``kwargs`` are further arguments
    of the model, ``context`` makes what stands around forward and loss (autocast), ``name`` is
    that of the model in tables.

    ``score`` adds how well the model does: the result of ``jouletree.score``, ``(data, metric)``,
    or the arguments of ``jouletree.score`` as a dictionary.

    ``db`` is a database: ``True`` for your own, ``"sqlite:FILE"``, a path, ``"postgresql://…"`` or
    a ``jouletree.Database``. Operators and modules that were measured under the same conditions
    are taken from it, unless ``fresh=True``, and what is new is kept there, with the profile. A
    profile that cannot be kept is returned all the same, with a ``jouletree.DatabaseWarning``.

    >>> profile = jouletree.profile("model.onnx", budget="60s")
    >>> print(profile)
    >>> jouletree.profile("model.onnx", db="sqlite:measured.sqlite").operators[0].reused_from
    >>> step = jouletree.profile(net, x, mode="train", loss=loss_fn, target=y, optimizer=optimizer)
    >>> step.modules[1].phases["backward"].time
    """
    _arguments.refuse_unknown(profile, torch_arguments)
    torch_arguments = _arguments.with_mode(torch_arguments)
    if torch_arguments.get("mode") == "train":
        # What the loss compares the model's output with; all operators of a step are measured.
        torch_arguments["target"], target = target, None
    elif len(getattr(target, "shape", ())) > 0:
        raise BadInput("target: a tensor is only for training; say mode='train', too")
    arguments = {
        "cache": _arguments.one_of("cache", cache, _CACHES),
        "precision": share_of("precision", precision),
        "budget_s": seconds_of("budget", budget),
        "target": share_of("target", target),
        "baseline_s": seconds_of("baseline", baseline, zero=True),
        "modules": _arguments.truth("modules", modules),
    }
    location = location_of(db)
    if _arguments.truth("fresh", fresh) and location is None:
        raise BadInput("fresh=True measures again what a database knows; it needs db")
    arguments |= {"database": location, "fresh": fresh}
    threads = _threads(threads)
    scored = _scored(score, model)
    seed = _arguments.whole_number("seed", seed, 0, LARGEST_SEED)
    if _sources.is_keras(model) or _sources.is_keras_file(model):
        _refuse_training(torch_arguments)
        _refuse_torch_arguments(torch_arguments, "only for PyTorch models, not for those of Keras")
        model = _sources.onnx_of_keras(model, x)
        x = model.x
    if _sources.is_torch(model):
        _refuse_file_arguments(dims=dims, values=values, data=data)
        _refuse_engine_arguments(level, execution, provider_options)
        torch_arguments |= {"threads": threads, "seed": seed, "device": device}
        measured = _profile_torch(model, x, arguments, torch_arguments)
        return _kept(_joined(measured, scored), location)
    _refuse_torch_arguments(torch_arguments)
    device = "cpu" if device is None else device
    if _sources.is_torch_file(model):
        if dims and not _core.is_exported_program(os.fspath(model)):
            raise BadInput(
                f"dims: {os.fspath(model)} does not name its dimensions; give whole shapes, such "
                "as x={'ids': (1, 128)}"
            )
        if dims:
            x = _sources.sized_inputs(os.fspath(model), x, dims)
        _refuse_engine_arguments(level, execution, provider_options)
        measured = _profile_torch_file(model, x, arguments, values, data, device, seed, threads)
        return _kept(_joined(measured, scored), location)
    engine = {
        "seed": seed,
        "threads": threads,
        "level": level,
        "execution": execution,
        "device": device,
        "provider_options": _arguments.by_names(
            "provider_options", provider_options, "{'NAME': 'VALUE'}"
        ),
    }
    measured = _profile_onnx(model, x, dims, values, data, arguments, engine)
    return _kept(_joined(measured, scored), location)


def _profile_onnx(
    model: Any,
    x: Any,
    dims: Mapping[str, int] | None,
    values: Mapping[str, Any] | None,
    data: Mapping[str, str | os.PathLike[str]] | Sequence[str | os.PathLike[str]],
    arguments: dict[str, Any],
    engine: dict[str, Any],
) -> Profile:
    _engines.announce()
    show = shown_progress()
    with (
        turn(show),
        held(),
        model_file(model, engine["seed"]) as path,
        tempfile.TemporaryDirectory() as scratch,
    ):
        inputs = input_settings(x, dims, values, lambda: _core.input_names_of_file(path))
        settings: dict[str, Any] = {**inputs.arguments(), **engine}
        arrays = saved_arrays(x, path, scratch)
        given = [*data_files(data), *(f"{name}={file}" for name, file in arrays.items())]
        named = called({file: f"x[{name!r}]" for name, file in arrays.items()})
        with named, naming_engine("profiling"):
            profiled = interruptible(
                partial(
                    _core.profile_file,
                    path,
                    data=given,
                    arguments={**arguments, "told_as": lasting_name(model)},
                    show=show,
                    **settings,
                )
            )
    return Profile(profiled)


def _profile_torch(
    model: Any, x: Any, arguments: dict[str, Any], torch_arguments: dict[str, Any]
) -> Profile:
    show = shown_progress()
    with turn(show), held():
        engine = importlib.import_module("jouletree.torch.profiling")
        profiled: _core.ProfiledModel = engine.profiled(
            model, x, arguments, show, **torch_arguments
        )
    return Profile(profiled)


def _refuse_file_arguments(**given: Any) -> None:
    for name, value in given.items():
        if value:
            raise BadInput(f"{name} is for model files; a live PyTorch model gets its inputs in x")


def _refuse_training(given: Mapping[str, Any]) -> None:
    if given.get("mode") == "train":
        raise BadInput(
            "mode: training steps of Keras models cannot be measured yet; without it, one call of "
            "the model is measured"
        )


def _refuse_torch_arguments(
    given: Mapping[str, Any],
    reason: str = "only for live PyTorch models; load the model in Python and give that",
) -> None:
    names = ", ".join(name for name, value in given.items() if value is not None)
    if names:
        raise BadInput(f"{names}: {reason}")


def _refuse_engine_arguments(
    level: str, execution: str, provider_options: Mapping[str, str] | None
) -> None:
    given = {
        "level": level != "all",
        "execution": execution != "sequential",
        "provider_options": bool(provider_options),
    }
    for name, is_given in given.items():
        if is_given:
            raise BadInput(f"{name} is for ONNX files, which ONNX Runtime runs, not for PyTorch's")


def _profile_torch_file(
    path: str | os.PathLike[str],
    x: Any,
    arguments: dict[str, Any],
    values: Mapping[str, Any] | None,
    data: Mapping[str, str | os.PathLike[str]] | Sequence[str | os.PathLike[str]],
    device: str,
    seed: int,
    threads: int,
) -> Profile:
    _sources.need("torch", "torch", "profiling a PyTorch file")
    arrays = _loaded_arrays(data)
    show = shown_progress()
    with turn(show), held():
        engine = importlib.import_module("jouletree.torch.file_profiling")
        profiled: _core.ProfiledModel = engine.profiled_file(
            os.fspath(path),
            x,
            arguments,
            show,
            values=_arguments.by_names("values", values, "{'NAME': NUMBER}"),
            data=arrays,
            device=device,
            seed=seed,
            threads=threads,
        )
    return Profile(profiled)


def _loaded_arrays(
    data: Mapping[str, str | os.PathLike[str]] | Sequence[str | os.PathLike[str]],
) -> dict[str, Any]:
    """Arrays in files, by the names of the inputs."""
    if not data:
        return {}
    _sources.need("numpy", "numpy", "reading data from files")
    import numpy as np

    arrays: dict[str, Any] = {}
    for name, file in data.items() if isinstance(data, Mapping) else [(None, one) for one in data]:
        try:
            loaded = np.load(file)
        except (OSError, ValueError) as error:
            raise BadInput(f"data: {os.fspath(file)} is no file of NumPy: {error}") from error
        if isinstance(loaded, Mapping):
            arrays.update(loaded)
        elif name is None:
            raise BadInput(f"data: say which input {os.fspath(file)} is for: {{'NAME': FILE}}")
        else:
            arrays[name] = loaded
    return arrays


def _scored(given: Any, model: Any) -> tuple[Score, bool] | None:
    """Before anything else is measured, so that data that cannot be used are told of at once. With
    the score, whether it was made of this very model."""
    if given is None:
        return None
    scoring = importlib.import_module("jouletree.scoring")
    found: Score = scoring.score_of(given, model)
    return found, found is not given


def _joined(measured: Profile, scored: tuple[Score, bool] | None) -> Profile:
    if scored is None:
        return measured
    score, is_same_model = scored
    return measured._with_score(score, is_same_model=is_same_model)


def _kept(measured: Profile, location: str | None) -> Profile:
    """Measuring took long, so that a database that fails at last must not cost the profile."""
    if location is not None:
        try:
            measured._profiled.keep(location)
        except Error as error:
            warn(f"the profile is not in the database: {error}", DatabaseWarning)
    return measured


def _threads(given: int | None) -> int:
    return 1 if given is None else _arguments.whole_number("threads", given, 1, 1024)


def data_files(
    data: Mapping[str, str | os.PathLike[str]] | Sequence[str | os.PathLike[str]],
) -> list[str]:
    if isinstance(data, Mapping):
        return [f"{name}={os.fspath(file)}" for name, file in data.items()]
    return [os.fspath(one) for one in data]


def saved_arrays(x: Any, path: str, folder: str) -> dict[str, str]:
    """Arrays and tensors among the inputs, as files that the engine reads."""
    saved: dict[str, str] = {}
    for place, (name, given) in enumerate(
        by_name(x, lambda: _core.input_names_of_file(path)).items()
    ):
        if not hasattr(given, "__array__"):
            continue
        _sources.need("numpy", "numpy", "measuring with arrays")
        import numpy as np

        file = Path(folder) / f"input_{place}.npy"
        np.save(file, np.asarray(given))
        saved[name] = str(file)
    return saved
