"""Export in a process whose Keras runs on TensorFlow."""

from __future__ import annotations

import re
from typing import Any

from jouletree._onnx_model import OnnxModel
from jouletree.errors import BadInput
from jouletree.keras import conversion, naming, tracing
from jouletree.keras.layers import LayerTree
from jouletree.keras.reasons import export_reason
from jouletree.keras.signatures import Signature, named_inputs, signature_of
from jouletree.keras.state import unchanged


def exported_here(model: Any, x: Any) -> OnnxModel:
    """The model stays as it is, also where it was never built."""
    name = str(model.name)
    signature = signature_of(model, x)
    with unchanged(model):
        tree = LayerTree(model)
        function = tracing.traced(model, signature, tree)
        if not function.outputs:
            raise BadInput(f"{name} returns no tensor: there is nothing to count")
        outputs = _output_names(model, len(function.outputs))
        made = _converted(function, signature, outputs, tree)
        naming.check_operators(made, tree, name)
        naming.name_after_layers(made, tree)
    return OnnxModel(made.SerializeToString(), name, named_inputs(signature, x))


def _converted(function: Any, signature: Signature, outputs: list[str], tree: LayerTree) -> Any:
    """Names the layer whose operation fails where the exporter tells the operation."""
    name = str(tree.places[0].layer.name)
    try:
        return conversion.converted(function, signature.leaves, outputs, name)
    except BadInput as error:
        told = re.search(r"\S*jouletree\d+x\S*", str(error.__cause__))
        found = tree.marked_in(told[0]) if told is not None else None
        if error.__cause__ is None or found is None or not found[0].path:
            raise
        raise BadInput(
            f"{tree.name_of(found[0], name)} cannot be exported to ONNX: "
            f"{export_reason(error.__cause__)}"
        ) from error


def _output_names(model: Any, count: int) -> list[str]:
    names = [str(one) for one in getattr(model, "output_names", None) or []]
    if len(names) != count or len(set(names)) != count:
        return [f"output_{place}" for place in range(count)]
    return [f"output_{one}" for one in names]
