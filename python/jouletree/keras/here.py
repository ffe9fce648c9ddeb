"""Export in a process whose Keras runs on TensorFlow."""

from __future__ import annotations

from typing import Any

from jouletree._onnx_model import OnnxModel
from jouletree.errors import BadInput
from jouletree.keras import conversion, naming, tracing
from jouletree.keras.layers import LayerTree
from jouletree.keras.signatures import named_inputs, signature_of
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
        made = conversion.converted(function, signature.leaves, outputs, name)
        naming.check_operators(made, tree, name)
        naming.name_after_layers(made, tree)
    return OnnxModel(made.SerializeToString(), name, named_inputs(signature, x))


def _output_names(model: Any, count: int) -> list[str]:
    names = [str(one) for one in getattr(model, "output_names", None) or []]
    if len(names) != count or len(set(names)) != count:
        return [f"output_{place}" for place in range(count)]
    return [f"output_{one}" for one in names]
