#include "model/inference/input_facts.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <unordered_map>

#include "model/inference/constants.hpp"
#include "model/operators/call.hpp"

namespace jouletree::model {
namespace {

/// The axis of the input that an axis of a value shows, or none.
constexpr int kNoAxis = -1;
/// A slice that ends later ends where its input does.
constexpr Dim kMostLayers = 1000;
using Axes = std::vector<int>;

bool is_one_of(std::string_view op, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), op) != list.end();
}

/// Operators whose output has the axes of their first input, though perhaps not their sizes.
bool keeps_axes(std::string_view op) {
  return is_one_of(op, {"Identity",
                        "Cast",
                        "CastLike",
                        "Relu",
                        "LeakyRelu",
                        "Sigmoid",
                        "Tanh",
                        "Clip",
                        "Neg",
                        "Abs",
                        "Exp",
                        "Log",
                        "Sqrt",
                        "Dropout",
                        "QuantizeLinear",
                        "DequantizeLinear",
                        "DynamicQuantizeLinear",
                        "BatchNormalization",
                        "InstanceNormalization",
                        "LayerNormalization",
                        "PRelu",
                        "Pad",
                        "Slice",
                        "Resize",
                        "Upsample",
                        "Softmax",
                        "Mod",
                        "Floor",
                        "Round"});
}

