#include "model/inference/repeated_calls.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace jouletree::model {
namespace {

/// Nodes with more inputs are few, and take long to compare.
constexpr std::size_t kMostComparedInputs = 8;
/// Longer contents are the same only where they are shared.
constexpr std::size_t kLongestContent = 64;
constexpr std::size_t kMostStoredBytes = 1024;
/// Of nodes that only differ in what rules saw of their inputs.
constexpr int kMostAlike = 8;

class CallHash {
 public:
  void add(std::uint64_t word) {
    constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15;
    bits_ = (std::rotl(bits_, 23) ^ word) * kFactor;
  }
  [[nodiscard]] std::uint64_t bits() const { return bits_; }

 private:
  std::uint64_t bits_ = 0;
};

std::uint64_t first_word(std::string_view bytes) {
  std::uint64_t word = 0;
  if (!bytes.empty()) std::memcpy(&word, bytes.data(), std::min(bytes.size(), sizeof word));
  return word;
}

std::uint64_t word_of(const Scalar& element) {
  return element.known() ? std::bit_cast<std::uint64_t>(element.as_real()) : ~std::uint64_t{0};
}

bool are_same(const Scalar& a, const Scalar& b) {
  // Zeros of both signs are equal, and not the same.
  return a == b && word_of(a) == word_of(b);
}

bool are_same(std::string_view a, std::string_view b) {
  return a.size() == b.size() && a.size() <= kMostStoredBytes && (a.data() == b.data() || a == b);
}

bool are_same(const StoredTensor& a, const StoredTensor& b) {
  return a.type == b.type && a.dims == b.dims && are_same(a.raw, b.raw) &&
         are_same(a.packed, b.packed) && a.unpacked == b.unpacked && !a.external && !b.external &&
         a.stored_elements == b.stored_elements;
}

bool are_same(const Attribute& a, const Attribute& b) {
  return a.name == b.name && a.kind == b.kind && a.integer == b.integer &&
         std::bit_cast<std::uint32_t>(a.real) == std::bit_cast<std::uint32_t>(b.real) &&
         a.text == b.text && a.reals == b.reals && a.integers == b.integers && a.texts == b.texts &&
         std::equal(a.tensors.begin(), a.tensors.end(), b.tensors.begin(), b.tensors.end(),
                    [](const auto& one, const auto& other) { return are_same(one, other); });
}

/// Reading them works for both, or for none. What is packed may turn out to be damaged.
bool are_stored_alike(const StoredTensor& a, const StoredTensor& b) {
  return a.raw.size() == b.raw.size() && a.packed.empty() && b.packed.empty() &&
         a.unpacked.size() == b.unpacked.size() && !a.external && !b.external &&
         a.stored_elements == b.stored_elements;
}

/// As ==, which takes longer: nearly all are tensors, and most have few dimensions or none.
bool are_same(const ValueType& a, const ValueType& b) {
  if (a.type != b.type || a.kind != b.kind || a.dims.has_value() != b.dims.has_value())
    return false;
  if (a.dims) {
    const std::size_t rank = a.dims->size();
    if (rank != b.dims->size()) return false;
    for (std::size_t i = 0; i < rank; ++i)
      if ((*a.dims)[i] != (*b.dims)[i]) return false;
  }
  return (!a.items && !b.items) || a.items == b.items;
}

bool is_comparable(const Node& node) {
  return node.inputs.size() <= kMostComparedInputs &&
         std::none_of(node.attributes.begin(), node.attributes.end(),
                      [](const Attribute& attribute) { return !attribute.blocks.empty(); });
}

}  // namespace

RepeatedCalls::RepeatedCalls(const Graph& graph, const std::vector<ValueState>& states)
    : graph_(graph), states_(states), entries_(std::bit_ceil(2 * graph.main.nodes.size() + 1)) {}

std::uint64_t RepeatedCalls::hash_of(ValueId id) const {
  CallHash hash;
  const ValueState& state = states_[id];
  hash.add(static_cast<std::uint64_t>(state.type.type));
  if (state.type.dims)
    for (const Dim dim : *state.type.dims) hash.add(static_cast<std::uint64_t>(dim));
  // Of a constant what is stored: its content may be read later. Weights differ, and nobody looks.
  if (const auto& constant = graph_.values[id].constant) {
    if (constant->raw.size() <= sizeof(std::uint64_t)) hash.add(first_word(constant->raw));
  } else if (state.content != nullptr && !state.content->empty()) {
    hash.add(word_of(state.content->front()));
    hash.add(word_of(state.content->back()));
  }
  return hash.bits();
}

