#pragma once

#include <memory>
#include <string>

#include "store/sql/connection.hpp"
#include "store/sql/postgresql/server_link.hpp"

namespace jouletree::store::sql {

/// @param backoff  How long to wait before each further attempt to reach the server.
[[nodiscard]] std::unique_ptr<Connection> open_postgresql(
    const std::string& url, Access access,
    const Backoff& backoff = {std::chrono::milliseconds(500), std::chrono::seconds(1),
                              std::chrono::seconds(2), std::chrono::seconds(4),
                              std::chrono::seconds(8)});

}  // namespace jouletree::store::sql
