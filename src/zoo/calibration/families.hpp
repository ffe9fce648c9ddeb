#pragma once

#include "zoo/calibration/chain.hpp"

// One function for each kind of work that real models are made of. Each adds a chain of operators
// of that kind to an empty model, in sizes that the draw decides.
namespace jouletree::zoo {

void write_convolutions(Chain& chain);
void write_pointwise_convolutions(Chain& chain);
void write_grouped_convolutions(Chain& chain);
void write_line_convolutions(Chain& chain);
void write_other_convolutions(Chain& chain);
void write_linear_layers(Chain& chain);
void write_row_products(Chain& chain);
void write_half_products(Chain& chain);
void write_attention(Chain& chain);
void write_arithmetic(Chain& chain);
void write_activations(Chain& chain);
void write_moves(Chain& chain);
void write_transpositions(Chain& chain);
void write_lookups(Chain& chain);
void write_normalisations(Chain& chain);
void write_reductions(Chain& chain);
void write_pools(Chain& chain);
void write_resizes(Chain& chain);
void write_dynamic_int8(Chain& chain);
void write_dynamic_convolutions(Chain& chain);
void write_few_bits(Chain& chain);
void write_static_int8(Chain& chain);
void write_recurrent(Chain& chain);
void write_small_calls(Chain& chain);
void write_image_models(Chain& chain);
void write_encoders(Chain& chain);
void write_decoders(Chain& chain);

}  // namespace jouletree::zoo
