#include "model/inference/input_facts.hpp"

#include <algorithm>
#include <unordered_map>

#include "model/inference/constants.hpp"
#include "model/inference/moved_axes.hpp"
#include "model/operators/table.hpp"

namespace jouletree::model {
namespace {

/// A slice that ends later ends where its input does.
constexpr Dim kMostLayers = 1000;

std::int64_t integer_attribute(const Node& node, std::string_view name, std::int64_t fallback) {
  const Attribute* attribute = node.attribute(name);
  return attribute == nullptr ? fallback : attribute->integer;
}

/// Follows one input through the operators that keep its axes recognisable.
class Walk {
 public:
  Walk(const Graph& graph, ValueId input) : graph_(graph), input_(input) {
    visit(graph.main, [&](const Node& node) {
      for (const ValueId output : node.outputs)
        if (output != kNoValue) producers_[output] = &node;
    });
  }

  InputFacts run() {
    const GraphValue& value = graph_.values[input_];
    const std::size_t rank = value.declared.dims ? value.declared.dims->size() : rank_by_use();
    facts_.axes.resize(rank);
    if (rank == 0) return std::move(facts_);
    Axes axes(rank);
    for (std::size_t i = 0; i < rank; ++i) axes[i] = static_cast<int>(i);
    traced_[input_] = std::move(axes);
    visit(graph_.main, [&](const Node& node) { follow(node); });
    return std::move(facts_);
  }

 private:
  template <class Visitor>
  static void visit(const Block& block, const Visitor& visitor) {
    for (const Node& node : block.nodes) {
      visitor(node);
      for (const Attribute& attribute : node.attributes)
        for (const auto& body : attribute.blocks) visit(*body, visitor);
    }
  }

  [[nodiscard]] static ValueId input_at(const Node& node, std::size_t slot) {
    return slot < node.inputs.size() ? node.inputs[slot] : kNoValue;
  }

  [[nodiscard]] static AxisFlow flow_of(const Node& node) {
    return facts_of(node.domain, node.op).axes;
  }

  /// Of the weights that meet the first input; null where they are not stored.
  [[nodiscard]] const Dims* weight_dims(const Node& node) const {
    const OperatorRow* const row = find_operator(node.domain, node.op);
    return row == nullptr ? nullptr : stored_dims(first_weights(*row, node, 1));
  }

  /// Of a stored tensor, also where it is only cast, dequantised or scaled before its use.
  [[nodiscard]] const Dims* stored_dims(ValueId id) const {
    for (int steps = 0; id != kNoValue && steps < 8; ++steps) {
      if (const auto& constant = graph_.values[id].constant) return &constant->dims;
      const auto producer = producers_.find(id);
      if (producer == producers_.end()) return nullptr;
      const Node& node = *producer->second;
      const AxisFlow flow = flow_of(node);
      // Some quantised files add an offset to their weights.
      if (flow != AxisFlow::Same && flow != AxisFlow::Broadcast) return nullptr;
      id = input_at(node, 0);
    }
    return nullptr;
  }

  [[nodiscard]] std::optional<std::vector<std::int64_t>> integers(ValueId id) const {
    if (id == kNoValue || !graph_.values[id].constant) return std::nullopt;
    const auto content = load_content(*graph_.values[id].constant, graph_.path.parent_path());
    if (!content) return std::nullopt;
    std::vector<std::int64_t> result;
    for (const Scalar& element : *content) result.push_back(element.as_integer());
    return result;
  }

  [[nodiscard]] std::optional<std::vector<std::int64_t>> axes_of(const Node& node) const {
    if (const Attribute* axes = node.attribute("axes")) return axes->integers;
    return integers(input_at(node, 1));
  }

  /// Null where the value does not come from the input.
  [[nodiscard]] const Axes* traced(ValueId id) const {
    const auto found = traced_.find(id);
    return found == traced_.end() ? nullptr : &found->second;
  }

  void set_output(const Node& node, Axes axes) {
    if (!node.outputs.empty() && node.outputs[0] != kNoValue)
      traced_.emplace(node.outputs[0], std::move(axes));
  }

  void set_moved(const Node& node, std::optional<Axes> axes) {
    if (axes) set_output(node, std::move(*axes));
  }

  void demand(const Axes& axes, std::size_t at, Dim size, const Node& node) {
    if (at >= axes.size() || axes[at] == kNoAxis || size <= 0) return;
    AxisFacts& facts = facts_.axes[static_cast<std::size_t>(axes[at])];
    if (facts.demanded) return;
    facts.demanded = size;
    facts.demanded_by = describe(node);
  }

