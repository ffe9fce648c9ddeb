#pragma once

#include <span>
#include <string_view>

#include "store/sql/connection.hpp"

namespace jouletree::store::sql {

/// Refuses what not every database can keep as it is, so that all of them can hold the same: throws
/// Error(BadInput) for another number of parameters than `wanted`, numbers that are not finite, and
/// texts that are not UTF-8 or hold a NUL byte.
void check_parameters(std::string_view sql, std::size_t wanted,
                      std::span<const Parameter> parameters);

/// The beginning of a statement in one line, for messages.
[[nodiscard]] std::string shortened(std::string_view sql);

}  // namespace jouletree::store::sql
