#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "campaign/plan.hpp"
#include "jouletree/error.hpp"

namespace jouletree::campaign {

/// A plan of more items is a slip of the pen.
inline constexpr std::size_t kMostItems = 1'000'000;
/// Names and values of all combinations, which are in memory together.
inline constexpr std::size_t kMostPairs = 8'000'000;

/// Throws Error(BadInput) before anything is multiplied. `place_of` says where the plan has a name.
template <class Value, class PlaceOf>
void refuse_too_many_combinations(const Choices<Value>& choices, const PlaceOf& place_of) {
  std::size_t count = 1;
  for (const auto& [name, values] : choices) {
    count *= values.size();
    if (count > kMostItems || count * choices.size() > kMostPairs)
      throw Error(ErrorKind::BadInput,
                  place_of(name) +
                      "gives more combinations, with the other lists, than fit into "
                      "memory: give shorter lists");
  }
}

/// All combinations of values, as name-value pairs; one empty one where there is no name. Throws as
/// above.
template <class Value, class PlaceOf>
std::vector<std::vector<std::pair<std::string, Value>>> combinations(const Choices<Value>& choices,
                                                                     const PlaceOf& place_of) {
  refuse_too_many_combinations(choices, place_of);
  std::vector<std::vector<std::pair<std::string, Value>>> all(1);
  for (const auto& [name, values] : choices) {
    std::vector<std::vector<std::pair<std::string, Value>>> next;
    for (const auto& before : all) {
      for (const Value& value : values) {
        next.push_back(before);
        next.back().emplace_back(name, value);
      }
    }
    all = std::move(next);
  }
  return all;
}

}  // namespace jouletree::campaign
