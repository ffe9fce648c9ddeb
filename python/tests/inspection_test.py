"""Counting files."""

from __future__ import annotations

import pathlib

import pytest

import jouletree as jt


def test_a_missing_file_is_bad_input_with_the_sentence_of_the_command(
    tmp_path: pathlib.Path,
) -> None:
    with pytest.raises(jt.BadInput, match=r"absent\.onnx"):
        jt.inspect(tmp_path / "absent.onnx")
