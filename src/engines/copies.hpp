#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace jouletree::engines {

/// How often a part of a model runs in one run of its workload. The copies take turns at several
/// sets of weights and of each input; of a single set all have the original.
struct Copies {
  int count = 1;
  int weight_sets = 1;
  std::map<std::string, int, std::less<>> input_sets{};  ///< By name; one of those left out.
  /// Outputs are kept until they are so many bytes together, so that copies write to memory of that
  /// size in turns. Nothing: until the run ends.
  std::optional<std::int64_t> output_bytes = 0;
  /// What runs before the part in the model runs before every copy, until it has moved so many
  /// bytes. Its time does not count. Only of engines that run parts in their context.
  std::int64_t context_bytes = 0;

  [[nodiscard]] int sets_of(std::string_view input) const {
    const auto sets = input_sets.find(input);
    return sets == input_sets.end() ? 1 : sets->second;
  }
};

}  // namespace jouletree::engines
