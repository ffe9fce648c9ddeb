#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "jouletree/value_type.hpp"

namespace jouletree::onnx {

/// Inputs of a cut-out model with the types and shapes that they have when the whole model runs.
using CutInputs = std::map<std::string, ValueType, std::less<>>;

/// Copies of a node in one model. They take turns at several sets of weights and of each input; of
/// a single set all have the original.
struct Copies {
  int count = 1;
  int weight_sets = 1;
  std::map<std::string, int, std::less<>> input_sets{};  ///< By name; one of those left out.
  /// Outputs are kept until they are so many bytes together, so that copies write to memory of that
  /// size in turns. Nothing: until the run ends.
  std::optional<std::int64_t> output_bytes = 0;

  [[nodiscard]] int sets_of(std::string_view input) const {
    const auto sets = input_sets.find(input);
    return sets == input_sets.end() ? 1 : sets->second;
  }
};

/// The pieces of an ONNX file, to be put together anew. Nodes and weights are copied byte for byte.
class ModelParts {
 public:
  struct Part {
    std::string_view bytes;
    std::string_view name;
    std::string_view op;
    std::string_view domain;
    std::vector<std::string_view> inputs;   ///< Left-out ones are empty.
    std::vector<std::string_view> outputs;  ///< Left-out ones are empty.
    /// Values from outside that its nested graphs read.
    std::vector<std::string_view> captured;
    bool nested = false;     ///< Has graphs as attributes.
    std::string attributes;  ///< Bytes of all of them, for telling equal nodes from others.
  };

  /// The bytes must outlive the object. Throws Error(BadInput) for bytes that are no model.
  explicit ModelParts(std::string_view bytes);

  [[nodiscard]] const std::vector<Part>& nodes() const { return nodes_; }
  [[nodiscard]] bool is_weight(std::string_view name) const { return weights_.count(name) > 0; }
  /// Nothing for what is no weight.
  [[nodiscard]] std::optional<ValueType> weight_type(std::string_view name) const;
  [[nodiscard]] std::int64_t weight_bytes(const Part& part) const;
  [[nodiscard]] std::int64_t weight_bytes() const;  ///< Of the whole model.

  enum class Outputs { Declared, Every };
  /// All nodes. Outputs are named without type and shape, which a file may have wrong.
  [[nodiscard]] std::string whole(Outputs outputs) const;
  /// One node several times. `types` must know every input that is no weight.
  [[nodiscard]] std::string repeated(std::size_t node, const Copies& copies,
                                     const CutInputs& types) const;
  /// How an input is named in one of several sets.
  [[nodiscard]] static std::string copied_name(std::string_view name, int set);
  /// Several nodes. What none of them makes is an input; what others than they read is an output.
  [[nodiscard]] std::string cut_out(const std::vector<std::size_t>& nodes,
                                    const CutInputs& types) const;

 private:
  void read_graph(std::string_view graph);
  [[nodiscard]] std::string model_of(const std::string& graph) const;

  std::vector<Part> nodes_;
  std::map<std::string_view, std::string_view> weights_;  ///< Bytes by name.
  std::vector<std::string_view> sparse_weights_;
  std::vector<std::string_view> graph_inputs_;  ///< Descriptions.
  std::set<std::string_view> output_names_;
  std::string head_;  ///< All fields of the model beside the graph.
};

}  // namespace jouletree::onnx
