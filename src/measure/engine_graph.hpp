#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/mapped_file.hpp"
#include "jouletree/tree.hpp"
#include "measure/reuse_distance.hpp"
#include "model/onnx/cut_outs.hpp"
#include "runtime/onnxruntime_worker.hpp"

namespace jouletree {

/// The graph that an engine really runs, as it wrote it, and the values of one run.
class EngineGraph {
 public:
  /// Throws Error(BadInput) for a file that is no model.
  explicit EngineGraph(const std::filesystem::path& file);

  [[nodiscard]] const onnx::ModelParts& parts() const { return parts_; }
  /// Types of all values, known after take_recorded().
  [[nodiscard]] const onnx::CutInputs& types() const { return types_; }
  void take_recorded(const runtime::SeenValues& values);

  /// Where a node of the graph that was read from the same file stands in parts(); nothing for one
  /// that is not there.
  [[nodiscard]] std::optional<std::size_t> part_of(const Graph& graph, const Node& node) const;
  /// All that the cost of a node depends on, as text: op, types and shapes of what it reads, and a
  /// hash of its attributes. The same on every machine.
  [[nodiscard]] std::string key_of(std::size_t part) const;
  /// What every part reads and writes, known after take_recorded(). The names of views are those of
  /// the tensors that they show.
  [[nodiscard]] std::vector<Step> steps() const;
  /// Inputs that are no weights.
  [[nodiscard]] std::vector<Step::Tensor> inputs(std::size_t part) const;
  /// Of these values, those that are no weights, with their sizes.
  [[nodiscard]] std::vector<Step::Tensor> tensors_of(
      const std::vector<std::string_view>& names) const;

 private:
  std::unique_ptr<MappedFile> file_;
  onnx::ModelParts parts_;
  onnx::CutInputs types_;
  std::unordered_map<std::string_view, std::size_t> by_output_;
};

}  // namespace jouletree
