#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace jouletree::test {

/// A dimension as a model declares it: a size, a symbol, or neither.
struct DeclaredDim {
  std::int64_t size = -1;
  std::string symbol;
};

/// A graph input that a caller must feed.
struct DeclaredInput {
  std::string name;
  std::string kind;  ///< "tensor", "sequence", "optional", "map", "sparse tensor" or empty.
  int onnx_type = 0;
  bool has_shape = false;
  std::vector<DeclaredDim> dims;
};

/// The inputs of the main graph in order, without those that an initializer fills. The engine is
/// not asked on purpose: loading a big model only to learn its inputs would double a test's time.
/// Throws std::runtime_error if the file cannot be read or is no protocol buffer message.
std::vector<DeclaredInput> read_graph_inputs(const std::filesystem::path& model);

}  // namespace jouletree::test
