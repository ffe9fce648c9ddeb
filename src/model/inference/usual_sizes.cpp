#include "model/inference/usual_sizes.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "model/inference/name_parts.hpp"
#include "model/operators/table.hpp"

namespace jouletree::model {
namespace {

/// Images that are not higher than this are lines of text.
constexpr Dim kHighestLine = 128;

/// Digits count as equal: layers of a model have the same sizes.
std::string without_digits(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (std::isdigit(static_cast<unsigned char>(c)) == 0) {
      result += c;
    } else if (result.empty() || result.back() != '#') {
      result += '#';
    }
  }
  return result;
}

class UsualSizePlanner {
 public:
  UsualSizePlanner(const Graph& graph, const InputStates& inputs, const FactsByInput& facts)
      : graph_(graph), inputs_(inputs), facts_(facts), hinted_(hinted_sizes(graph)) {
    for (const ValueId id : graph.main.inputs)
      if (!graph.values[id].constant) order_.push_back(id);
  }

  [[nodiscard]] SizePlan plan(const OpenDim& dim) const {
    SizePlan result;
    result.usual = usual_sizes(AxisKind::Other, false);
    result.family = without_digits(dim.key);
    if (const auto hinted = hinted_.find(dim.key); hinted != hinted_.end()) {
      result.first = hinted->second;
      return result;
    }
    if (dim.places.empty()) return result;
    result.family += fmt::format(" at {}", dim.places.front().axis);
    const bool first_axes = std::all_of(dim.places.begin(), dim.places.end(),
                                        [](const auto& place) { return place.axis == 0; });
    if (is_cache_length(dim)) {
      result.first = {0, SizeOrigin::EmptyCache, ""};
      result.usual.sizes = {0, 1};
      return result;
    }
    for (const OpenDim::Place& place : dim.places) {
      const AxisFacts& facts = facts_.at(place.input).axes[place.axis];
      if (!facts.demanded) continue;
      result.first = {*facts.demanded, SizeOrigin::Graph,
                      fmt::format("weights of {}", facts.demanded_by)};
      return result;
    }
    for (const OpenDim::Place& place : dim.places)
      if (add_usual(place, result)) return result;
    result.batch = first_axes;
    return result;
  }

 private:
  [[nodiscard]] bool is_cache_length(const OpenDim& dim) const {
    return std::all_of(dim.places.begin(), dim.places.end(), [&](const OpenDim::Place& place) {
      return cache_length_axis(graph_.values[place.input]) == place.axis;
    });
  }

  /// False where the dimension is not of a kind that has usual sizes.
  bool add_usual(const OpenDim::Place& place, SizePlan& plan) const {
    const AxisKind kind = kind_of(place);
    if (kind == AxisKind::Other) return false;
    UsualSizes usual = usual_sizes(kind, has_state(graph_));
    if (kind == AxisKind::ImageSide) add_other_side(place, usual.sizes);
    if (kind == AxisKind::VolumeSide && is_depth(place)) usual.sizes = {16, 32, 64, 8, 96, 128};
    if (kind != AxisKind::Samples && kind != AxisKind::Frames) {
      plan.family =
          fmt::format("sides of {} from {}", graph_.values[place.input].name, usual.sizes.front());
    }
    plan.first = {usual.sizes.front(), SizeOrigin::Usual, usual.reason};
    plan.usual = std::move(usual);
    return true;
  }

  [[nodiscard]] AxisKind kind_of(const OpenDim::Place& place) const {
    const AxisKind kind = facts_.at(place.input).axes[place.axis].kind;
    const bool may_be_image = kind == AxisKind::Other || kind == AxisKind::MapSide;
    return may_be_image && looks_like_image_side(place) ? AxisKind::ImageSide : kind;
  }

  /// Where operators that nobody can follow stand between the input and the first convolution.
  [[nodiscard]] bool looks_like_image_side(const OpenDim::Place& place) const {
    const GraphValue& input = graph_.values[place.input];
    const std::vector<DeclaredDim>& dims = input.declared_dims;
    if (is_integer(input.declared.type) && input.declared.type != DataType::UInt8) return false;
    if (!has_convolution()) return false;
    const auto colours = [&](std::size_t axis) {
      return axis < dims.size() && (dims[axis].size == 1 || dims[axis].size == 3);
    };
    const auto open = [&](std::size_t axis) {
      return axis < dims.size() && dims[axis].size == kUnknownDim;
    };
    if (dims.size() == 4 && place.axis >= 2 && colours(1)) return open(2) || open(3);
    const bool last_are_colours = dims.size() >= 3 && colours(dims.size() - 1);
    return dims.size() <= 4 && last_are_colours && place.axis + 1 < dims.size() &&
           place.axis + 3 >= dims.size() && open(dims.size() - 2) && open(dims.size() - 3);
  }

  [[nodiscard]] bool has_convolution() const {
    return std::any_of(graph_.main.nodes.begin(), graph_.main.nodes.end(), [](const Node& node) {
      return is_convolution(facts_of(node.domain, node.op));
    });
  }

