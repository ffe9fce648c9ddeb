#include <algorithm>
#include <array>
#include <set>

#include "predict/fusion/convolution_steps.hpp"
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

}  // namespace

std::int64_t groups_of(const Node& convolution) {
  const Attribute* const groups = convolution.attribute("group");
  return groups == nullptr ? 1 : groups->integer;
}

bool is_blockable(const GraphEdit& edit, const Node& convolution) {
  const auto& weights = edit.dims(input_of(convolution, 1));
  if (!weights || weights->size() != 4) return false;
  const Dim outputs = (*weights)[0];
  const Dim inputs = (*weights)[1];
  const Dim groups = groups_of(convolution);
  if (groups > 1 && inputs == 1) return outputs % kAlignedChannels == 0;
  if (groups > 1)
    return inputs % kBlockedChannels == 0 && (outputs / groups) % kBlockedChannels == 0;
  return outputs % kAlignedChannels == 0 &&
         (inputs < kBlockedChannels || inputs % kAlignedChannels == 0);
}

namespace {

/// Walks the graph in order and knows which values lie in blocks of channels.
class LayoutWalk {
 public:
  explicit LayoutWalk(GraphEdit& edit) : edit_(edit) {}

  void run() {
    for (Node* node : edit_.nodes()) {
      if (edit_.is_removed(*node)) continue;
      if (Node* const merged = taken_in_sum(*node)) {
        take_in_activation(edit_, *merged);
      } else if (is_convolution(node) && is_blockable(edit_, *node)) {
        if (!takes_plain_input(*node)) need_blocked(*node, node->inputs[0]);
        if (const ValueId sum = input_of(*node, 3); sum != kNoValue) need_blocked(*node, sum);
        blocked_.insert(node->outputs[0]);
      } else if (is_blocked_pool(*node)) {
        need_blocked(*node, node->inputs[0]);
        blocked_.insert(node->outputs[0]);
      } else if (stays_blocked(*node)) {
        blocked_.insert(node->outputs[0]);
      } else {
        for (const ValueId value : node->inputs) need_plain(*node, value);
      }
    }
  }

 private:
  /// Gives the operator in the place of a sum of maps in blocks, one of which a convolution makes
  /// for it alone; else null.
  Node* taken_in_sum(Node& sum) {
    const auto is_in_blocks = [&](ValueId value) { return blocked_.contains(value); };
    if (!is_op(&sum, "Add") || !std::all_of(sum.inputs.begin(), sum.inputs.end(), is_in_blocks))
      return nullptr;
    for (const ValueId value : sum.inputs) {
      Node* const maker = edit_.producer(value);
      if (!is_convolution(maker) || sum_to_take_in(edit_, *maker) != &sum) continue;
      Node& merged = take_in_sum(edit_, *maker, sum);
      blocked_.insert(merged.outputs[0]);
      return &merged;
    }
    return nullptr;
  }

  /// Images have so few channels that there is a kernel for them as they are.
  [[nodiscard]] bool takes_plain_input(const Node& node) const {
    return groups_of(node) == 1 && (*edit_.dims(node.inputs[1]))[1] < kBlockedChannels;
  }

  /// Pooling with a window runs in blocks, wherever its map comes from; that of whole maps does not
  /// ask for them.
  [[nodiscard]] bool is_blocked_pool(const Node& node) const {
    const bool is_window = is_op(&node, "MaxPool") || is_op(&node, "AveragePool");
    if (!is_window || node.outputs.size() != 1) return false;
    const auto& map = edit_.dims(node.inputs[0]);
    return map && map->size() == 4 && (*map)[1] % kBlockedChannels == 0;
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
