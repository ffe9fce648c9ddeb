"""Model files of PyTorch: TorchScript, and programs of torch.export.

Example:
    >>> model = load_file("net.pt")
    >>> args, kwargs = GivenInputs(shapes={"x": (1, 3, 224, 224)}).arguments(model)
    >>> model(*args, **kwargs)
"""

from __future__ import annotations

import ctypes
import importlib
import math
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch.utils import _pytree as pytree

from jouletree.errors import BadInput
from jouletree.torch.module_inputs import forward_names, module_arguments, takes_any
from jouletree.torch.reasons import reason_of
from jouletree.torch.scripted import is_scripted

#: What torch.export.save calls the only program of an archive.
_MAIN_PROGRAM = "model"
#: Names that people give to inputs that hold whole numbers; a TorchScript file does not say it.
_INDICES = ("ids", "mask", "indices", "index", "tokens", "positions")


def load_file(path: str, device: str = "cpu") -> Any:
    """The module or the exported program in the file, in eval mode where it has one."""
    try:
        where = torch.device(device)
        if is_exported(path):
            return _loaded_program(path, where)
        return torch.jit.load(path, map_location=where).eval()  # type: ignore[no-untyped-call]
    except BadInput:
        raise
    except Exception as error:
        raise BadInput(f"PyTorch {torch.__version__} cannot load it: {reason_of(error)}") from error


def is_exported(path: str) -> bool:
    """Whether torch.export wrote it; it must be a zip archive."""
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
    return any(
        name.rpartition("/")[2] in ("archive_format", "serialized_exported_program.json")
        for name in names
    )


def refuse_to_move_program(device: torch.device) -> None:
    """Raises BadInput unless the device is where programs of torch.export are."""
    if device.type != "cpu":
        raise BadInput(
            f"a program of torch.export stays on the device that it was exported on; export it "
            f"on {device}"
        )


def _loaded_program(path: str, device: torch.device) -> Any:
    refuse_to_move_program(device)
    names = _program_names(path)
    if len(names) == 1 and names != [_MAIN_PROGRAM]:
        package: Any = importlib.import_module("torch.export.pt2_archive._package")
        return package.load_pt2(path).exported_programs[names[0]]
    if len(names) > 1 and _MAIN_PROGRAM not in names:
        raise BadInput(
            f"the archive holds {len(names)} programs: {', '.join(names)}; save the one that you "
            "want in a file of its own with torch.export.save"
        )
    return torch.export.load(path)


def _program_names(path: str) -> list[str]:
    """Of the programs in an archive; none in those of PyTorch before 2.6."""
    with zipfile.ZipFile(path) as archive:
        found = [name.partition("/")[2] for name in archive.namelist()]
    graphs = [name for name in found if name.startswith("models/") and name.endswith(".json")]
    if not graphs and "archive_format" in found:
        raise BadInput(
            "the archive holds no graph that PyTorch could run operator by operator; save the "
            "program that it was made from: torch.export.save(program, 'model.pt2')"
        )
    return [name.removeprefix("models/").removesuffix(".json") for name in graphs]


def is_live(model: Any) -> bool:
    """Whether Python runs it: neither TorchScript nor a program of torch.export."""
    return isinstance(model, torch.nn.Module) and not is_scripted(model)


def input_names(model: Any) -> list[str]:
    """As the file or the module calls what the model takes."""
    if isinstance(model, torch.jit.ScriptModule):
        return [argument.name for argument in _script_arguments(model)]
    if is_live(model):
        return forward_names(model)
    return [str(node.name) for node in _program_inputs(model)]


def check_input_names(model: Any, given: Iterable[str]) -> None:
    """Raises BadInput for a name, or the name of a part, that is none of the model's."""
    if is_live(model) and takes_any(model):
        return
    names = input_names(model)
    unknown = sorted(name for name in given if name.partition(".")[0] not in names)
    if unknown:
        raise BadInput(f"the model has no input '{unknown[0]}'; its inputs are: {', '.join(names)}")


