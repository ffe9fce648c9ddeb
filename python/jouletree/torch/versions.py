"""How often tensors were written to, as autograd counts it."""

from __future__ import annotations

import torch


class Versions:
    """To be put back together with what the tensors held: a graph of the user's that remembers them
    can then still be differentiated."""

    def __init__(self, tensors: list[torch.Tensor]) -> None:
        counted = [tensor for tensor in tensors if not tensor.is_inference()]
        self._held = [(tensor, tensor._version) for tensor in counted]

    def restore(self) -> None:
        changed = [(tensor, held) for tensor, held in self._held if tensor._version != held]
        put_back = getattr(torch._C._autograd, "_unsafe_set_version_counter", None)
        if put_back is None or not changed:
            return
        tensors, versions = zip(*changed, strict=True)
        try:
            put_back(tensors, versions)
        except TypeError:  # Older versions take them one by one.
            for tensor, version in changed:
                put_back(tensor, version)
