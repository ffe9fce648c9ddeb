#pragma once

#include <array>
#include <random>
#include <string>

#include <fmt/format.h>

namespace jouletree::test {

/// The text of a cell of NAS-Bench-201, any of all with the same probability.
inline std::string random_cell(std::mt19937& random) {
  constexpr std::array<const char*, 5> kOperations = {"none", "skip_connect", "nor_conv_1x1",
                                                      "nor_conv_3x3", "avg_pool_3x3"};
  std::string cell;
  for (int node = 1; node <= 3; ++node) {
    cell += node > 1 ? "+|" : "|";
    for (int from = 0; from < node; ++from)
      cell += fmt::format("{}~{}|", kOperations.at(random() % kOperations.size()), from);
  }
  return cell;
}

}  // namespace jouletree::test
