"""Random weights that look trained enough for an exporter."""

import torch


@torch.no_grad()
def vary_constants(model):
    """Replaces weights that start as one repeated value (norms, biases) by seeded random ones.

    The exporter stores equal tensors once, which never happens to trained weights and would make
    the file hold fewer parameters than the model.
    """
    for name, tensor in list(model.named_parameters()) + list(model.named_buffers()):
        if not tensor.is_floating_point() or tensor.numel() < 2 or tensor.min() != tensor.max():
            continue
        # Running variances and norm weights start at 1 and must stay positive.
        tensor.add_(torch.rand_like(tensor) * 0.1)
