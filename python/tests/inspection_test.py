"""Counting models that are files, bytes or names."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Callable

import pytest

import jouletree as jt

Command = Callable[..., str]


def test_prints_what_the_command_prints(small_bert: str, command: Command, spoken: Command) -> None:
    result = jt.inspect(small_bert, dims={"batch": 2, "sequence": 16})
    words = ("inspect", small_bert, "--dim", "batch=2", "--dim", "sequence=16")

    assert f"{result}\n" == spoken(*words)
    assert repr(result) == str(result)
    assert result.table(by="type", sort="macs") == spoken(*words, "--by", "type", "--sort", "macs")
    assert result.table(depth=1) == spoken(*words, "--depth", 1)
    assert result.to_json() == command(*words, "--format", "json")


def test_a_zoo_name_counts_what_its_file_counts(tmp_path: pathlib.Path, command: Command) -> None:
    file = tmp_path / "squeezed.onnx"
    command("zoo", "build", "mobilenet-v2", "-o", file)

    by_name = jt.inspect("mobilenet-v2").metrics
    by_file = jt.inspect(file).metrics

    for name in ("params", "macs", "flops", "bytes_moved", "activation_bytes"):
        assert by_name[name] == by_file[name]
    assert float(by_name["size_bytes"]) == pytest.approx(float(by_file["size_bytes"]), rel=0.01)
    assert not any("missing" in note for note in jt.inspect("mobilenet-v2").notes)


def test_numbers_have_value_unit_and_provenance(small_bert: str) -> None:
    result = jt.inspect(small_bert)

    params = result.metrics["params"]
    assert params == jt.Quantity(params.value, "1", None, None, "counted")
    assert sum(op.macs.value or 0 for op in result.operators) == result.metrics["macs"].value
    assert result.modules[0].params.value == params.value
    assert result.modules[0].level == 0
    assert {one.type for one in result.types} == {op.type for op in result.operators}
    assert result.coverage.value == 1
    assert any("batch" in note for note in result.notes)
    assert float(params) == params.value
    with pytest.raises(KeyError, match="there is no metric 'parms'"):
        result.metrics["parms"]


def test_inputs_are_given_by_name_in_order_or_alone(small_bert: str) -> None:
    by_dims = jt.inspect(small_bert, dims={"batch": 2, "sequence": 16}).metrics["macs"]
    names = [given["name"] for given in jt.inspect(small_bert).inputs]

    shapes = [(2, 16)] * len(names)
    assert jt.inspect(small_bert, shapes).metrics["macs"] == by_dims
    assert jt.inspect(small_bert, dict(zip(names, shapes, strict=True))).metrics["macs"] == by_dims
    assert jt.inspect(small_bert, (2, 16)).inputs[0]["shape"] == [2, 16]
    with pytest.raises(jt.BadInput, match="but 9 were given"):
        jt.inspect(small_bert, [(2, 16)] * 9)


def test_arrays_stand_for_their_shapes_and_types(small_bert: str) -> None:
    np = pytest.importorskip("numpy", reason="NumPy is not installed")
    names = [given["name"] for given in jt.inspect(small_bert).inputs]

    result = jt.inspect(small_bert, {name: np.zeros((3, 5), np.int64) for name in names})
    assert result.inputs[0]["shape"] == [3, 5]
    with pytest.raises(jt.BadInput, match="float32"):
        jt.inspect(small_bert, {names[0]: np.zeros((3, 5), np.float32)})


def test_bytes_and_protos_count_as_the_file_does(small_bert: str) -> None:
    content = pathlib.Path(small_bert).read_bytes()
    expected = jt.inspect(small_bert).metrics["macs"]

    assert jt.inspect(content).metrics["macs"] == expected
    onnx = pytest.importorskip("onnx", reason="the package onnx is not installed")
    assert jt.inspect(onnx.load(small_bert)).metrics["macs"] == expected


def test_files_are_chosen_by_their_endings(
    small_bert: str, tmp_path: pathlib.Path, command: Command
) -> None:
    result = jt.inspect(small_bert)

    for ending, name in (("csv", "csv"), ("jsonl", "jsonl"), ("json", "json")):
        written = result.save(tmp_path / f"out.{ending}").read_text()
        assert written == command("inspect", small_bert, "--format", name)
    with pytest.raises(jt.BadInput, match=r"\.jsonl, \.csv, \.json"):
        result.save(tmp_path / "out.txt")


def test_a_frame_has_one_row_per_operator(small_bert: str) -> None:
    pytest.importorskip("pandas", reason="pandas is not installed")
    result = jt.inspect(small_bert)

    frame = result.to_pandas()

    assert len(frame) == len(result.operators)
    assert frame["macs"].sum() == result.metrics["macs"].value


def test_a_notebook_shows_a_table_and_a_tree_of_bounded_size() -> None:
    page = jt.inspect("densenet-201" if "densenet-201" in jt.zoo() else "xlnet-base-cased")

    html = page._repr_html_()

    assert html.count("<details") == html.count("</details>")
    assert html.count("<details") > 10
    assert "<table>" in html and "Parameters" in html
    assert len(html) < 200_000


def test_names_in_a_model_cannot_break_the_page() -> None:
    onnx = pytest.importorskip("onnx", reason="the package onnx is not installed")
    helper = onnx.helper
    tensor = helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, [1])
    result = helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, [1])
    node = helper.make_node("Relu", ["x"], ["y"], name="/a/<script>alert(1)</script>")
    model = helper.make_model(helper.make_graph([node], "<b>bold</b>", [tensor], [result]))

    html = jt.inspect(model)._repr_html_()

    assert "<script>" not in html
    assert "<b>bold" not in html


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"dims": {"batch": "8"}}, "dims: 'batch' is '8': give a size"),
        ({"dims": {"batch": -1}}, "dims: 'batch' is -1: give a size"),
        ({"dims": {"batch": True}}, "dims: 'batch' is True: give a size"),
        ({"dims": {3: 8}}, "names are strings, but one is 3"),
        ({"dims": {"bach": 8}}, "bach"),
        ({"x": {"input_ids": "1x8"}}, "inputs: 'input_ids' is '1x8': give its sizes"),
        ({"values": {"input_ids": object}}, "give a number, True or False"),
    ],
)
def test_arguments_that_cannot_be_used_are_named(
    small_bert: str, arguments: dict[str, object], sentence: str
) -> None:
    with pytest.raises(jt.BadInput, match=sentence):
        jt.inspect(small_bert, **arguments)  # type: ignore[arg-type]


def test_a_missing_file_is_bad_input_with_the_sentence_of_the_command(
    tmp_path: pathlib.Path,
) -> None:
    with pytest.raises(jt.BadInput, match=r"absent\.onnx: there is no such file; check the path"):
        jt.inspect(tmp_path / "absent.onnx")
    with pytest.raises(ValueError, match="int cannot be read"):
        jt.inspect(3)
    with pytest.raises(jt.Error):
        jt.inspect(b"no model")


def test_json_is_one_object(small_bert: str) -> None:
    assert json.loads(jt.inspect(small_bert).to_json("op"))["operators"]


def test_a_class_and_an_empty_path_are_no_models() -> None:
    class Net:
        pass

    for ask in (jt.inspect, jt.profile):
        with pytest.raises(jt.BadInput, match=r"^Net is a class: make an instance of it"):
            ask(Net)
        with pytest.raises(jt.BadInput, match=r"^the path of the model is empty"):
            ask("")


def test_what_is_no_folder_is_no_profile() -> None:
    with pytest.raises(jt.BadInput, match=r"folder is None: give a folder that Profile.save"):
        jt.load(None)  # type: ignore[arg-type]


def test_sizes_of_dimensions_are_whole_numbers_by_name() -> None:
    with pytest.raises(jt.BadInput, match=r"dims is \[3\]: give a dictionary"):
        jt.inspect("resnet-18", dims=[3])  # type: ignore[arg-type]


def test_the_usual_totals_have_names_as_nodes_do() -> None:
    result = jt.inspect("alexnet")
    for name in ("params", "macs", "flops"):
        assert getattr(result, name) == result.metrics[name]
        assert getattr(result, name).value == getattr(result.modules[0], name).value


def test_what_cannot_be_a_size_a_depth_or_a_path_is_one_sentence(tmp_path: pathlib.Path) -> None:
    with pytest.raises(jt.BadInput, match=r"'batch' is 10+: the size is too large"):
        jt.inspect("resnet-18", dims={"batch": 10**30})
    result = jt.inspect("resnet-18")
    with pytest.raises(jt.BadInput, match="depth is -1: give a whole number, 0 or more"):
        result.table(depth=-1)
    with pytest.raises(jt.BadInput, match="path is empty: give the path of a file"):
        result.save("")
