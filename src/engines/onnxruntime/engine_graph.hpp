#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/mapped_file.hpp"
#include "engines/engine.hpp"
#include "engines/onnxruntime/cut_outs.hpp"
#include "jouletree/tree.hpp"
#include "runtime/onnxruntime_worker.hpp"

namespace jouletree::engines {

/// The graph that an engine really runs, as it wrote it, and the values of one run.
class EngineGraph {
 public:
  /// Throws Error(BadInput) for a file that is no model.
  explicit EngineGraph(const std::filesystem::path& file);

  [[nodiscard]] const ModelParts& parts() const { return parts_; }
  /// Types of all values, known after take_recorded().
  [[nodiscard]] const CutInputs& types() const { return types_; }
  void take_recorded(const runtime::SeenValues& values);

  /// Where a node of the graph that was read from the same file stands in parts(); nothing for one
  /// that is not there.
  [[nodiscard]] std::optional<std::size_t> part_of(const Graph& graph, const Node& node) const;
  /// What every part reads and writes, known after take_recorded().
  [[nodiscard]] std::vector<Part> program() const;

 private:
  /// Op, types and shapes of what it reads, and a hash of its attributes.
  [[nodiscard]] std::string key_of(const ModelParts::Part& node) const;
  /// Of these values, those that are no weights, with their sizes.
  [[nodiscard]] std::vector<Part::Tensor> tensors_of(
      const std::vector<std::string_view>& names) const;
  [[nodiscard]] std::vector<Part::Tensor> weights_of(const ModelParts::Part& node) const;
  [[nodiscard]] Part described(const ModelParts::Part& node) const;

  std::unique_ptr<MappedFile> file_;
  ModelParts parts_;
  CutInputs types_;
  std::unordered_map<std::string_view, std::size_t> by_output_;
};

}  // namespace jouletree::engines
