#include "expected_graph.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "optimised_model.hpp"
#include "support/temp_folder.hpp"

namespace jouletree::test {
namespace {

std::string kind_of(const Node& node) {
  std::string kind(node.op);
  if (node.domain == "com.microsoft") kind = "ms." + kind;
  if (node.domain == "com.microsoft.nchwc") kind = "nchwc." + kind;
  if (kind.ends_with("Conv") && node.inputs.size() > 3 && node.inputs[3] != kNoValue)
    kind += " + sum";
  for (const std::string_view name : {"activation", "channels_last", "transA", "transB", "perm"}) {
    const Attribute* const attribute = node.attribute(name);
    if (attribute == nullptr) continue;
    if (attribute->kind == AttributeKind::String) kind += fmt::format(" + {}", attribute->text);
    if (attribute->kind == AttributeKind::Int && attribute->integer != 0)
      kind += fmt::format(" {}", name);
    if (attribute->kind == AttributeKind::Ints)
      kind += fmt::format(" {}", fmt::join(attribute->integers, ""));
  }
  return kind;
}

std::string type_text(const ValueType& type) {
  if (type.kind != ValueKind::Tensor || !type.dims) return "?";
  return fmt::format("{}[{}]", name_of(type.type), fmt::join(*type.dims, ","));
}

/// Of each kind, on each side.
constexpr int kNamedOperators = 2;

using Count = int OperatorTally::*;

void count_operators(const Block& block, const Inference& inference, Count which,
                     ExpectedGraph& result) {
  for (const Node& node : block.nodes) {
    for (const Attribute& attribute : node.attributes)
      for (const auto& body : attribute.blocks) count_operators(*body, inference, which, result);
    const std::string kind = kind_of(node);
    std::string shapes = kind + " (";
    for (const ValueId value : node.inputs) {
      shapes += value == kNoValue ? "-" : type_text(inference.values[value]);
      shapes += ' ';
    }
    shapes.back() = ')';
    ++(result.kinds[kind].*which);
    OperatorTally& tally = result.shapes[shapes];
    ++(tally.*which);
    if (tally.*which <= kNamedOperators)
      tally.names += fmt::format(" {}{}", which == &OperatorTally::expected ? '-' : '+', node.name);
    ++(which == &OperatorTally::expected ? result.expected : result.made);
  }
}

int differing(const std::map<std::string, OperatorTally>& tallies) {
  int missing = 0;
  int surplus = 0;
  for (const auto& [text, tally] : tallies) {
    missing += std::max(0, tally.made - tally.expected);
    surplus += std::max(0, tally.expected - tally.made);
  }
  return std::max(missing, surplus);
}

}  // namespace

int ExpectedGraph::differing_kinds() const { return differing(kinds); }
int ExpectedGraph::differing_shapes() const { return differing(shapes); }

ExpectedGraph compare_expected_graph(const std::filesystem::path& model,
                                     const InputSettings& settings, ChannelLayout layout) {
  const ModelTree file = inspect_model(model, settings);
  const InputSettings settled = settled_settings(file.inference, settings);
  const TempFolder temp;
  const auto optimised = temp.path() / "optimised.onnx";
  write_optimised_model(model, optimised,
                        layout == ChannelLayout::Blocked ? Blocks::Yes : Blocks::No);
  const ModelTree made = inspect_model(optimised, settled);
  const ModelTree expected = expected_tree(file, settings, Runner::OnnxRuntime, layout);
  ExpectedGraph result;
  count_operators(expected.graph->main, expected.inference, &OperatorTally::expected, result);
  count_operators(made.graph->main, made.inference, &OperatorTally::made, result);
  return result;
}

std::string differences_text(const ExpectedGraph& graph) {
  std::string text;
  for (const auto& [kind, tally] : graph.kinds) {
    if (tally.expected != tally.made)
      text += fmt::format("  {}: expected {}, made {}\n", kind, tally.expected, tally.made);
  }
  for (const auto& [shapes, tally] : graph.shapes) {
    if (tally.expected != tally.made)
      text += fmt::format("    {}: expected {}, made {}:{}\n", shapes, tally.expected, tally.made,
                          tally.names);
  }
  return text;
}

}  // namespace jouletree::test
