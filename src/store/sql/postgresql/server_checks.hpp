#pragma once

#include <string>
#include <vector>

#include "store/sql/connection.hpp"

namespace jouletree::store::sql {

/// What the server knows to be broken in the schemas of the search path: indexes and constraints
/// that do not hold, and where amcheck is installed and allowed, what it finds in tables and
/// indexes.
/// @param in_transaction  A finding of amcheck would end the transaction, so it is not asked.
[[nodiscard]] std::vector<std::string> server_problems(Connection& connection, bool in_transaction);

}  // namespace jouletree::store::sql
