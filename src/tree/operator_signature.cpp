#include "tree/operator_signature.hpp"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace jouletree::tree {
namespace {

/// Of no weight for what an operator costs, given its shapes.
constexpr std::array<std::string_view, 10> kIdle = {
    "activation_params", "allowzero", "ceil_mode",     "count_include_pad", "epsilon",
    "keepdims",          "momentum",  "storage_order", "spatial",           "training_mode"};

bool all_are(const std::vector<std::int64_t>& numbers, std::int64_t value) {
  return std::all_of(numbers.begin(), numbers.end(),
                     [=](std::int64_t number) { return number == value; });
}

/// Says what is understood without it, too.
bool is_default(const Attribute& attribute) {
  const std::string_view name = attribute.name;
  if (name == "strides" || name == "dilations") return all_are(attribute.integers, 1);
  if (name == "pads" || name == "output_padding") return all_are(attribute.integers, 0);
  if (name == "group") return attribute.integer == 1;
  if (name == "transA" || name == "transB" || name == "channels_last")
    return attribute.integer == 0;
  if (name == "auto_pad") return attribute.text == "NOTSET";
  return false;
}

class Signature {
 public:
  Signature(const ModelTree& tree, const Node& node) : tree_(tree), node_(node) {}

  [[nodiscard]] std::string text() const {
    std::string text = std::string(plain_name());
    for (const ValueId input : node_.inputs) text += " " + tensor(input);
    text += " ->";
    for (const ValueId output : node_.outputs)
      if (output != kNoValue) text += " " + tensor(output);
    for (const auto& [name, value] : attributes()) text += fmt::format(" {}={}", name, value);
    return text;
  }

 private:
  /// An engine may call a fused operator by another name; what it took in stands in its attributes
  /// and inputs.
  [[nodiscard]] std::string_view plain_name() const {
    constexpr std::string_view kFused = "Fused";
    const bool is_fused = node_.op.starts_with(kFused) && node_.op.size() > kFused.size();
    return is_fused ? node_.op.substr(kFused.size()) : node_.op;
  }

  [[nodiscard]] std::string tensor(ValueId id) const {
    if (id == kNoValue) return "-";
    const ValueType& type = tree_.inference.values[id];
    return fmt::format("{}{}:{}", tree_.graph->values[id].constant ? "w:" : "", name_of(type.type),
                       type.dims ? to_string(*type.dims) : "?");
  }

  /// Weights of a convolution tell its kernel.
  [[nodiscard]] bool has_kernel_in_weights() const {
    return node_.inputs.size() > 1 && node_.inputs[1] != kNoValue;
  }

  [[nodiscard]] std::map<std::string_view, std::string> attributes() const {
    std::map<std::string_view, std::string> told;
    for (const Attribute& one : node_.attributes) {
      const bool is_idle = std::find(kIdle.begin(), kIdle.end(), one.name) != kIdle.end();
      if (is_idle || is_default(one)) continue;
      if (one.name == "kernel_shape" && has_kernel_in_weights()) continue;
      switch (one.kind) {
        case AttributeKind::Int: told[one.name] = std::to_string(one.integer); break;
        case AttributeKind::Ints:
          told[one.name] = fmt::format("[{}]", fmt::join(one.integers, ","));
          break;
        case AttributeKind::String: told[one.name] = std::string(one.text); break;
        default: break;  // numbers that are multiplied with cost nothing; tensors are inputs
      }
    }
    return told;
  }

  const ModelTree& tree_;
  const Node& node_;
};

}  // namespace

std::string operator_signature(const ModelTree& tree, const Node& node) {
  return Signature(tree, node).text();
}

}  // namespace jouletree::tree
