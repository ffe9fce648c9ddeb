#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "store/sql/connection.hpp"

namespace jouletree::store {

/// That this program writes.
inline constexpr std::int64_t kSchemaVersion = 2;

/// Nothing where the database holds no schema of JouleTree.
[[nodiscard]] std::optional<std::int64_t> schema_version(sql::Connection& connection);

/// Throws Error(BadInput) for a database of something else, and for an older or newer schema.
void require_schema(sql::Connection& connection);

/// Makes the tables in an empty database, and brings those of older programs up to date, all or
/// nothing. Throws Error(BadInput) for a newer schema and for a database that holds something else.
void migrate(sql::Connection& connection);

/// All tables with data; those that others refer to stand before them. Not the queues of campaigns:
/// they belong to the database where their workers meet, and are not merged.
[[nodiscard]] const std::vector<std::string>& table_names();

}  // namespace jouletree::store
