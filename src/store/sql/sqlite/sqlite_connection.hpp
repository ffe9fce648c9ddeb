#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "store/sql/connection.hpp"

namespace jouletree::store::sql {

/// @param patience  How long to wait for other writers.
[[nodiscard]] std::unique_ptr<Connection> open_sqlite(
    const std::string& path, Access access,
    std::chrono::milliseconds patience = std::chrono::minutes(1));

}  // namespace jouletree::store::sql
