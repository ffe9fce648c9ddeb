#include <algorithm>
#include <array>
#include <set>

#include "predict/fusion/rules.hpp"

namespace jouletree::predict {
namespace {

constexpr std::string_view kBlockedDomain = "com.microsoft.nchwc";
constexpr Dim kBlockedChannels = 16;
constexpr Dim kAlignedChannels = 4;

constexpr std::array<std::string_view, 4> kPools = {"MaxPool", "AveragePool", "GlobalMaxPool",
                                                    "GlobalAveragePool"};
constexpr std::array<std::string_view, 5> kAlike = {"Add", "Sum", "Mul", "Concat", "Relu"};
constexpr std::array<std::string_view, 3> kSingle = {"Sigmoid", "Tanh", "BatchNormalization"};

template <std::size_t N>
bool among(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Walks the graph in order and knows which values lie in blocks of channels.
class LayoutWalk {
 public:
  explicit LayoutWalk(GraphEdit& edit) : edit_(edit) {}

  void run() {
    for (Node* node : edit_.nodes()) {
      const bool is_convolution = is_op(node, "Conv") || node->op == "FusedConv";
      if (is_convolution && is_blockable(*node)) {
        if (!takes_plain_input(*node)) need_blocked(*node, node->inputs[0]);
        if (const ValueId sum = input_of(*node, 3); sum != kNoValue) need_blocked(*node, sum);
        blocked_.insert(node->outputs[0]);
      } else if (stays_blocked(*node)) {
        blocked_.insert(node->outputs[0]);
      } else {
        for (const ValueId value : node->inputs) need_plain(*node, value);
      }
    }
  }

 private:
  [[nodiscard]] bool is_blockable(const Node& node) const {
    const auto& weights = edit_.dims(input_of(node, 1));
    if (!weights || weights->size() != 4) return false;
    const Dim outputs = (*weights)[0];
    const Dim inputs = (*weights)[1];
    const Dim groups = groups_of(node);
    if (groups > 1 && inputs == 1) return outputs % kAlignedChannels == 0;
    if (groups > 1)
      return inputs % kBlockedChannels == 0 && (outputs / groups) % kBlockedChannels == 0;
    return outputs % kAlignedChannels == 0 &&
           (inputs < kBlockedChannels || inputs % kAlignedChannels == 0);
  }

  static Dim groups_of(const Node& node) {
    const Attribute* const groups = node.attribute("group");
    return groups == nullptr ? 1 : groups->integer;
  }

  /// Images have so few channels that there is a kernel for them as they are.
  [[nodiscard]] bool takes_plain_input(const Node& node) const {
    return groups_of(node) == 1 && (*edit_.dims(node.inputs[1]))[1] < kBlockedChannels;
  }

  [[nodiscard]] bool stays_blocked(const Node& node) const {
    if (node.inputs.empty() || !blocked_.contains(node.inputs[0])) return false;
    if (!is_standard(node)) return node.op == "QuickGelu";
    if (among(kPools, node.op) || among(kSingle, node.op)) return true;
    if (!among(kAlike, node.op)) return false;
    return std::all_of(node.inputs.begin(), node.inputs.end(), [&](ValueId value) {
      return blocked_.contains(value) &&
             (node.op == "Concat" ? has_whole_blocks(value)
                                  : edit_.dims(value) == edit_.dims(node.inputs[0]));
    });
  }

  [[nodiscard]] bool has_whole_blocks(ValueId value) const {
    const auto& dims = edit_.dims(value);
    return dims && dims->size() == 4 && (*dims)[1] % kBlockedChannels == 0;
  }

  void need_blocked(const Node& reader, ValueId value) {
    if (!blocked_.contains(value) && reordered_.insert(value).second)
      edit_.add_side_node(reader, "ReorderInput", kBlockedDomain, value, {});
  }

  void need_plain(const Node& reader, ValueId value) {
    if (!blocked_.contains(value) || !reordered_.insert(value).second) return;
    Attribute channels;
    channels.name = "channels";
    channels.kind = AttributeKind::Int;
    channels.integer = edit_.dims(value)->at(1);
    edit_.add_side_node(reader, "ReorderOutput", kBlockedDomain, value, {channels});
  }

  GraphEdit& edit_;
  std::set<ValueId> blocked_;
  std::set<ValueId> reordered_;
};

}  // namespace

void insert_reorders(GraphEdit& edit) { LayoutWalk(edit).run(); }

}  // namespace jouletree::predict