  /// The size of the other side, where it is fixed.
  [[nodiscard]] std::optional<Dim> other_side(const OpenDim::Place& place) const {
    const std::vector<AxisFacts>& axes = facts_.at(place.input).axes;
    const auto at = std::find(order_.begin(), order_.end(), place.input) - order_.begin();
    const auto& shape = inputs_.shapes[static_cast<std::size_t>(at)].dims;
    for (std::size_t axis = 0; shape && axis < shape->size() && axis < axes.size(); ++axis) {
      const SizeOrigin origin = (*shape)[axis].origin;
      const bool fixed =
          origin == SizeOrigin::File || origin == SizeOrigin::Given || origin == SizeOrigin::Data;
      if (axis != place.axis && axes[axis].kind == AxisKind::ImageSide && fixed)
        return (*shape)[axis].size;
    }
    return std::nullopt;
  }

  /// A line of text is longer than high; other images are square.
  void add_other_side(const OpenDim::Place& place, std::vector<Dim>& sizes) const {
    const auto other = other_side(place);
    if (!other) return;
    const std::vector<Dim> better =
        *other <= kHighestLine ? std::vector<Dim>{320, 160} : std::vector<Dim>{*other};
    sizes.insert(sizes.begin(), better.begin(), better.end());
  }

  /// The first side of a volume, or the time of a video.
  [[nodiscard]] bool is_depth(const OpenDim::Place& place) const {
    const std::vector<AxisFacts>& axes = facts_.at(place.input).axes;
    const auto first = std::find_if(axes.begin(), axes.end(), [](const AxisFacts& axis) {
      return axis.kind == AxisKind::VolumeSide;
    });
    return static_cast<std::size_t>(first - axes.begin()) == place.axis;
  }

  const Graph& graph_;
  const InputStates& inputs_;
  const FactsByInput& facts_;
  SizeChoices hinted_;
  std::vector<ValueId> order_;  ///< Of the shapes.
};

}  // namespace

UsualSizes usual_sizes(AxisKind kind, bool with_state) {
  switch (kind) {
    case AxisKind::ImageSide:
      return {
          {224, 256, 320, 384, 448, 512, 640, 1024, 299, 336, 518, 192, 160, 128, 96, 64, 48, 32},
          " of images"};
    case AxisKind::MapSide: return {{64, 32, 128, 56, 28, 16, 224, 256, 7}, " of feature maps"};
    case AxisKind::Samples:
      // Models that carry a state from call to call take short pieces of a signal.
      if (with_state) {
        return {{512, 576, 480, 1024, 1536, 160, 256, 320, 640, 1280, 16000}, " of audio"};
      }
      return {{16000, 32000, 48000, 8000, 4000, 1600, 1280, 1024, 512, 480, 400, 256, 160},
              " of audio"};
    case AxisKind::Frames:
      return {{100, 128, 200, 256, 300, 500, 512, 1000, 3000, 64, 32, 16}, " of feature frames"};
    case AxisKind::VolumeSide: return {{112, 128, 64, 96, 32, 224, 16}, " of volumes"};
    case AxisKind::Other: break;
  }
  return {{1, 2, 3, 4, 8, 16, 32, 64, 128, 224, 256, 512, 1024, 4096, 16000}, ""};
}

bool has_state(const Graph& graph) {
  return std::count_if(graph.main.inputs.begin(), graph.main.inputs.end(), [&](ValueId id) {
           return !graph.values[id].constant && is_floating(graph.values[id].declared.type);
         }) > 1;
}

std::optional<std::size_t> cache_length_axis(const GraphValue& input) {
  const std::vector<DeclaredDim>& dims = input.declared_dims;
  if (!is_cache_name(input.name) || dims.size() < 3 || !is_floating(input.declared.type))
    return std::nullopt;
  // What a decoder keeps of its encoder is never empty.
  if (contains_any(input.name, {"encoder", "cross"})) return std::nullopt;
  std::vector<std::size_t> open;
  for (std::size_t axis = 1; axis < dims.size(); ++axis) {
    if (dims[axis].size != kUnknownDim) continue;
    // Names that are made from that of the input say nothing about the axis.
    const bool made_up = contains(dims[axis].symbol, input.name);
    if (!made_up && contains_any(dims[axis].symbol, {"past", "cache", "seq", "len"})) return axis;
    open.push_back(axis);
  }
  if (open.size() == 1) return open.front();
  const bool usual_order = dims.size() == 4 && dims[2].size == kUnknownDim;
  return usual_order ? std::optional<std::size_t>(2) : std::nullopt;
}

SizeChoices hinted_sizes(const Graph& graph) {
  SizeChoices choices;
  for (const auto& [symbol, hint] : graph.size_hints) {
    choices[symbol] = hint.example ? SizeChoice{hint.size, SizeOrigin::Example, ""}
                                   : SizeChoice{hint.size, SizeOrigin::Usual,
                                                ", the smallest that the program takes"};
  }
  return choices;
}

std::vector<SizePlan> plan_sizes(const Graph& graph, const InputStates& inputs,
                                 const FactsByInput& facts) {
  const UsualSizePlanner planner(graph, inputs, facts);
  std::vector<SizePlan> plans;
  plans.reserve(inputs.open.size());
  for (const OpenDim& dim : inputs.open) plans.push_back(planner.plan(dim));
  return plans;
}

}  // namespace jouletree::model
