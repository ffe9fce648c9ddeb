#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "store/database/database.hpp"

namespace jouletree::store {

/// How many rows of each table were new.
using MergedRows = std::map<std::string, std::int64_t>;
/// Is told the table, and how many of its rows are done.
using MergeProgress =
    std::function<void(const std::string& table, std::int64_t done, std::int64_t total)>;

/// Adds all rows of a database to another that are not there yet, or none. Rows have the same key
/// wherever they were made, so that the order of databases does not matter, and a second time
/// changes nothing. Throws Error(Failed) where two different rows have one key, and as Database
/// does.
[[nodiscard]] MergedRows merge(Database& from, Database& into, const MergeProgress& progress);

}  // namespace jouletree::store
