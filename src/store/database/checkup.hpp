#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "store/sql/connection.hpp"

namespace jouletree::store {

struct DatabaseProblem {
  std::string what;
  std::string advice;  ///< What to do.
};

/// How sound a database is.
struct DatabaseCheckup {
  std::string place;
  std::optional<std::int64_t> schema;  ///< Nothing where it is no database of JouleTree.
  std::vector<DatabaseProblem> problems;
  std::vector<std::string> notes;  ///< What is worth to know and no problem.
};

/// Reads everything once. Is told how many rows of how many were read. Throws as sql::Connection.
[[nodiscard]] DatabaseCheckup check_database(
    sql::Connection& connection,
    const std::function<void(std::int64_t done, std::int64_t total)>& progress);

}  // namespace jouletree::store