std::uint32_t RepeatedCalls::hash_of(const Node& node) const {
  CallHash hash;
  hash.add(first_word(node.op));
  hash.add(node.op.size());
  for (const Attribute& attribute : node.attributes) {
    hash.add(static_cast<std::uint64_t>(attribute.integer));
    for (const std::int64_t integer : attribute.integers)
      hash.add(static_cast<std::uint64_t>(integer));
  }
  for (const ValueId id : node.inputs) hash.add(id == kNoValue ? 0 : hash_of(id));
  return static_cast<std::uint32_t>(hash.bits() >> 32U);
}

bool RepeatedCalls::have_same_content(ValueId a, ValueId b) const {
  // Both are constants, or none is.
  if (const auto& constant = graph_.values[a].constant)
    return are_same(*constant, *graph_.values[b].constant);
  const auto& one = states_[a].content;
  const auto& other = states_[b].content;
  if (one == other) return true;
  return one != nullptr && other != nullptr && one->size() <= kLongestContent &&
         std::equal(one->begin(), one->end(), other->begin(), other->end(),
                    [](const Scalar& x, const Scalar& y) { return are_same(x, y); });
}

bool RepeatedCalls::are_alike(ValueId a, ValueId b) const {
  if (a == b) return true;
  if (a == kNoValue || b == kNoValue) return false;
  const auto& constant = graph_.values[a].constant;
  const auto& other = graph_.values[b].constant;
  if (constant.has_value() != other.has_value()) return false;
  if (constant && !are_stored_alike(*constant, *other)) return false;
  const bool known = states_[a].content != nullptr;
  const bool other_known = states_[b].content != nullptr;
  return are_same(states_[a].type, states_[b].type) && (constant || known == other_known);
}

bool RepeatedCalls::are_alike(const Node& node, const Entry& entry) const {
  const Node& other = *entry.node;
  if (node.inputs.size() != other.inputs.size() || node.outputs.size() != other.outputs.size() ||
      node.opset != other.opset || node.placement != other.placement || node.op != other.op ||
      node.domain != other.domain)
    return false;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const ValueId own = node.inputs[i];
    const ValueId others = other.inputs[i];
    if (!are_alike(own, others)) return false;
    if (own != others && has_slot(entry.asked, i) && !have_same_content(own, others)) return false;
    // A value that is read twice counts once.
    for (std::size_t before = 0; before < i; ++before)
      if ((node.inputs[before] == own) != (other.inputs[before] == others)) return false;
  }
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    const ValueId own = node.outputs[i];
    const ValueId others = other.outputs[i];
    if ((own == kNoValue) != (others == kNoValue)) return false;
    // What the file says of a value completes what the rules find.
    if (own != kNoValue && !are_same(graph_.values[own].declared, graph_.values[others].declared))
      return false;
  }
  return std::equal(node.attributes.begin(), node.attributes.end(), other.attributes.begin(),
                    other.attributes.end(),
                    [](const auto& a, const auto& b) { return are_same(a, b); });
}

RepeatedCalls::Place RepeatedCalls::find(const Node& node) const {
  Place place;
  if (!is_comparable(node)) return place;
  place.hash = hash_of(node);
  const std::size_t mask = entries_.size() - 1;
  int tries = 0;
  for (std::size_t at = place.hash & mask; entries_[at].node != nullptr; at = (at + 1) & mask) {
    if (entries_[at].hash != place.hash) continue;
    if (are_alike(node, entries_[at])) {
      place.earlier = entries_[at].node;
      place.asked = entries_[at].asked;
      return place;
    }
    if (++tries == kMostAlike) return place;
  }
  place.is_free = true;
  return place;
}

void RepeatedCalls::add(Place place, const Call& call) {
  if (!place.is_free) return;
  const Node& node = call.node();
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    // Whether a constant had been read by then cannot be told any more.
    if (has_slot(call.asked_states(), i) && call.is_constant(i)) return;
  }
  const std::size_t mask = entries_.size() - 1;
  std::size_t at = place.hash & mask;
  while (entries_[at].node != nullptr) at = (at + 1) & mask;
  entries_[at] = {&node, place.hash, call.asked_contents() | call.asked_states()};
}

}  // namespace jouletree::model