@dataclass
class GivenInputs:
    """What is known about the inputs by name. Parts of a list or tuple are called `name.0`,
    `name.1`; what nobody says anything about gets random numbers."""

    shapes: Mapping[str, Sequence[int]] = field(default_factory=dict)
    types: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, Sequence[float]] = field(default_factory=dict)
    tensors: Mapping[str, torch.Tensor] = field(default_factory=dict)
    device: str = "cpu"
    seed: int = 1
    #: In the order in which they were given.
    order: Sequence[str] = ()
    #: Inputs of whole numbers that nobody gave.
    made_up: list[str] = field(default_factory=list)

    def arguments(self, model: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """What to call the model with."""
        check_input_names(model, [*self.shapes, *self.values, *self.tensors])
        # Never the same as the numbers that the model draws itself.
        random = torch.Generator().manual_seed(self.seed)
        if isinstance(model, torch.jit.ScriptModule):
            return self._of_script(model, random), {}
        if is_live(model):
            return module_arguments(model, self, random)
        return self._of_program(model, random)

    def notes(self) -> list[str]:
        """What one must know about the inputs."""
        if not self.made_up:
            return []
        who, hint = ("plan", "") if self.order else ("file", "; give real data with --data")
        return [
            f"{', '.join(self.made_up)}: the {who} does not say which whole numbers these may be, "
            f"so masks are all 1 and others all 0{hint}"
        ]

    def names(self) -> list[str]:
        """Of the inputs that somebody says something about, without their parts."""
        given = {*self.shapes, *self.values, *self.tensors}
        ordered = [name for name in self.order if name in given]
        ordered += [*self.shapes, *self.values, *self.tensors]
        return list(dict.fromkeys(name.partition(".")[0] for name in ordered))

    def is_given(self, name: str) -> bool:
        """Whether somebody says something about an input or its parts."""
        named = (self.shapes, self.values, self.tensors)
        return any(name in one or f"{name}.0" in one for one in named)

    # TorchScript.

    def _of_script(self, model: torch.jit.ScriptModule, random: torch.Generator) -> tuple[Any, ...]:
        missing: list[str] = []
        arguments = _script_arguments(model)
        made = [self._made(one.name, one.type, one, random, missing) for one in arguments]
        if missing:
            raise BadInput(
                f"the file does not say how large its inputs are; give {' '.join(missing)}"
            )
        return tuple(made)

    def _made(
        self, name: str, kind: Any, argument: Any, random: torch.Generator, missing: list[str]
    ) -> Any:
        """One argument of a type. `argument` is None inside of lists and tuples."""
        has_default = argument is not None and argument.has_default_value()
        what = kind.kind()
        if what == "OptionalType" and not self.is_given(name):
            return argument.default_value if has_default else None
        if what == "OptionalType":
            return self._made(name, kind.getElementType(), None, random, missing)
        if has_default and not self.is_given(name):
            return argument.default_value
        if what == "TensorType":
            return self.tensor(name, random, missing)
        if what == "ListType" and self.is_given(f"{name}.0"):
            return self._list(name, kind.getElementType(), random, missing)
        if what == "TupleType":
            parts = enumerate(kind.elements())
            return tuple(
                self._made(f"{name}.{at}", one, None, random, missing) for at, one in parts
            )
        if name in self.values:
            return self._number(name, kind)
        holds_tensors = what == "ListType" and kind.getElementType().kind() == "TensorType"
        missing.append(f"--input {name}.0=SHAPE" if holds_tensors else f"--value {name}=NUMBER")
        return None

    def _list(self, name: str, kind: Any, random: torch.Generator, missing: list[str]) -> list[Any]:
        items: list[Any] = []
        while self.is_given(f"{name}.{len(items)}"):
            items.append(self._made(f"{name}.{len(items)}", kind, None, random, missing))
        return items

    def _number(self, name: str, kind: Any) -> Any:
        made = {"IntType": int, "BoolType": bool, "FloatType": float}.get(kind.kind())
        if made is None:
            raise BadInput(f"input '{name}' is a {kind}, which cannot be given as a number")
        return made(self.values[name][0])

    def tensor(self, name: str, random: torch.Generator, missing: list[str]) -> Any:
        """As it was given, else of its shape; None, and a word in `missing`, without one."""
        if name in self.tensors:
            return self.tensors[name].to(self.device)
        if name not in self.shapes:
            missing.append(f"--input {name}=SHAPE")
            return None
        default = "int64" if name.endswith(_INDICES) else "float32"
        dtype = dtype_of(self.types.get(name, default))
        return self._filled(name, tuple(self.shapes[name]), dtype, random)

    def _filled(
        self, name: str, shape: tuple[int, ...], dtype: torch.dtype, random: torch.Generator
    ) -> torch.Tensor:
        if name in self.values:
            return self._with_values(name, shape, dtype)
        if dtype.is_floating_point or dtype.is_complex:
            wide = dtype if dtype.is_complex else torch.float32
            return torch.rand(shape, generator=random, dtype=wide).to(self.device, dtype)
        self.made_up.append(name)
        fill = torch.ones if name.endswith("mask") else torch.zeros
        return fill(shape, dtype=dtype, device=self.device)

    def _with_values(self, name: str, shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
        given = torch.tensor(list(self.values[name]), dtype=torch.float64).to(self.device, dtype)
        if given.numel() == 1:
            return given.expand(shape).clone()
        if given.numel() != math.prod(shape):
            raise BadInput(
                f"input '{name}' has {math.prod(shape)} elements, but {given.numel()} values were "
                "given; give one for all, or one for each"
            )
        return given.reshape(shape)

    # torch.export.

    def _of_program(
        self, program: Any, random: torch.Generator
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Those that it was exported with, where nobody gives others."""
        examples: list[Any] | None = None
        if program.example_inputs is not None:
            examples = pytree.tree_leaves(program.example_inputs)
        nodes = _program_inputs(program)
        leaves = []
        for place, node in enumerate(nodes):
            example = examples[place] if examples is not None else None
            leaves.append(self._leaf(str(node.name), node.meta.get("val"), example, random))
        args, kwargs = pytree.tree_unflatten(leaves, program.call_spec.in_spec)
        return tuple(args), dict(kwargs)

    def _leaf(self, name: str, seen: Any, example: Any, random: torch.Generator) -> Any:
        """`seen` is a tensor without data, or the number that the program was made for."""
        if name in self.tensors:
            return self.tensors[name]
        if not isinstance(seen, torch.Tensor):
            if self.is_given(name):
                raise BadInput(f"input '{name}' is {seen!r} for good: the program was made for it")
            return seen
        if not self.is_given(name) and example is not None:
            return example
        shape = self.shapes.get(name)
        if shape is None:
            # Sizes that may vary are those that the program was exported with.
            shape = [int(size) for size in seen.shape]
        dtype = dtype_of(self.types[name]) if name in self.types else seen.dtype
        return self._filled(name, tuple(shape), dtype, random)


def _script_arguments(model: torch.jit.ScriptModule) -> list[Any]:
    """Of `forward`, without the module itself."""
    if not model._c._has_method("forward"):
        raise BadInput("the file has no method 'forward', so there is nothing to run")
    return list(model._c._get_method("forward").schema.arguments)[1:]


def _program_inputs(program: Any) -> list[Any]:
    """Nodes of what users give, in the order of the flat call."""
    count = program.call_spec.in_spec.num_leaves
    inputs = [node for node in program.graph.nodes if node.op == "placeholder"]
    return inputs[len(inputs) - count :]


def dtype_of(name: str) -> torch.dtype:
    """``"float32"`` as PyTorch's."""
    found = getattr(torch, name, None)
    if not isinstance(found, torch.dtype):
        raise BadInput(f"PyTorch has no tensors of type {name}")
    return found


def tensor_from(file: str, offset: int, type_name: str, shape: Sequence[int]) -> torch.Tensor:
    """A tensor whose elements stand row by row in a file."""
    dtype = dtype_of(type_name)
    made = torch.empty(tuple(shape), dtype=dtype)
    if made.numel() == 0:
        return made
    with Path(file).open("rb") as data:
        data.seek(offset)
        content = bytearray(data.read(made.numel() * made.element_size()))
    return torch.frombuffer(content, dtype=dtype).reshape(tuple(shape)).clone()


def padded(tensor: torch.Tensor, shape: Sequence[int]) -> torch.Tensor:
    """With its last row again until it has as many as the shape says."""
    missing = (shape[0] - tensor.shape[0]) if len(shape) else 0
    if missing <= 0:
        return tensor
    return torch.cat([tensor, tensor[-1:].expand(missing, *tensor.shape[1:])])


def write_elements(tensor: torch.Tensor, file: str) -> None:
    """Row by row. Without NumPy, which a Python with PyTorch need not have."""
    size = tensor.numel() * tensor.element_size()
    content = ctypes.string_at(tensor.data_ptr(), size) if size else b""
    Path(file).write_bytes(content)


def input_shapes(model: Any) -> dict[str, list[int]]:
    """Of a program of torch.export, by name: -1 is any size. TorchScript tells nothing."""
    if isinstance(model, torch.jit.ScriptModule):
        return {}
    shapes: dict[str, list[int]] = {}
    for node in _program_inputs(model):
        seen = node.meta.get("val")
        if isinstance(seen, torch.Tensor):
            shapes[str(node.name)] = [one if isinstance(one, int) else -1 for one in seen.shape]
    return shapes