  void follow(const Node& node) {
    const AxisFlow flow = flow_of(node);
    if (flow == AxisFlow::Lost) return;
    if (flow == AxisFlow::Broadcast) return follow_elementwise(node);
    if (flow == AxisFlow::Joined) return follow_concat(node);
    if (is_recurrence(flow)) return recurrent(node, flow);
    if (const Axes* const axes = traced(input_at(node, 0))) follow_first(node, flow, *axes);
  }

  void follow_first(const Node& node, AxisFlow flow, const Axes& axes) {
    switch (flow) {
      case AxisFlow::Convolution:
      case AxisFlow::ConvolutionBack: return convolution(node, flow, axes);
      case AxisFlow::Product: return product(node, axes);
      case AxisFlow::Permuted: return set_moved(node, permuted(axes, node.attribute("perm")));
      case AxisFlow::Added: return set_moved(node, with_added(axes, axes_of(node)));
      case AxisFlow::Removed: return set_moved(node, without_removed(axes, axes_of(node)));
      case AxisFlow::Parts:
        for (const ValueId output : node.outputs)
          if (output != kNoValue) traced_.emplace(output, axes);
        return;
      case AxisFlow::ScaledChannels: demand_scale(node, axes, 1); break;
      case AxisFlow::ScaledLast: demand_scale(node, axes, axes.size() - 1); break;
      default: break;
    }
    set_output(node, axes);
  }

  static bool is_recurrence(AxisFlow flow) {
    return flow == AxisFlow::Recurrence || flow == AxisFlow::RecurrenceOfTurned;
  }

  void follow_elementwise(const Node& node) {
    if (node.inputs.size() != 2) return;
    for (const std::size_t slot : {0, 1}) {
      const Axes* const axes = traced(node.inputs[slot]);
      if (axes == nullptr) continue;
      const Dims* const other = stored_dims(node.inputs[1 - slot]);
      if (other != nullptr && other->size() > axes->size()) return;
      for (std::size_t back = 1; other != nullptr && back <= other->size(); ++back) {
        const Dim size = (*other)[other->size() - back];
        // The first axis is the batch, which no constant fixes.
        if (size > 1 && axes->size() - back > 0) demand(*axes, axes->size() - back, size, node);
      }
      return set_output(node, *axes);
    }
  }

  void follow_concat(const Node& node) {
    const auto first = std::find_if(node.inputs.begin(), node.inputs.end(),
                                    [&](ValueId id) { return traced(id) != nullptr; });
    if (first == node.inputs.end()) return;
    Axes axes = *traced(*first);
    std::int64_t along = integer_attribute(node, "axis", 0);
    if (along < 0) along += static_cast<std::int64_t>(axes.size());
    if (along < 0 || along >= static_cast<std::int64_t>(axes.size())) return;
    axes[static_cast<std::size_t>(along)] = kNoAxis;
    set_output(node, std::move(axes));
  }

  void convolution(const Node& node, AxisFlow flow, const Axes& axes) {
    const Dims* const weights = weight_dims(node);
    if (weights == nullptr || weights->size() < 3 || weights->size() != axes.size()) return;
    const std::int64_t group = integer_attribute(node, "group", 1);
    const Dim channels = flow == AxisFlow::ConvolutionBack ? (*weights)[0] : (*weights)[1] * group;
    demand(axes, 1, channels, node);
    for (std::size_t i = 2; i < axes.size(); ++i) {
      if (axes[i] == kNoAxis) continue;
      AxisKind& kind = facts_.axes[static_cast<std::size_t>(axes[i])].kind;
      if (kind == AxisKind::Other) kind = spatial_kind(axes.size() - 2, channels);
    }
  }

  static AxisKind spatial_kind(std::size_t spatial_axes, Dim channels) {
    // Slicing images into their even and odd pixels gives four times their channels.
    const bool like_an_image = channels <= 3 || channels == 12;
    switch (spatial_axes) {
      case 1: return channels <= 2 ? AxisKind::Samples : AxisKind::Frames;
      case 2: return like_an_image ? AxisKind::ImageSide : AxisKind::MapSide;
      default: return AxisKind::VolumeSide;
    }
  }

