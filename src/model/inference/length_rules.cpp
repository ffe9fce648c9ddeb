#include "model/inference/length_rules.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "model/inference/dim_expression.hpp"
#include "model/inference/name_parts.hpp"
#include "model/inference/usual_sizes.hpp"

namespace jouletree::model {
namespace {

constexpr Dim kMostRaised = 4096;

/// The lengths that a decoder was given.
struct Lengths {
  std::optional<Dim> tokens;
  Dim cached = 0;
};

bool holds_tokens(const GraphValue& input) {
  const std::size_t rank = input.declared_dims.size();
  const bool ids = is_integer(input.declared.type) && rank == 2 &&
                   (contains(input.name, "input_ids") || contains(input.name, "tokens"));
  const bool embeddings = rank == 3 && contains(input.name, "inputs_embeds");
  return ids || embeddings;
}

Lengths lengths_of(const Graph& graph, const InputStates& inputs) {
  Lengths lengths;
  std::size_t next = 0;
  for (const ValueId id : graph.main.inputs) {
    const GraphValue& input = graph.values[id];
    if (input.constant) continue;
    const auto& dims = inputs.shapes[next++].dims;
    if (!dims) continue;
    if (!lengths.tokens && holds_tokens(input)) lengths.tokens = (*dims)[1].size;
    if (const auto axis = cache_length_axis(input)) lengths.cached = (*dims)[*axis].size;
  }
  return lengths;
}

void raise_symbols_in(const std::string& expression, SizeChoices& choices) {
  const auto value = [&] {
    return evaluate_dim_expression(expression, [&](std::string_view name) {
      const auto choice = choices.find(name);
      return choice == choices.end() ? std::nullopt : std::optional(choice->second.size);
    });
  };
  (void)visit_dim_symbols(expression, [&](std::string_view name) {
    const auto choice = choices.find(name);
    if (choice == choices.end() || choice->second.origin != SizeOrigin::Default) return;
    SizeChoice raised{2, SizeOrigin::Graph, fmt::format("so that {} is not 0", expression)};
    for (; raised.size <= kMostRaised; raised.size *= 2) {
      choice->second = raised;
      if (value().value_or(0) > 0) return;
    }
    choice->second = SizeChoice{};
  });
}

}  // namespace

void raise_empty_expressions(const InputStates& inputs, SizeChoices& choices) {
  for (const InputShape& shape : inputs.shapes) {
    for (std::size_t axis = 0; shape.dims && axis < shape.dims->size(); ++axis) {
      const InputDim& dim = (*shape.dims)[axis];
      const bool empty = dim.origin == SizeOrigin::Expression && dim.size == 0;
      if (empty && !is_cache_name(shape.name) && !is_cache_name(dim.name))
        raise_symbols_in(dim.name, choices);
    }
  }
}

void follow_lengths(const Graph& graph, const InputStates& inputs, SizeChoices& choices) {
  const Lengths lengths = lengths_of(graph, inputs);
  if (!lengths.tokens) return;
  for (const OpenDim& dim : inputs.open) {
    const auto all = [&](auto&& fits) {
      return !dim.places.empty() && std::all_of(dim.places.begin(), dim.places.end(), fits);
    };
    const auto name = [&](const OpenDim::Place& place) { return graph.values[place.input].name; };
    const bool own_length = all([&](const OpenDim::Place& place) {
      return place.axis == 1 && graph.values[place.input].declared_dims.size() == 2 &&
             !contains(name(place), "encoder");
    });
    if (!own_length) continue;
    if (all([&](const auto& place) { return contains(name(place), "mask"); })) {
      choices[dim.key] = {*lengths.tokens + lengths.cached, SizeOrigin::Graph,
                          "a mask is as long as the cache and the tokens together"};
    } else if (all([&](const auto& place) { return contains(name(place), "position"); })) {
      choices[dim.key] = {*lengths.tokens, SizeOrigin::Graph, "each token has one position"};
    }
  }
}

}  // namespace jouletree::model
