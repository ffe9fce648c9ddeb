#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "store/sql/connection.hpp"
#include "store/sql/postgresql/libpq.hpp"

namespace jouletree::store::sql {

struct EndLink {
  void operator()(PGconn* link) const { libpq().finish(link); }
};
using ServerLink = std::unique_ptr<PGconn, EndLink>;

/// How long to wait before each further attempt to reach a server.
using Backoff = std::vector<std::chrono::milliseconds>;

/// Of a server that was there, silence is a reason to ask again.
enum class LinkTime : std::uint8_t { First, Again };

/// Opens a connection that speaks UTF-8, tells numbers to the last bit, and begins read-only
/// transactions where it shall only read. Waits 10 s for an answer, unless the URL, its service or
/// PGCONNECT_TIMEOUT say otherwise. Throws Error: BadInput for a URL that cannot be used and a
/// server that refuses, Failed for one that cannot be reached.
[[nodiscard]] ServerLink open_link(const std::string& url, Access access, const Backoff& backoff,
                                   LinkTime time);

/// What a library or a server said, in one line.
[[nodiscard]] std::string in_one_line(std::string_view said);

}  // namespace jouletree::store::sql