  void product(const Node& node, const Axes& axes) {
    const Dims* const weights = weight_dims(node);
    if (weights == nullptr || weights->size() < 2) return;
    const bool transposed = integer_attribute(node, "transB", 0) != 0;
    const std::size_t inner = transposed ? weights->size() - 1 : weights->size() - 2;
    const bool first_transposed = integer_attribute(node, "transA", 0) != 0;
    demand(axes, first_transposed ? axes.size() - 2 : axes.size() - 1, (*weights)[inner], node);
    if (first_transposed || weights->size() != 2) return;
    Axes kept = axes;
    kept.back() = kNoAxis;
    set_output(node, std::move(kept));
  }

  /// The states of several layers are often one input, of which each layer takes a slice.
  void demand_layers(const Node& node, ValueId state, Dim directions) {
    const auto sliced = producers_.find(state);
    std::optional<Dim> layers;
    if (state == input_) layers = directions;
    if (sliced != producers_.end() && input_at(*sliced->second, 0) == input_) {
      const Node& slice = *sliced->second;
      const auto ends = integers(input_at(slice, 2));
      const auto axes = integers(input_at(slice, 3));
      const bool along_layers = flow_of(slice) == AxisFlow::Cut && axes && axes->size() == 1 &&
                                axes->front() == 0 && ends && ends->size() == 1;
      if (along_layers) layers = ends->front();
      if (flow_of(slice) == AxisFlow::Parts && integer_attribute(slice, "axis", 0) == 0)
        layers = directions * static_cast<Dim>(slice.outputs.size());
    }
    AxisFacts& facts = facts_.axes.front();
    if (!layers || *layers > kMostLayers || *layers <= facts.demanded.value_or(0)) return;
    facts.demanded = layers;
    facts.demanded_by = describe(node);
  }

  void recurrent(const Node& node, AxisFlow flow) {
    const std::size_t taken = flow == AxisFlow::RecurrenceOfTurned ? 1 : 2;
    const auto size_of = [&](std::size_t slot) -> Dim {
      const Dims* const weights = stored_dims(input_at(node, slot));
      return weights == nullptr || weights->size() != 3 ? 0 : (*weights)[taken];
    };
    if (const Axes* const sequence = traced(input_at(node, 0)))
      demand(*sequence, 2, size_of(1), node);
    const Dims* const recurrence = stored_dims(input_at(node, 2));
    for (const std::size_t slot : {5, 6}) {
      const Axes* const state = traced(input_at(node, slot));
      if (state == nullptr) continue;
      demand(*state, 2, size_of(2), node);
      if (recurrence != nullptr && !recurrence->empty())
        demand_layers(node, input_at(node, slot), recurrence->front());
    }
  }

  void demand_scale(const Node& node, const Axes& axes, std::size_t at) {
    const Dims* const scale = weight_dims(node);
    if (scale != nullptr && scale->size() == 1) demand(axes, at, scale->front(), node);
  }

  /// The rank that the first operator with weights asks for; 0 where none is found.
  [[nodiscard]] std::size_t rank_by_use() const {
    std::vector<ValueId> same{input_};
    std::size_t rank = 0;
    visit(graph_.main, [&](const Node& node) {
      if (rank > 0 || std::find(same.begin(), same.end(), input_at(node, 0)) == same.end()) return;
      const AxisFlow flow = flow_of(node);
      rank = rank_for(node, flow);
      const bool keeps_rank = flow == AxisFlow::Same || flow == AxisFlow::Resized ||
                              flow == AxisFlow::Cut || flow == AxisFlow::Broadcast ||
                              flow == AxisFlow::ScaledChannels || flow == AxisFlow::ScaledLast;
      if (rank == 0 && keeps_rank && !node.outputs.empty()) same.push_back(node.outputs[0]);
    });
    return rank;
  }

  /// The rank that the operator asks of its first input; 0 where it takes any.
  [[nodiscard]] std::size_t rank_for(const Node& node, AxisFlow flow) const {
    if (is_recurrence(flow)) return 3;
    if (flow == AxisFlow::Permuted) {
      const Attribute* const order = node.attribute("perm");
      return order == nullptr ? 0 : order->integers.size();
    }
    const bool convolves = flow == AxisFlow::Convolution || flow == AxisFlow::ConvolutionBack;
    if (!convolves && flow != AxisFlow::Product) return 0;
    const Dims* const weights = weight_dims(node);
    if (weights == nullptr) return 0;
    return convolves ? weights->size() : 2;
  }

  const Graph& graph_;
  ValueId input_;
  std::unordered_map<ValueId, const Node*> producers_;
  std::unordered_map<ValueId, Axes> traced_;
  InputFacts facts_;
};

}  // namespace

InputFacts facts_about(const Graph& graph, ValueId input) { return Walk(graph, input).run(); }

}  // namespace jouletree::model
