#include "report/http/listen_address.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "jouletree/error.hpp"

namespace jouletree::report {
namespace {

[[noreturn]] void fail(std::string_view text, std::uint16_t usual_port) {
  throw Error(ErrorKind::BadInput,
              fmt::format("--listen {0}: give an IP address and a port like 127.0.0.1:{1}, "
                          "0.0.0.0:{1} or [::1]:{1}, or a port of this machine like {1}",
                          text, usual_port));
}

std::optional<std::uint16_t> parse_port(std::string_view text) {
  std::uint16_t port = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, port);
  if (text.empty() || parsed.ec != std::errc{} || parsed.ptr != end) return std::nullopt;
  return port;
}

bool is_loopback_v4(const in_addr& address) {
  constexpr std::uint32_t kLoopbackNet = 127;
  return ntohl(address.s_addr) >> 24U == kLoopbackNet;
}

std::string_view without_port(std::string_view host) {
  if (host.starts_with('[')) return host.substr(0, host.find(']') + 1);
  return host.substr(0, host.find(':'));
}

/// An address as the kernel takes it.
struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t size = 0;
};

SocketAddress socket_address(const ListenAddress& address) {
  SocketAddress result;
  if (address.is_ipv6) {
    sockaddr_in6 v6{};
    v6.sin6_family = AF_INET6;
    v6.sin6_port = htons(address.port);
    ::inet_pton(AF_INET6, address.host.c_str(), &v6.sin6_addr);
    result.size = sizeof v6;
    std::memcpy(&result.storage, &v6, sizeof v6);
  } else {
    sockaddr_in v4{};
    v4.sin_family = AF_INET;
    v4.sin_port = htons(address.port);
    ::inet_pton(AF_INET, address.host.c_str(), &v4.sin_addr);
    result.size = sizeof v4;
    std::memcpy(&result.storage, &v4, sizeof v4);
  }
  return result;
}

/// Error number of listening there for a moment; 0 if that is possible.
int listening_error(const ListenAddress& address) {
  const int family = address.is_ipv6 ? AF_INET6 : AF_INET;
  const int descriptor = ::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return errno;
  const int yes = 1;
  ::setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  const SocketAddress target = socket_address(address);
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): as the interface wants it
  const auto* const raw = reinterpret_cast<const sockaddr*>(&target.storage);
  const bool works = ::bind(descriptor, raw, target.size) == 0 && ::listen(descriptor, 1) == 0;
  const int error = works ? 0 : errno;
  ::close(descriptor);
  return error;
}

}  // namespace

std::string ListenAddress::text() const {
  return is_ipv6 ? fmt::format("[{}]:{}", host, port) : fmt::format("{}:{}", host, port);
}

ListenAddress parse_listen_address(std::string_view text, std::uint16_t usual_port) {
  const std::size_t colon = text.rfind(':');
  const bool has_colon = colon != std::string_view::npos;
  const std::optional<std::uint16_t> port = parse_port(has_colon ? text.substr(colon + 1) : text);
  if (!port) fail(text, usual_port);
  std::string host(has_colon ? text.substr(0, colon) : "");
  if (host.empty() || host == "localhost") host = "127.0.0.1";
  if (in_addr v4{}; ::inet_pton(AF_INET, host.c_str(), &v4) == 1)
    return {host, *port, false, is_loopback_v4(v4)};
  if (host.size() < 2 || host.front() != '[' || host.back() != ']') fail(text, usual_port);
  host = host.substr(1, host.size() - 2);
  in6_addr v6{};
  if (::inet_pton(AF_INET6, host.c_str(), &v6) != 1) fail(text, usual_port);
  return {host, *port, true, IN6_IS_ADDR_LOOPBACK(&v6) != 0};
}

bool names_loopback(std::string_view host_header) {
  const std::string name(without_port(host_header));
  constexpr std::string_view kLocal = "localhost";
  if (std::equal(name.begin(), name.end(), kLocal.begin(), kLocal.end(),
                 [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; }))
    return true;
  if (in_addr v4{}; ::inet_pton(AF_INET, name.c_str(), &v4) == 1) return is_loopback_v4(v4);
  in6_addr v6{};
  return name.size() > 2 && name.front() == '[' &&
         ::inet_pton(AF_INET6, name.substr(1, name.size() - 2).c_str(), &v6) == 1 &&
         IN6_IS_ADDR_LOOPBACK(&v6) != 0;
}

void check_can_listen(const ListenAddress& address) {
  const int error = listening_error(address);
  if (error == 0) return;
  std::string reason = std::strerror(error);
  std::string fix = "choose another address with --listen";
  if (error == EADDRINUSE) {
    reason = fmt::format("port {} is in use", address.port);
    fix = "stop the program that listens there, or choose another port with --listen";
  } else if (error == EACCES) {
    reason = fmt::format("port {} is for root only", address.port);
    fix = "choose one above 1023 with --listen";
  } else if (error == EADDRNOTAVAIL) {
    reason = "this machine has no such address";
  }
  throw Error(ErrorKind::Missing,
              fmt::format("cannot listen on {}: {}; {}", address.text(), reason, fix));
}

}  // namespace jouletree::report
