#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace jouletree::test {

/// One dense tensor to feed. `data` holds the elements in row-major order, little-endian.
struct EngineInput {
  std::string name;
  int onnx_type = 0;  ///< TensorProto.DataType, the same numbers as ONNXTensorElementDataType.
  std::vector<std::int64_t> dims;
  std::vector<std::byte> data;
};

/// What a test fixes about the inputs of a model; the rest is random.
struct InputRequest {
  std::map<std::string, std::vector<std::int64_t>> shapes;  ///< Input name to its full shape.
  std::map<std::string, std::int64_t> dims;                 ///< Symbolic dimension to its size.
  /// Input name to its elements; a single one fills the whole tensor.
  std::map<std::string, std::vector<double>> values;
};

/// Seeded inputs for every graph input that no initializer fills: integers in [0, 10), floats in
/// [-1, 1), bools true, and ones where the name ends with "mask". Throws std::runtime_error for an
/// input that is no dense numeric tensor, a dimension that neither the model nor the request knows,
/// and a request for an input or dimension that the model lacks.
std::vector<EngineInput> random_inputs(const std::filesystem::path& model,
                                       const InputRequest& request, std::uint32_t seed = 1);

/// The inputs (input_0.pb, input_1.pb, ...) of an ONNX test data set, which belong to the graph
/// inputs in their order. Throws std::runtime_error as random_inputs() does.
std::vector<EngineInput> read_test_data_set(const std::filesystem::path& model,
                                            const std::filesystem::path& folder);

/// All bytes of a file. Throws std::runtime_error if it cannot be read.
std::string read_bytes(const std::filesystem::path& file);

}  // namespace jouletree::test
