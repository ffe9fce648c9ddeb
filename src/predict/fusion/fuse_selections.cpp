#include <algorithm>

#include "predict/fusion/rules.hpp"

namespace jouletree::predict {
namespace {

/// What a Gather of one index or a Slice takes along one axis.
struct Selection {
  Node* node = nullptr;
  std::int64_t axis = 0;
  std::int64_t begin = 0;
  std::int64_t end = 0;
  bool drops_axis = false;
};

std::int64_t counted_from_front(std::int64_t number, std::int64_t size) {
  return number < 0 ? number + size : number;
}

std::optional<Selection> picked(const GraphEdit& edit, Node& node, std::int64_t rank) {
  const auto index = edit.integers(input_of(node, 1));
  const auto& dims = edit.dims(input_of(node, 1));
  if (!index || index->size() != 1 || !dims || dims->size() > 1) return std::nullopt;
  const std::int64_t axis = counted_from_front(integer_of(node, "axis", 0), rank);
  return Selection{&node, axis, index->front(), index->front() + 1, dims->empty()};
}

std::optional<Selection> sliced(const GraphEdit& edit, Node& node, std::int64_t rank) {
  const auto begins = edit.integers(input_of(node, 1));
  const auto ends = edit.integers(input_of(node, 2));
  const auto axes = edit.integers(input_of(node, 3));
  const ValueId steps = input_of(node, 4);
  const bool is_single =
      begins && ends && axes && begins->size() == 1 && ends->size() == 1 && axes->size() == 1;
  if (!is_single || (steps != kNoValue && edit.scalar(steps) != 1.0)) return std::nullopt;
  return Selection{&node, counted_from_front(axes->front(), rank), begins->front(), ends->front()};
}

/// What the readers of a value select, in the order of the parts; nothing where that is not all of
/// it, once.
std::vector<Selection> selections_of(const GraphEdit& edit, ValueId value) {
  const auto& dims = edit.dims(value);
  const std::vector<Node*> readers = edit.readers(value);
  if (!dims || readers.size() < 2 || edit.is_output(value)) return {};
  const auto rank = static_cast<std::int64_t>(dims->size());
  std::vector<Selection> parts;
  for (Node* const reader : readers) {
    if (reader->inputs.empty() || reader->inputs[0] != value) return {};
    const auto part = is_op(reader, "Gather")  ? picked(edit, *reader, rank)
                      : is_op(reader, "Slice") ? sliced(edit, *reader, rank)
                                               : std::nullopt;
    if (!part || part->axis < 0 || part->axis >= rank) return {};
    parts.push_back(*part);
  }
  const std::int64_t axis = parts[0].axis;
  const Dim size = (*dims)[static_cast<std::size_t>(axis)];
  if (size == kUnknownDim) return {};
  for (Selection& part : parts) {
    if (part.axis != axis) return {};
    const std::int64_t length = part.end - part.begin;
    part.begin = counted_from_front(part.begin, size);
    part.end = is_op(part.node, "Gather") ? part.begin + length
                                          : std::min(counted_from_front(part.end, size), size);
  }
  std::sort(parts.begin(), parts.end(),
            [](const Selection& a, const Selection& b) { return a.begin < b.begin; });
  std::int64_t reached = 0;
  for (const Selection& part : parts) {
    if (part.begin != reached || part.end <= part.begin) return {};
    reached = part.end;
  }
  return reached == size ? parts : std::vector<Selection>();
}

constexpr int kListsAreInputs = 13;

/// One kernel gives out all parts; single elements lose the axis behind it.
void split(GraphEdit& edit, ValueId value, const std::vector<Selection>& parts) {
  std::vector<ValueId> outputs;
  std::vector<std::int64_t> sizes;
  const auto axis = static_cast<std::size_t>(parts[0].axis);
  for (const Selection& part : parts) {
    Dims open = *edit.dims(value);
    Dims settled = edit.settled_dims(value).value_or(open);
    open[axis] = settled[axis] = part.end - part.begin;
    outputs.push_back(part.drops_axis ? edit.add_value("split", edit.type(value), open, settled)
                                      : part.node->outputs[0]);
    sizes.push_back(part.end - part.begin);
  }
  const Node& first =
      *std::min_element(parts.begin(), parts.end(), [&](const Selection& a, const Selection& b) {
         return edit.is_before(*a.node, *b.node);
       })->node;
  Node& made = edit.insert_before(
      first, {"Split", "", {value}, outputs, {integer_attribute("axis", parts[0].axis)}});
  if (made.opset < kListsAreInputs) {
    made.attributes.push_back(integers_attribute("split", sizes));
  } else {
    edit.set_input(made, 1, edit.add_integers("split", sizes));
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const ValueId result = parts[i].node->outputs[0];
    if (parts[i].drops_axis) {
      Node& squeeze = edit.insert_after(made, {"Squeeze", "", {outputs[i]}, {result}});
      if (squeeze.opset < kListsAreInputs) {
        squeeze.attributes.push_back(integers_attribute("axes", {parts[0].axis}));
      } else {
        edit.set_input(squeeze, 1, edit.add_integers("axes", {parts[0].axis}));
      }
      edit.set_outputs(squeeze, {result});
    }
    edit.remove(*parts[i].node);
  }
  edit.set_outputs(made, outputs);
}

}  // namespace

void fuse_selections(GraphEdit& edit) {
  for (const Node* const node : edit.nodes()) {
    if (edit.is_removed(*node) || is_op(node, "Shape") || node->outputs.size() != 1) continue;
    const ValueId value = node->outputs[0];
    if (const auto parts = selections_of(edit, value); !parts.empty()) split(edit, value, parts);
  }
}

}  // namespace jouletree::predict
