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

}  // namespace jouletree
