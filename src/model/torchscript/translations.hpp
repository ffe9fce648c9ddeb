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
void padding_first_convolution(NodeDraft& draft);  ///< …, padding, stride, dilation, groups
void bare_convolution(NodeDraft& draft);           ///< The same without a bias.
void kernel_convolution(NodeDraft& draft);         ///< …, kernel, bias, stride, padding, dilation
void deformed_convolution(NodeDraft& draft);
void convolution_gradient(NodeDraft& draft);

// Matrix products.
void matrices_then_addend(NodeDraft& draft);  ///< addmm(c, a, b) is Gemm(a, b, c).
void linear(NodeDraft& draft);                ///< Of a matrix it is a Gemm.
void packed_linear(NodeDraft& draft);
void einsum_of_list(NodeDraft& draft);
void two_matrices(NodeDraft& draft);  ///< What follows are scales.

// Windows.
void max_pool(NodeDraft& draft);
void average_pool(NodeDraft& draft);
void adaptive_average_pool(NodeDraft& draft);
void adaptive_max_pool(NodeDraft& draft);

// Others whose cost depends on more than shapes.
void batch_norm(NodeDraft& draft);
void legit_batch_norm(NodeDraft& draft);     ///< Of two signatures.
void idle_batch_norm(NodeDraft& draft);      ///< Running statistics stay as they are.
void updating_batch_norm(NodeDraft& draft);  ///< Only ever used in training.
void fourier(NodeDraft& draft);
void real_fourier(NodeDraft& draft);
void fourier_to_real(NodeDraft& draft);
void bag_of_rows(NodeDraft& draft);
void boundaries_first(NodeDraft& draft);  ///< bucketize(values, boundaries)
void clamp(NodeDraft& draft);
void clamp_below(NodeDraft& draft);
void clamp_above(NodeDraft& draft);
void gelu(NodeDraft& draft);
void resize_nearest(NodeDraft& draft);
void resize_linear(NodeDraft& draft);
void resize_cubic(NodeDraft& draft);
void masked_choice(NodeDraft& draft);  ///< masked_fill(x, mask, value) is Where(mask, value, x).

// Attention and recurrent layers.
void attention(NodeDraft& draft);
void attention_without_mask(NodeDraft& draft);
void cpu_attention(NodeDraft& draft);  ///< The mask stands behind other arguments.
void attention_heads_last(NodeDraft& draft);
void biased_attention_heads_last(NodeDraft& draft);
void attention_gradient(NodeDraft& draft);
void attention_gradient_heads_last(NodeDraft& draft);
void native_attention(NodeDraft& draft);
void transformer_layer(NodeDraft& draft);
void recurrent_layer(NodeDraft& draft);
void packed_recurrent_stack(NodeDraft& draft);
void recurrent_stack(NodeDraft& draft);

// Training.
void gelu_gradient(NodeDraft& draft);
void average_pool_gradient(NodeDraft& draft);
void picked_loss(NodeDraft& draft);
void picked_loss_gradient(NodeDraft& draft);
void fused_step(NodeDraft& draft);

// Operators that are taken apart when they run.
void whole_recurrent_stack(NodeDraft& draft);   ///< lstm(values, states, weights, …)
void recurrent_cell(NodeDraft& draft);          ///< lstm_cell(values, states, four weights)
void contraction(NodeDraft& draft);             ///< tensordot(a, b, axes of a, axes of b)
void time_first_convolution(NodeDraft& draft);  ///< Weights are kernel x in x out.
void named_fourier(NodeDraft& draft);           ///< fft_rfft(x, length, axes)
void windowed_fourier(NodeDraft& draft);        ///< stft(x, length of a window)

}  // namespace jouletree::model::torchscript
