"""Exported programs and traced graphs as modules, with the module paths that their nodes
remember."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from torch import fx, nn
from torch.utils import _pytree as pytree

from jouletree.errors import BadInput
from jouletree.torch.live import call_arguments, uncompiled
from jouletree.torch.modules import Path

if TYPE_CHECKING:
    from jouletree.torch.recording import Recorder


def module_of(model: Any) -> nn.Module:
    """The module to run: of an ExportedProgram its module, of a compiled module what was
    compiled."""
    if isinstance(model, nn.Module):
        return uncompiled(model)
    if type(model).__name__ == "ExportedProgram":
        made = model.module()
        assert isinstance(made, nn.Module)
        return made
    raise BadInput(
        f"a model is a torch.nn.Module or an ExportedProgram, not {type(model).__name__}"
    )


def given_inputs(
    model: Any, inputs: Any, kwargs: Mapping[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """How a model is called with what a user gives. A program of torch.export that is given nothing
    is called with what it was exported with."""
    args, named = call_arguments(inputs)
    examples = getattr(model, "example_inputs", None)
    if inputs is None and not kwargs and not isinstance(model, nn.Module) and examples is not None:
        args, named = examples
    return tuple(args), {**named, **kwargs}


def run_exported(
    recorder: Recorder, module: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Calls the module. The graph of an exported one is walked node by node, because its modules
    are never called."""
    if not isinstance(module, fx.GraphModule) or not _remembers_modules(module):
        return module(*args, **kwargs)
    walk = _PathInterpreter(module, recorder.watch.say_path)
    flat = _flat_inputs(module.graph._codegen, args, kwargs)
    return module.graph.process_outputs(walk.run(*flat, enable_io_processing=False))


def _flat_inputs(codegen: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
    """Named arguments stand in the order in which the program was exported."""
    info = getattr(codegen, "pytree_info", None)
    if info is None:
        return [*args, *kwargs.values()]
    wanted = pytree.tree_unflatten(list(range(info.in_spec.num_leaves)), info.in_spec)
    ordered = {name: kwargs[name] for name in wanted[1] if name in kwargs}
    return list(pytree.tree_leaves((args, ordered)))


def _remembers_modules(module: fx.GraphModule) -> bool:
    return any(
        node.op == "call_function" and node.meta.get("nn_module_stack")
        for node in module.graph.nodes
    )


class _PathInterpreter(fx.Interpreter):
    """Runs a graph and says before every node which module it came from."""

    def __init__(self, module: fx.GraphModule, say_path: Callable[[Path | None], None]) -> None:
        super().__init__(module)
        self._say_path = say_path

    def run_node(self, n: fx.Node) -> Any:
        self._say_path(_path_of(n))
        try:
            return super().run_node(n)
        finally:
            self._say_path(None)


def _path_of(node: fx.Node) -> Path:
    """The stack of a node holds full paths: ("", Net), ("layer1", Sequential), ("layer1.0",
    Block)."""
    stack = node.meta.get("nn_module_stack")
    if not stack:
        return ()
    steps: list[str] = []
    parent = ""
    for path, kind in stack.values():
        plain = str(path).removeprefix("L['self']").lstrip(".")
        own = (
            plain.removeprefix(parent + ".") if parent and plain.startswith(parent + ".") else plain
        )
        if plain and plain != parent:
            type_name = kind.__name__ if isinstance(kind, type) else str(kind).rsplit(".", 1)[-1]
            parts = own.split(".")
            # Containers in between are never called, so the stack leaves them out.
            steps += [f"{part}()" for part in parts[:-1]] + [f"{parts[-1]}({type_name})"]
            parent = plain
    return tuple(steps)
