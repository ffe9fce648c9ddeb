#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace jouletree::engines {

/// What runs before a part in the model runs before it in its workload, too; its time does not
/// count. It goes back until it has moved `least_bytes`, and on to `most_bytes` while it takes no
/// longer than `longest`. The part right before is always among it. None where `most_bytes` is 0.
struct Context {
  std::int64_t least_bytes = 0;
  std::int64_t most_bytes = 0;
  std::chrono::duration<double> longest{0};
};

/// How often a part of a model runs in one run of its workload. The copies take turns at several
/// sets of weights and of each input; of a single set all have the original.
struct Copies {
  int count = 1;
  int weight_sets = 1;
  std::map<std::string, int, std::less<>> input_sets{};  ///< By name; one of those left out.
  /// Outputs are kept until they are so many bytes together, so that copies write to memory of that
  /// size in turns. Nothing: until the run ends.
  std::optional<std::int64_t> output_bytes = 0;
  Context context{};  ///< Of every copy; only of engines that run parts in their context.

  [[nodiscard]] int sets_of(std::string_view input) const {
    const auto sets = input_sets.find(input);
    return sets == input_sets.end() ? 1 : sets->second;
  }
  /// Whether both find their memory alike, however many copies there are.
  [[nodiscard]] bool has_sets_of(const Copies& other) const {
    return weight_sets == other.weight_sets && input_sets == other.input_sets &&
           output_bytes == other.output_bytes;
  }
};

}  // namespace jouletree::engines
