#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace jouletree {

/// Names of one column, shortened to so many columns. Where names that differ would read alike,
/// they are cut elsewhere, so that they show where they differ: "enc…11…query.MatMul". Where there
/// is no room for that, some still read alike.
[[nodiscard]] std::map<std::string, std::string> told_apart(const std::vector<std::string>& names,
                                                            std::size_t columns);

}  // namespace jouletree
