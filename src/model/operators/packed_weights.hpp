#pragma once

#include "model/operators/table.hpp"

namespace jouletree::model {

// Products with, and look-ups in, a constant matrix whose elements are packed into bytes. The
// matrix has fewer stored elements than logical ones; work is counted for the logical ones.

/// MatMulNBits: N x K weights of 2 to 8 bits, in blocks along K.
void few_bits_matmul(Call& call);
[[nodiscard]] OperatorWork few_bits_matmul_work(const Call& call);

/// MatMulBnb4: N x K weights of 4 bits as one flat list.
void four_bit_matmul(Call& call);
[[nodiscard]] OperatorWork four_bit_matmul_work(const Call& call);

/// MatMulFpQ4: weights as an opaque list of bytes, their shape as an input.
void blob_matmul(Call& call);
[[nodiscard]] OperatorWork blob_matmul_work(const Call& call);

/// MatMulBlockQuantizedFp4Weight and …Fp8Weight: rows of outputs, two or one elements per byte.
void float4_matmul(Call& call);
[[nodiscard]] OperatorWork float4_matmul_work(const Call& call);
void float8_matmul(Call& call);
[[nodiscard]] OperatorWork float8_matmul_work(const Call& call);

/// GatherBlockQuantized: rows of a packed matrix, unpacked.
void gather_blocks(Call& call);
[[nodiscard]] OperatorWork gather_blocks_work(const Call& call);

// How many parameters the packed constants hold.
[[nodiscard]] Count attribute_matrix_parameters(const Node& node, std::size_t position,
                                                const StoredTensor& stored);  ///< N x K.
[[nodiscard]] Count blob_parameters(const Node& node, std::size_t position,
                                    const StoredTensor& stored);
[[nodiscard]] Count float4_parameters(const Node& node, std::size_t position,
                                      const StoredTensor& stored);
[[nodiscard]] Count gathered_parameters(const Node& node, std::size_t position,
                                        const StoredTensor& stored);
[[nodiscard]] Count expert_parameters(const Node& node, std::size_t position,
                                      const StoredTensor& stored);  ///< Of QMoE.

}  // namespace jouletree::model
