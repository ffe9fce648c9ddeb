#include <algorithm>

#include "predict/fusion/rules.hpp"

namespace jouletree::predict {
namespace {

/// Only the last of them says what comes out.
void fuse_chain(GraphEdit& edit, Node& first) {
  Node* last = &first;
  for (Node* next = edit.only_reader(first.outputs[0]);
       is_op(next, "Reshape") && next->inputs[0] == last->outputs[0] &&
       edit.has_known_dims(next->outputs[0]);
       next = edit.only_reader(last->outputs[0]))
    last = next;
  if (last == &first) return;
  const Dims to = *edit.dims(last->outputs[0]);
  const ValueId from = first.inputs[0];
  const ValueId made = last->outputs[0];
  std::vector<Node*> chain;
  for (Node* node = &first; node != last; node = edit.only_reader(node->outputs[0]))
    chain.push_back(node);
  last->attributes.clear();
  edit.set_inputs(*last, {from, edit.add_integers("shape", to)});
  for (Node* const node : chain) edit.remove(*node);
  edit.set_outputs(*last, {made});
}

/// Whether it is the size of that axis of the value: Unsqueeze(Gather(Shape(value), axis)), or a
/// Slice of the shape.
bool is_size_of(const GraphEdit& edit, ValueId part, ValueId value, std::int64_t axis) {
  const Node* node = edit.producer(part);
  if (is_op(node, "Unsqueeze")) node = edit.producer(node->inputs[0]);
  if (node == nullptr || node->inputs.empty()) return false;
  const Node* const shape = edit.producer(node->inputs[0], "Shape");
  if (shape == nullptr || shape->inputs[0] != value) return false;
  if (is_op(node, "Gather")) {
    const auto index = edit.integers(input_of(*node, 1));
    return index && index->size() == 1 && index->front() == axis;
  }
  if (is_op(node, "Slice")) {
    const auto begins = edit.integers(input_of(*node, 1));
    const auto ends = edit.integers(input_of(*node, 2));
    return begins && ends && begins->size() == 1 && ends->size() == 1 && begins->front() == axis &&
           ends->front() == axis + 1;
  }
  return false;
}

bool has_one_element(const GraphEdit& edit, ValueId part) {
  const auto& dims = edit.dims(part);
  return dims && dims->size() == 1 && dims->front() == 1;
}

/// A shape that is joined from sizes of the input and constants: 0 stands for such a size, and one
/// that is computed otherwise follows from the others.
void simplify_shape(GraphEdit& edit, Node& reshape) {
  Node* const joined = edit.producer(input_of(reshape, 1), "Concat");
  if (joined == nullptr || edit.only_reader(joined->outputs[0]) == nullptr) return;
  std::vector<std::int64_t> sizes;
  for (const ValueId part : joined->inputs) {
    if (const auto stored = edit.integers(part)) {
      sizes.insert(sizes.end(), stored->begin(), stored->end());
    } else if (is_size_of(edit, part, reshape.inputs[0], static_cast<std::int64_t>(sizes.size()))) {
      sizes.push_back(0);
    } else if (has_one_element(edit, part)) {
      sizes.push_back(-1);
    } else {
      return;
    }
  }
  if (std::count(sizes.begin(), sizes.end(), -1) > 1) return;
  edit.set_input(reshape, 1, edit.add_integers("shape", sizes));
}

}  // namespace

void fuse_reshapes(GraphEdit& edit) {
  for (Node* const node : edit.nodes()) {
    if (edit.is_removed(*node) || !is_op(node, "Reshape")) continue;
    simplify_shape(edit, *node);
    fuse_chain(edit, *node);
  }
}

}  // namespace jouletree::predict
