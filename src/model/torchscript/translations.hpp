#pragma once

#include "model/torchscript/node_draft.hpp"

namespace jouletree::model::torchscript {

/// Fills inputs and attributes of a draft; may choose another operator.
using Translation = void (*)(NodeDraft& draft);

// What operators share that take their tensors in the order of the operator table.
void all_tensors(NodeDraft& draft);
void first_tensor(NodeDraft& draft);

// Convolutions, by signature.
void convolution(NodeDraft& draft);      ///< …, stride, padding, dilation, groups
void any_convolution(NodeDraft& draft);  ///< …, dilation, transposed, output_padding, groups
void transposed_convolution(NodeDraft& draft);
void packed_convolution(NodeDraft& draft);
void packed_transposed_convolution(NodeDraft& draft);
void quantized_convolution(NodeDraft& draft);

// Matrix products.
void matrices_then_addend(NodeDraft& draft);  ///< addmm(c, a, b) is Gemm(a, b, c).
void linear(NodeDraft& draft);                ///< Of a matrix it is a Gemm.
void packed_linear(NodeDraft& draft);
void einsum_of_list(NodeDraft& draft);

// Windows.
void max_pool(NodeDraft& draft);
void average_pool(NodeDraft& draft);
void adaptive_average_pool(NodeDraft& draft);
void adaptive_max_pool(NodeDraft& draft);

// Others whose cost depends on more than shapes.
void batch_norm(NodeDraft& draft);
void clamp(NodeDraft& draft);
void clamp_below(NodeDraft& draft);
void clamp_above(NodeDraft& draft);
void gelu(NodeDraft& draft);
void resize_nearest(NodeDraft& draft);
void resize_linear(NodeDraft& draft);
void resize_cubic(NodeDraft& draft);
void masked_choice(NodeDraft& draft);  ///< masked_fill(x, mask, value) is Where(mask, value, x).
void attention(NodeDraft& draft);

}  // namespace jouletree::model::torchscript
