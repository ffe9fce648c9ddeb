#include "base/name_distance.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace jouletree {

std::size_t wrong_letters(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t change = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({change, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

std::int64_t name_distance(std::string_view wanted, std::string_view name) {
  const auto end = std::mismatch(wanted.begin(), wanted.end(), name.begin(), name.end()).first;
  return static_cast<std::int64_t>(wrong_letters(wanted, name)) - 2 * (end - wanted.begin());
}

std::string likely_name(std::string_view wanted, std::span<const std::string> names) {
  constexpr std::size_t kShortestBeginning = 3;
  const auto without_dashes = [](std::string_view name) {
    return name.substr(std::min(name.find_first_not_of('-'), name.size()));
  };
  const std::string_view key = without_dashes(wanted);
  const std::size_t most_wrong = (key.size() + 1) / 3;
  const std::string* best = nullptr;
  std::int64_t best_distance = 0;
  for (const std::string& name : names) {
    const std::string_view other = without_dashes(name);
    const bool begins = key.size() >= kShortestBeginning && other.starts_with(key);
    const bool is_long = other.size() > 1;  // one letter is like any other
    if (!is_long || (!begins && wrong_letters(key, other) > most_wrong)) continue;
    const std::int64_t distance = name_distance(key, other);
    if (best != nullptr && distance >= best_distance) continue;
    best = &name;
    best_distance = distance;
  }
  return best == nullptr ? "" : *best;
}

}  // namespace jouletree
