#pragma once

#include <span>
#include <string>

#include "store/sql/connection.hpp"

namespace jouletree::store {

/// A column that is no part of the key: two rows with one key may know it or not.
struct FreeColumn {
  const char* name;
  bool is_text;
};

/// What stands behind INSERT where a row with the same key is there: of each column the one that is
/// known, and of two the smaller, so that it does not matter who comes first.
[[nodiscard]] std::string settle_clause(sql::Dialect dialect, const std::string& table,
                                        const std::string& key,
                                        std::span<const FreeColumn> columns);

/// The free columns of a table; none where rows with one key are equal.
[[nodiscard]] std::span<const FreeColumn> free_columns(const std::string& table);

}  // namespace jouletree::store
