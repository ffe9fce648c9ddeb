"""`jouletree.profile` of PyTorch's files, and what they are run with."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch")

import numpy as np
from model_files import Grouped, Scaled, Worded, exported, frozen, scripted

import jouletree as jt
from jouletree.torch.files import GivenInputs, input_names, load_file

QUICK: dict[str, Any] = {"budget": "1s", "baseline": 0}


def arguments(path: str, **given: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    return GivenInputs(**given).arguments(load_file(path))


def test_only_what_has_no_default_must_be_given(tmp_path: Path) -> None:
    path = scripted(Scaled(), tmp_path / "m.pt")
    assert input_names(load_file(path)) == ["x", "times", "shift"]
    (x, times, shift), named = arguments(path, shapes={"x": (2, 16)})
    assert x.shape == (2, 16) and x.dtype == torch.float32
    assert (times, shift, named) == (2, None, {})
    (_, times, shift), _ = arguments(
        path, shapes={"x": (2, 16), "shift": (8,)}, values={"times": [5]}, types={"x": "float64"}
    )
    assert times == 5 and shift.shape == (8,)


def test_random_inputs_follow_the_seed(tmp_path: Path) -> None:
    path = scripted(Scaled(), tmp_path / "m.pt")
    first, again, other = (
        arguments(path, shapes={"x": (2, 16)}, seed=seed)[0][0] for seed in (1, 1, 2)
    )
    assert torch.equal(first, again) and not torch.equal(first, other)


def test_lists_and_tuples_are_given_part_by_part(tmp_path: Path) -> None:
    path = scripted(Grouped(), tmp_path / "m.pt")
    shapes = {"parts.0": (1, 4), "parts.1": (2, 4), "pair.0": (3,), "pair.1": (4,)}
    (parts, pair, share), _ = arguments(path, shapes=shapes, values={"share": [0.5]})
    assert [tuple(part.shape) for part in parts] == [(1, 4), (2, 4)]
    assert [tuple(part.shape) for part in pair] == [(3,), (4,)] and share == 0.5


def test_all_that_is_missing_is_named_at_once(tmp_path: Path) -> None:
    with pytest.raises(jt.BadInput) as told:
        arguments(scripted(Grouped(), tmp_path / "m.pt"))
    for words in ("parts.0=SHAPE", "pair.0=SHAPE", "pair.1=SHAPE", "--value share=NUMBER"):
        assert words in str(told.value)


def test_whole_numbers_are_made_for_masks_and_indices(tmp_path: Path) -> None:
    model = load_file(scripted(Worded(), tmp_path / "m.pt"))
    given = GivenInputs(shapes={"input_ids": (1, 5), "attention_mask": (1, 5)})
    (ids, mask), _ = given.arguments(model)
    assert ids.dtype == mask.dtype == torch.int64
    assert ids.sum() == 0 and mask.sum() == 5
    assert "input_ids, attention_mask" in given.notes()[0]
    with_data = GivenInputs(tensors={"input_ids": ids, "attention_mask": mask})
    with_data.arguments(model)
    assert with_data.notes() == []


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"shapes": {"y": (1,)}}, "no input 'y'; its inputs are: x, times, shift"),
        ({"shapes": {"x": (2,)}, "values": {"x": [1, 2, 3]}}, "2 elements, but 3 values"),
        ({"shapes": {"x": (2,)}, "types": {"x": "float7"}}, "float7"),
    ],
)
def test_what_does_not_fit_is_said(tmp_path: Path, given: dict[str, Any], says: str) -> None:
    with pytest.raises(jt.BadInput, match=says):
        arguments(scripted(Scaled(), tmp_path / "m.pt"), **given)


def test_a_program_of_torch_export_runs_with_the_inputs_it_was_exported_with(
    tmp_path: Path,
) -> None:
    x = torch.arange(32.0).reshape(2, 16)
    path = exported(Scaled(), tmp_path / "m.pt2", x)
    (given,), named = arguments(path)
    assert torch.equal(given, x) and not named
    (other,), _ = arguments(path, shapes={"x": (2, 16)})
    assert other.shape == (2, 16) and not torch.equal(other, x)


def test_a_broken_file_says_what_pytorch_says(tmp_path: Path) -> None:
    path = tmp_path / "hollow.pt"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("net/data.pkl", b"x")
        archive.writestr("net/code/net.py", b"")
    with pytest.raises(jt.BadInput, match=r"hollow.pt: PyTorch .* cannot load it: .+"):
        jt.profile(path, (1,))


def test_a_torchscript_file_is_profiled_by_its_path(tmp_path: Path) -> None:
    path = scripted(Scaled(), tmp_path / "small.pt")
    state = torch.get_rng_state()
    profile = jt.profile(path, (4, 16), **QUICK)
    assert torch.equal(torch.get_rng_state(), state)
    assert profile.name == "small"
    assert profile.metrics["params"].value == 16 * 32 + 32 + 32 * 8 + 8
    assert profile.metrics["size_bytes"].value == Path(path).stat().st_size
    assert {"first", "second"} <= {node.scope for node in profile.modules}
    assert torch.is_grad_enabled()


@pytest.mark.parametrize("given", ["tensor", "array", "names", "file"])
def test_inputs_are_given_as_for_other_models(tmp_path: Path, given: str) -> None:
    path = scripted(Scaled(), tmp_path / "small.pt")
    data = np.ones((3, 16), np.float32)
    np.save(tmp_path / "x.npy", data)
    inputs: dict[str, dict[str, Any]] = {
        "tensor": {"x": torch.from_numpy(data)},
        "array": {"x": data},
        "names": {"x": {"x": (3, 16), "shift": (8,)}, "values": {"times": 7}},
        "file": {"data": {"x": tmp_path / "x.npy"}},
    }
    profile = jt.profile(path, **inputs[given], **QUICK)
    assert "3x16" in str(profile)


def test_weights_that_freezing_put_into_the_code_are_parameters(tmp_path: Path) -> None:
    path = frozen(Scaled(), tmp_path / "frozen.pt")
    profile = jt.profile(path, (4, 16), **QUICK)
    assert profile.metrics["params"].value == 16 * 32 + 32 + 32 * 8 + 8


def test_a_program_of_torch_export_is_profiled_by_its_path(tmp_path: Path) -> None:
    path = exported(Scaled(), tmp_path / "small.pt2", torch.ones(4, 16))
    profile = jt.profile(path, **QUICK)
    assert profile.metrics["params"].value == 16 * 32 + 32 + 32 * 8 + 8
    assert {"first", "second"} <= {node.scope for node in profile.modules}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({}, r"x=\{'x': SHAPE\}"),
        ({"x": (4, 15)}, "shapes cannot be multiplied"),
        ({"x": (4, 16), "dims": {"batch": 4}}, "does not name its dimensions"),
        ({"x": (4, 16), "level": "basic"}, "level is for ONNX files"),
        ({"x": (4, 16), "device": "nowhere"}, "cannot load it"),
        ({"x": (4, 16), "data": ["a.npy"]}, "a.npy"),
        ({"x": (4, 16), "mode": "train"}, "mode: only for live PyTorch models"),
    ],
)
def test_what_cannot_be_done_is_said_in_pythons_words(
    tmp_path: Path, arguments: dict[str, Any], says: str
) -> None:
    path = scripted(Scaled(), tmp_path / "small.pt")
    with pytest.raises(jt.BadInput, match=says) as told:
        jt.profile(path, **arguments, **QUICK)
    assert "--" not in str(told.value)


def test_live_scripted_models_say_what_was_wrong(tmp_path: Path) -> None:
    model = torch.jit.load(scripted(Scaled(), tmp_path / "m.pt"))
    with pytest.raises(jt.BadInput, match=r"shapes cannot be multiplied \(2x5 and 16x32\)"):
        jt.profile(model, torch.ones(2, 5), **QUICK)


@pytest.mark.parametrize("make", [scripted, frozen])
def test_a_torchscript_file_is_counted_by_its_path(tmp_path: Path, make: Any) -> None:
    counted = jt.inspect(make(Scaled(), tmp_path / "small.pt"), (4, 16))
    assert counted.name == "small"
    assert counted.metrics["params"].value == 16 * 32 + 32 + 32 * 8 + 8
    assert counted.metrics["macs"].value == 4 * (16 * 32 + 32 * 8)


def test_a_program_of_torch_export_is_counted_by_its_path(tmp_path: Path) -> None:
    counted = jt.inspect(exported(Scaled(), tmp_path / "small.pt2", torch.ones(4, 16)))
    assert counted.metrics["macs"].value == 4 * (16 * 32 + 32 * 8)
    assert {"first", "second"} <= {node.scope for node in counted.modules}


@pytest.mark.parametrize(
    "given",
    [
        lambda image, sound, scale: [image, sound, scale],
        lambda image, sound, scale: {"parts_image": image, "parts_sound": sound, "scale": scale},
        lambda image, sound, scale: {"parts.image": image, "parts.sound": sound, "scale": scale},
        lambda image, sound, scale: {"parts": {"image": image, "sound": sound}, "scale": scale},
        lambda image, sound, scale: ({"image": image, "sound": sound}, scale),
    ],
)
def test_inputs_of_a_program_in_dictionaries_are_given_in_any_way(
    given: Any, tmp_path: Path
) -> None:
    class Mixed(torch.nn.Module):  # type: ignore[misc, name-defined]
        def forward(self, parts: Any, *, scale: Any) -> Any:
            return (parts["image"] @ parts["sound"]) * scale

    tensors = torch.randn(4, 8), torch.randn(8, 3), torch.tensor(2.0)
    image, sound, scale = tensors
    program = torch.export.export(Mixed(), ({"image": image, "sound": sound},), {"scale": scale})
    torch.export.save(program, tmp_path / "mixed.pt2")
    path, x = tmp_path / "mixed.pt2", given(*tensors)
    assert jt.inspect(path, x).metrics["macs"].value == 4 * 8 * 3
    profile = jt.profile(path, x, budget="1s", baseline=0, modules=False)
    assert profile.metrics["macs"].value == 4 * 8 * 3
