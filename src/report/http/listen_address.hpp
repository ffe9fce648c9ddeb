#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace jouletree::report {

/// Where a server listens.
struct ListenAddress {
  std::string host;        ///< An IPv4 or IPv6 address in numbers.
  std::uint16_t port = 0;  ///< 0 takes a free one.
  bool is_ipv6 = false;
  bool is_loopback = true;  ///< Can be reached from this machine only.

  /// "127.0.0.1:9417", "[::1]:9417".
  [[nodiscard]] std::string text() const;
};

/// "127.0.0.1:9417", "localhost:9417", "0.0.0.0:9417", "[::1]:9417"; ":9417" and "9417" are ports
/// of 127.0.0.1. Throws Error(BadInput), with `usual_port` in its examples.
[[nodiscard]] ListenAddress parse_listen_address(std::string_view text, std::uint16_t usual_port);

/// Whether a request asked for this machine by a name of the loopback address: "localhost:8417",
/// "127.0.0.1", "[::1]:8417". Behind a tunnel the port may be another.
[[nodiscard]] bool names_loopback(std::string_view host_header);

/// Throws Error(Missing) that says why nobody can listen there: the port is in use, not allowed, or
/// the machine has no such address.
void check_can_listen(const ListenAddress& address);

}  // namespace jouletree::report
