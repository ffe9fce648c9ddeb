#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "predict/fusion/rules.hpp"

namespace jouletree::predict {
namespace {

constexpr std::string_view kBlockedDomain = "com.microsoft.nchwc";
constexpr Dim kBlockedChannels = 16;
constexpr Dim kAlignedChannels = 4;
constexpr std::size_t kMapRank = 4;

template <std::size_t N>
bool among(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Dim in_whole_blocks(Dim channels) {
  return (channels + kBlockedChannels - 1) / kBlockedChannels * kBlockedChannels;
}

bool is_whole_blocks(Dim channels) { return channels > 0 && channels % kBlockedChannels == 0; }

bool has_activation(const Node& node) { return node.attribute("activation") != nullptr; }
bool has_sum(const Node& node) { return input_of(node, 3) != kNoValue; }

/// Channels that a convolution takes and makes, as its kernel in blocks wants them.
struct BlockedChannels {
  Dim inputs = 0;  ///< Of a group.
  Dim outputs = 0;
  bool is_plain_input = false;  ///< Images have so few channels that they are read as they are.
};

/// Nothing where there is no kernel for it.
std::optional<BlockedChannels> blocked_channels(const GraphEdit& edit, const Node& convolution) {
  const ValueId weight = input_of(convolution, 1);
  const ValueId bias = input_of(convolution, 2);
  const auto& weights = edit.dims(weight);
  if (!edit.is_constant(weight) || (bias != kNoValue && !edit.is_constant(bias)) || !weights ||
      weights->size() != kMapRank || edit.type(weight) != DataType::Float32 || has_sum(convolution))
    return std::nullopt;
  const Dim outputs = (*weights)[0];
  const Dim inputs = (*weights)[1];
  const Dim groups = integer_of(convolution, "group", 1);
  const Dim filled = in_whole_blocks(outputs);
  if (groups > 1) {
    if (outputs % kAlignedChannels != 0) return std::nullopt;
    if (inputs == 1 && outputs == groups) return BlockedChannels{1, filled};
    const bool is_whole =
        is_whole_blocks(inputs) && outputs % groups == 0 && is_whole_blocks(outputs / groups);
    return is_whole ? std::optional(BlockedChannels{inputs, outputs}) : std::nullopt;
  }
  if (inputs < kBlockedChannels) return BlockedChannels{inputs, filled, true};
  if (inputs % kAlignedChannels != 0) return std::nullopt;
  return BlockedChannels{in_whole_blocks(inputs), filled};
}

constexpr std::array<std::string_view, 3> kActivations = {"Relu", "Sigmoid", "Tanh"};

/// Walks the graph in order and knows which values lie in blocks of channels.
class LayoutWalk {
 public:
  explicit LayoutWalk(GraphEdit& edit) : edit_(edit) {}

  void run() {
    for (Node* const node : edit_.nodes())
      if (!edit_.is_removed(*node) && !node->inputs.empty() && !node->outputs.empty()) visit(*node);
    for (const ValueId value : made_) restore(value);
  }

 private:
  /// A value that lies in blocks, instead of which some may want it as it was.
  struct Blocked {
    ValueId value = kNoValue;
    Node* maker = nullptr;
    std::size_t uses = 0;  ///< Of the value as it was.
  };

  void visit(Node& node) {
    if (is_op(&node, "Conv") || is_microsoft(&node, "FusedConv")) {
      convolve(node);
    } else if (is_op(&node, "MaxPool") || is_op(&node, "AveragePool")) {
      pool(node);
    } else if (find(node.inputs[0]) != nullptr) {
      follow(node);
    }
  }

  /// Operators that do not ask for blocks, behind some that made them.
  void follow(Node& node) {
    if (!is_standard(node)) {
      if (node.op == "QuickGelu") stay(node);
    } else if (node.op == "Add" || node.op == "Sum") {
      add(node);
    } else if (node.op == "Mul") {
      if (are_alike(node)) stay(node);
    } else if (node.op == "Concat") {
      concatenate(node);
    } else if (among(kActivations, node.op)) {
      activate(node);
    } else if (node.op == "BatchNormalization") {
      normalise(node);
    } else if (node.op == "GlobalMaxPool" || node.op == "GlobalAveragePool") {
      pool(node);
    } else if (node.op == "Transpose") {
      put_channels_last(node);
    } else if (node.op == "Resize" || node.op == "Upsample") {
      enlarge(node);
    }
  }

  [[nodiscard]] const Blocked* find(ValueId value) const {
    const auto found = blocked_.find(value);
    return found == blocked_.end() ? nullptr : &found->second;
  }

  [[nodiscard]] ValueId as_blocked(const Node& reader, ValueId value) {
    if (const Blocked* const known = find(value)) return known->value;
    const auto [place, is_new] = reordered_.try_emplace(value, kNoValue);
    if (is_new) {
      place->second = filled_up(value);
      edit_.insert_before(reader, {"ReorderInput", kBlockedDomain, {value}, {place->second}});
    }
    return place->second;
  }

  ValueId filled_up(ValueId value) {
    Dims open = *edit_.dims(value);
    Dims settled = edit_.settled_dims(value).value_or(open);
    if (settled.size() != open.size()) settled = open;
    if (open[1] != kUnknownDim) open[1] = settled[1] = in_whole_blocks(open[1]);
    return edit_.add_value(edit_.value(value).name, edit_.type(value), open, settled);
  }

  /// The node makes its result in blocks from now on.
  void make_blocked(Node& node) {
    const ValueId value = node.outputs[0];
    const std::size_t uses = edit_.readers(value).size() + (edit_.is_output(value) ? 1 : 0);
    const ValueId blocked = filled_up(value);
    edit_.set_outputs(node, {blocked});
    blocked_[value] = {blocked, &node, uses};
    made_.push_back(value);
  }

  void stay(Node& node) {
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
      edit_.set_input(node, i, find(node.inputs[i])->value);
    make_blocked(node);
  }

  [[nodiscard]] ValueId stored(ValueId value, const Dims& dims) {
    return edit_.add_stored(edit_.value(value).name, edit_.type(value), dims);
  }

  void become_blocked(Node& node, std::string_view op) {
    node.op = op;
    node.domain = kBlockedDomain;
    node.opset = 1;
  }

  void convolve(Node& node) {
    const auto channels = blocked_channels(edit_, node);
    const auto& map = edit_.dims(node.outputs[0]);
    if (!channels || !map || map->size() != kMapRank || !edit_.dims(node.inputs[0])) return;
    Dims weights = *edit_.dims(node.inputs[1]);
    if (weights[0] != channels->outputs || weights[1] != channels->inputs) {
      weights[0] = channels->outputs;
      weights[1] = channels->inputs;
      edit_.set_input(node, 1, stored(node.inputs[1], weights));
      if (input_of(node, 2) != kNoValue)
        edit_.set_input(node, 2, stored(node.inputs[2], {channels->outputs}));
    }
    if (!channels->is_plain_input) edit_.set_input(node, 0, as_blocked(node, node.inputs[0]));
    become_blocked(node, "Conv");
    make_blocked(node);
  }

  void pool(Node& node) {
    const auto& map = edit_.dims(node.inputs[0]);
    if (node.outputs.size() > 1 || !map || map->size() != kMapRank || !is_whole_blocks((*map)[1]) ||
        edit_.type(node.inputs[0]) != DataType::Float32)
      return;
    edit_.set_input(node, 0, as_blocked(node, node.inputs[0]));
    become_blocked(node, node.op);
    make_blocked(node);
  }

  /// All operands lie in blocks and have the same size.
  [[nodiscard]] bool are_alike(const Node& node) const {
    return std::all_of(node.inputs.begin(), node.inputs.end(), [&](ValueId value) {
      return find(value) != nullptr && edit_.has_same_dims(value, node.inputs[0]);
    });
  }

  /// A convolution that makes this value for one reader alone.
  [[nodiscard]] bool is_only_for_one(const Blocked& value) const {
    const Node& maker = *value.maker;
    return maker.domain == kBlockedDomain && maker.op == "Conv" && value.uses == 1 &&
           !has_activation(maker);
  }

  void add(Node& node) {
    if (!are_alike(node)) return;
    for (std::size_t i = 0; node.inputs.size() == 2 && i < 2; ++i) {
      const Blocked operand = *find(node.inputs[i]);
      if (!is_only_for_one(operand) || has_sum(*operand.maker)) continue;
      std::vector<ValueId> inputs = operand.maker->inputs;
      inputs.resize(3, kNoValue);
      inputs.push_back(find(node.inputs[1 - i])->value);
      take_in(operand, node, inputs);
      return;
    }
    stay(node);
  }

  /// The convolution makes what the node made of its result.
  Node& take_in(const Blocked& operand, Node& node, const std::vector<ValueId>& inputs) {
    Node& merged = edit_.merge({operand.maker, &node}, *operand.maker, "Conv", inputs);
    merged.domain = kBlockedDomain;
    make_blocked(merged);
    return merged;
  }

  void activate(Node& node) {
    const Blocked operand = *find(node.inputs[0]);
    if (!is_only_for_one(operand)) return stay(node);
    const std::string_view activation = node.op;
    Node& merged = take_in(operand, node, operand.maker->inputs);
    merged.attributes.push_back(text_attribute("activation", activation));
  }

  void concatenate(Node& node) {
    if (integer_of(node, "axis", 1) != 1) return;
    const bool fits = std::all_of(node.inputs.begin(), node.inputs.end(), [&](ValueId value) {
      return find(value) != nullptr && is_whole_blocks((*edit_.dims(value))[1]);
    });
    if (fits) stay(node);
  }

  /// A convolution of each channel with one number.
  void normalise(Node& node) {
    for (std::size_t i = 1; i < 5; ++i)
      if (!edit_.is_constant(input_of(node, i))) return;
    const Dim channels = in_whole_blocks((*edit_.dims(node.inputs[0]))[1]);
    const ValueId weights = stored(node.inputs[1], {channels, 1, 1, 1});
    const ValueId bias = stored(node.inputs[2], {channels});
    edit_.set_inputs(node, {find(node.inputs[0])->value, weights, bias});
    node.attributes = {integer_attribute("group", channels)};
    become_blocked(node, "Conv");
    make_blocked(node);
  }

  void put_channels_last(Node& node) {
    const Attribute* const order = node.attribute("perm");
    if (order == nullptr || order->integers != std::vector<std::int64_t>{0, 2, 3, 1}) return;
    const ValueId value = node.inputs[0];
    edit_.set_inputs(node, {find(value)->value});
    become_blocked(node, "ReorderOutput");
    node.attributes = {integer_attribute("channels", (*edit_.dims(value))[1]),
                       integer_attribute("channels_last", 1)};
  }

  /// By whole numbers, in a way that its kernel knows.
  void enlarge(Node& node) {
    const auto scales = whole_scales(node);
    if (!scales || !is_known_enlargement(node)) return;
    const Attribute* const mode = node.attribute("mode");
    std::vector<Attribute> attributes{integers_attribute("scales", *scales)};
    if (mode != nullptr) attributes.push_back(text_attribute("mode", mode->text));
    edit_.set_inputs(node, {find(node.inputs[0])->value});
    node.attributes = std::move(attributes);
    become_blocked(node, "Upsample");
    make_blocked(node);
  }

  [[nodiscard]] std::optional<std::vector<std::int64_t>> whole_scales(const Node& node) const {
    constexpr int kRegionSince = 11;
    const std::size_t input = node.op == "Resize" && node.opset >= kRegionSince ? 2 : 1;
    const Attribute* const old = node.attribute("scales");
    auto scales = old != nullptr
                      ? std::optional(std::vector<double>(old->reals.begin(), old->reals.end()))
                      : edit_.numbers(input_of(node, input));
    if (!scales || scales->empty()) scales = scales_to_sizes(node);
    if (!scales || scales->size() != kMapRank || (*scales)[0] != 1 || (*scales)[1] != 1)
      return std::nullopt;
    std::vector<std::int64_t> whole;
    for (const double scale : *scales) {
      if (scale < 1 || scale != std::floor(scale)) return std::nullopt;
      whole.push_back(static_cast<std::int64_t>(scale));
    }
    return whole;
  }

  /// Of a node that says how large its result is.
  [[nodiscard]] std::optional<std::vector<double>> scales_to_sizes(const Node& node) const {
    const auto sizes = edit_.integers(input_of(node, 3));
    const auto& map = edit_.dims(node.inputs[0]);
    if (!sizes || !edit_.has_known_dims(node.inputs[0]) || sizes->size() != map->size())
      return std::nullopt;
    std::vector<double> scales;
    for (std::size_t i = 0; i < sizes->size(); ++i)
      scales.push_back(static_cast<double>((*sizes)[i]) / static_cast<double>((*map)[i]));
    return scales;
  }

  [[nodiscard]] static bool is_known_enlargement(const Node& node) {
    constexpr int kModesSince = 11;
    const auto text = [&](std::string_view name, std::string_view usual) {
      const Attribute* const attribute = node.attribute(name);
      return attribute == nullptr ? usual : attribute->text;
    };
    const std::string_view mode = text("mode", "nearest");
    if (node.op == "Upsample" || node.opset < kModesSince)
      return mode == "nearest" || mode == "linear";
    const std::string_view places = text("coordinate_transformation_mode", "half_pixel");
    if (mode == "nearest")
      return places == "asymmetric" && text("nearest_mode", "round_prefer_floor") == "floor";
    return mode == "linear" &&
           (places == "asymmetric" || places == "align_corners" || places == "half_pixel");
  }

  /// For those that want the value as it was.
  void restore(ValueId value) {
    const Blocked& blocked = blocked_.at(value);
    if (edit_.is_unused(value)) return;
    edit_.insert_after(*edit_.producer(blocked.value),
                       {"ReorderOutput",
                        kBlockedDomain,
                        {blocked.value},
                        {value},
                        {integer_attribute("channels", (*edit_.dims(value))[1])}});
  }

  GraphEdit& edit_;
  std::map<ValueId, Blocked> blocked_;
  std::map<ValueId, ValueId> reordered_;
  std::vector<ValueId> made_;
};

}  // namespace

void insert_reorders(GraphEdit& edit) { LayoutWalk(edit).run(); }

}  // namespace jouletree::predict