bool is_elementwise(std::string_view op) {
  return is_one_of(op, {"Add", "Sub", "Mul", "Div", "Pow", "Max", "Min"});
}

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

  /// Of a stored tensor, also where it is only cast, dequantised or scaled before its use.
  [[nodiscard]] const Dims* stored_dims(ValueId id) const {
    for (int steps = 0; id != kNoValue && steps < 8; ++steps) {
      if (const auto& constant = graph_.values[id].constant) return &constant->dims;
      const auto producer = producers_.find(id);
      if (producer == producers_.end()) return nullptr;
      const Node& node = *producer->second;
      const bool keeps_dims =
          is_one_of(node.op, {"Identity", "Cast", "DequantizeLinear", "QuantizeLinear"});
      // Some quantised files add an offset to their weights.
      if (!keeps_dims && !is_elementwise(node.op)) return nullptr;
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

  void demand(const Axes& axes, std::size_t at, Dim size, const Node& node) {
    if (at >= axes.size() || axes[at] == kNoAxis || size <= 0) return;
    AxisFacts& facts = facts_.axes[static_cast<std::size_t>(axes[at])];
    if (facts.demanded) return;
    facts.demanded = size;
    facts.demanded_by = describe(node);
  }

  void follow(const Node& node) {
    const Axes* const axes = traced(input_at(node, 0));
    if (is_elementwise(node.op)) return follow_elementwise(node);
    if (node.op == "Concat") return follow_concat(node);
    if (is_one_of(node.op, {"LSTM", "GRU", "RNN", "DynamicQuantizeLSTM"})) return recurrent(node);
    if (axes == nullptr) return;
    if (is_one_of(node.op, {"Conv", "FusedConv", "ConvInteger", "QLinearConv", "ConvTranspose"})) {
      convolution(node, *axes);
    } else if (is_one_of(node.op,
                         {"MatMul", "Gemm", "MatMulInteger", "QLinearMatMul", "FusedMatMul",
                          "MatMulIntegerToFloat", "DynamicQuantizeMatMul", "FusedGemm"})) {
      product(node, *axes);
    } else if (node.op == "Transpose") {
      transpose(node, *axes);
    } else if (node.op == "Unsqueeze") {
      unsqueeze(node, *axes);
    } else if (node.op == "Squeeze") {
      squeeze(node, *axes);
    } else if (node.op == "Split") {
      for (const ValueId output : node.outputs)
        if (output != kNoValue) traced_.emplace(output, *axes);
    } else if (keeps_axes(node.op)) {
      normalisation(node, *axes);
      set_output(node, *axes);
    }
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

  void convolution(const Node& node, const Axes& axes) {
    const Dims* const weights = stored_dims(input_at(node, node.op == "QLinearConv" ? 3 : 1));
    if (weights == nullptr || weights->size() < 3 || weights->size() != axes.size()) return;
    const std::int64_t group = integer_attribute(node, "group", 1);
    const Dim channels = node.op == "ConvTranspose" ? (*weights)[0] : (*weights)[1] * group;
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
    const std::size_t slot = node.op == "QLinearMatMul" ? 3 : 1;
    const Dims* const weights = stored_dims(input_at(node, slot));
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
      const bool along_layers = slice.op == "Slice" && axes && axes->size() == 1 &&
                                axes->front() == 0 && ends && ends->size() == 1;
      if (along_layers) layers = ends->front();
      if (slice.op == "Split" && integer_attribute(slice, "axis", 0) == 0)
        layers = directions * static_cast<Dim>(slice.outputs.size());
    }
    AxisFacts& facts = facts_.axes.front();
    if (!layers || *layers > kMostLayers || *layers <= facts.demanded.value_or(0)) return;
    facts.demanded = layers;
    facts.demanded_by = describe(node);
  }

  void recurrent(const Node& node) {
    const bool packed = node.op == "DynamicQuantizeLSTM";
    const auto size_of = [&](std::size_t slot) -> Dim {
      const Dims* const weights = stored_dims(input_at(node, slot));
      return weights == nullptr || weights->size() != 3 ? 0 : (*weights)[packed ? 1 : 2];
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

  void normalisation(const Node& node, const Axes& axes) {
    const bool last = node.op == "LayerNormalization";
    if (!last && !is_one_of(node.op, {"BatchNormalization", "InstanceNormalization"})) return;
    const Dims* const scale = stored_dims(input_at(node, 1));
    if (scale != nullptr && scale->size() == 1)
      demand(axes, last ? axes.size() - 1 : 1, scale->front(), node);
  }

  void transpose(const Node& node, const Axes& axes) {
    const Attribute* const order = node.attribute("perm");
    Axes result(axes.rbegin(), axes.rend());
    for (std::size_t i = 0; order != nullptr && i < axes.size(); ++i) {
      if (order->integers.size() != axes.size()) return;
      const std::int64_t from = order->integers[i];
      if (from < 0 || from >= static_cast<std::int64_t>(axes.size())) return;
      result[i] = axes[static_cast<std::size_t>(from)];
    }
    set_output(node, std::move(result));
  }

  void unsqueeze(const Node& node, const Axes& axes) {
    const auto added = axes_of(node);
    if (!added) return;
    const auto rank = static_cast<std::int64_t>(axes.size() + added->size());
    std::vector<bool> is_new(static_cast<std::size_t>(rank), false);
    for (const std::int64_t axis : *added) {
      const std::int64_t at = axis < 0 ? axis + rank : axis;
      if (at < 0 || at >= rank) return;
      is_new[static_cast<std::size_t>(at)] = true;
    }
    Axes result;
    std::size_t next = 0;
    for (const bool fresh : is_new)
      result.push_back(fresh || next >= axes.size() ? kNoAxis : axes[next++]);
    set_output(node, std::move(result));
  }

  void squeeze(const Node& node, const Axes& axes) {
    const auto removed = axes_of(node);
    if (!removed) return;
    const auto rank = static_cast<std::int64_t>(axes.size());
    Axes result;
    for (std::int64_t i = 0; i < rank; ++i) {
      const bool gone = std::any_of(removed->begin(), removed->end(), [&](std::int64_t axis) {
        return (axis < 0 ? axis + rank : axis) == i;
      });
      if (!gone) result.push_back(axes[static_cast<std::size_t>(i)]);
    }
    set_output(node, std::move(result));
  }

  /// The rank that the first operator with weights asks for; 0 where none is found.
  [[nodiscard]] std::size_t rank_by_use() const {
    std::vector<ValueId> same{input_};
    std::size_t rank = 0;
    visit(graph_.main, [&](const Node& node) {
      if (rank > 0 || std::find(same.begin(), same.end(), input_at(node, 0)) == same.end()) return;
      const Dims* const weights = stored_dims(input_at(node, 1));
      const std::size_t weight_rank = weights == nullptr ? 0 : weights->size();
      if (is_one_of(node.op, {"Conv", "FusedConv", "ConvInteger", "ConvTranspose"})) {
        rank = weight_rank;
      } else if (is_one_of(node.op, {"Gemm", "MatMul", "MatMulInteger"})) {
        rank = weight_rank > 0 ? 2 : 0;
      } else if (is_one_of(node.op, {"LSTM", "GRU", "RNN"})) {
        rank = 3;
      } else if (node.op == "Transpose" && node.attribute("perm") != nullptr) {
        rank = node.attribute("perm")->integers.size();
      } else if ((keeps_axes(node.op) || is_elementwise(node.op)) && !node.outputs.empty()) {
        same.push_back(node.outputs[0]);
      }
    });
    return rank;
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
