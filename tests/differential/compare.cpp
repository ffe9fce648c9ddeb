#include "compare.hpp"

#include <cstring>
#include <unordered_map>

#include <fmt/format.h>

#include "engine_run.hpp"
#include "jouletree/inference.hpp"
#include "jouletree/tree.hpp"
#include "model/inference/constants.hpp"

namespace jouletree::test {
namespace {

constexpr std::size_t kSmallInput = 4096;

/// As the engine's profile spells them.
std::string engine_name(DataType type) {
  switch (type) {
    case DataType::Float32: return "float";
    case DataType::Float64: return "double";
    case DataType::Int4: return "Int4x2";
    case DataType::UInt4: return "UInt4x2";
    case DataType::Float8E4M3FN: return "Float8E4M3FN";
    case DataType::Float8E4M3FNUZ: return "Float8E4M3FNUZ";
    case DataType::Float8E5M2: return "Float8E5M2";
    case DataType::Float8E5M2FNUZ: return "Float8E5M2FNUZ";
    default: return std::string(name_of(type));
  }
}

std::optional<Elements> content_of(const EngineInput& input) {
  StoredTensor tensor;
  tensor.type = data_type_from_number(input.onnx_type);
  tensor.dims = input.dims;
  tensor.raw = {reinterpret_cast<const char*>(input.data.data()), input.data.size()};
  return model::load_content(tensor, {});
}

}  // namespace

InputSettings settings_for(const std::vector<EngineInput>& inputs,
                           const std::map<std::string, std::vector<double>>& values,
                           Knowledge knowledge) {
  InputSettings settings;
  for (const EngineInput& input : inputs) {
    settings.shapes[input.name] = input.dims;
    const bool known = values.count(input.name) > 0 ||
                       (knowledge == Knowledge::Contents && input.data.size() <= kSmallInput);
    if (!known) continue;
    if (auto content = content_of(input)) settings.values[input.name] = std::move(*content);
  }
  return settings;
}

namespace {

using NodesByName = std::unordered_map<std::string, const Node*>;

void index_nodes(const Block& block, NodesByName& nodes) {
  for (const Node& node : block.nodes) {
    nodes.emplace(node.name, &node);
    for (const Attribute& attribute : node.attributes)
      for (const auto& nested : attribute.blocks) index_nodes(*nested, nodes);
  }
}

/// The profile lists dense tensors only.
std::vector<ValueId> listed_outputs(const Node& node, const Inference& inference) {
  std::vector<ValueId> ids;
  for (const ValueId id : node.outputs)
    if (id != kNoValue && inference.values[id].kind == ValueKind::Tensor) ids.push_back(id);
  return ids;
}

bool types_agree(DataType inferred, const std::string& reported) {
  // Half-precision kernels that the CPU lacks are run in single precision.
  const bool half = inferred == DataType::Float16 || inferred == DataType::BFloat16;
  return engine_name(inferred) == reported || (half && reported == "float");
}

void compare_output(const Node& node, const ValueType& inferred, const TensorShapeType& reported,
                    Comparison& result) {
  const std::string inferred_text = inferred.dims ? to_string(*inferred.dims) : "unknown rank";
  const auto differ = [&](const std::string& ours, const std::string& theirs) {
    result.differences.push_back(fmt::format("{} ({}): inferred {}, but the engine ran {}",
                                             node.name, node.op, ours, theirs));
  };
  if (!types_agree(inferred.type, reported.type))
    differ(std::string(name_of(inferred.type)), reported.type);
  if (!inferred.resolved()) {
    ++result.open[std::string(node.op)];
    if (inferred.dims && inferred.dims->size() != reported.dims.size())
      differ(inferred_text, to_string(reported.dims));
    for (std::size_t i = 0; inferred.dims && i < inferred.dims->size() && i < reported.dims.size();
         ++i) {
      if ((*inferred.dims)[i] != kUnknownDim && (*inferred.dims)[i] != reported.dims[i])
        return differ(inferred_text, to_string(reported.dims));
    }
    return;
  }
  if (*inferred.dims == reported.dims) {
    ++result.equal_shapes;
  } else {
    differ(inferred_text, to_string(reported.dims));
  }
}

void count_absent(const NodesByName& nodes, const Inference& inference,
                  const std::unordered_map<std::string, const KernelRun*>& reported,
                  Comparison& result) {
  for (const auto& [name, node] : nodes) {
    const NodeStatus status = inference.nodes[node->id].status;
    if (status == NodeStatus::NoRule) ++result.without_rule[std::string(node->op)];
    if (status != NodeStatus::NotRun && reported.count(name) == 0)
      ++result.not_reported[std::string(node->op)];
  }
}

}  // namespace

Comparison compare_with_engine(const std::filesystem::path& model,
                               const std::vector<EngineInput>& inputs,
                               const std::map<std::string, std::vector<double>>& values,
                               Knowledge knowledge) {
  const std::vector<KernelRun> runs = run_profiled(model, inputs);
  Comparison result;
  result.kernels = static_cast<std::int64_t>(runs.size());

  const std::string renamed = rename_nodes(read_bytes(model));
  std::optional<ModelTree> tree;
  try {
    tree = build_tree(std::make_shared<const Graph>(read_onnx(renamed, model)),
                      settings_for(inputs, values, knowledge));
  } catch (const Error& error) {
    result.differences.emplace_back(std::string("refused: ") + error.what());
    return result;
  }
  NodesByName nodes;
  index_nodes(tree->graph->main, nodes);
  // Of the iterations of a loop, inference keeps the types of the last.
  std::unordered_map<std::string, const KernelRun*> reported;
  for (const KernelRun& run : runs)
    if (const auto name = model_node(run)) reported[*name] = &run;
  for (const auto& [name, run] : reported) {
    const auto found = nodes.find(name);
    if (found == nodes.end()) continue;
    const Node& node = *found->second;
    const auto outputs = listed_outputs(node, tree->inference);
    if (outputs.size() != run->outputs.size()) {
      result.differences.push_back(fmt::format("{} ({}): {} outputs inferred, {} reported", name,
                                               node.op, outputs.size(), run->outputs.size()));
      continue;
    }
    for (std::size_t i = 0; i < outputs.size(); ++i)
      compare_output(node, tree->inference.values[outputs[i]], run->outputs[i], result);
  }
  count_absent(nodes, tree->inference, reported, result);
  return result;
}

}  // namespace jouletree::test
