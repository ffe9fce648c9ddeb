#pragma once

#include <memory>

#include "report/monitor/listen_address.hpp"
#include "report/serve/site_message.hpp"

namespace jouletree::report {

// A plug-in in the engine folder does this with cpp-httplib. Where it cannot be opened, these throw
// Error(Missing) that says why.

/// Opens the plug-in, so that nothing is begun in vain.
void require_page_server();

/// Listens from the beginning, and until it is destroyed; that ends all connections.
class PageServer {
 public:
  virtual ~PageServer() = default;
  /// With the port that was taken.
  [[nodiscard]] virtual ListenAddress address() const = 0;
  /// Answers requests from now on, on threads of its own. Called once.
  virtual void start(AnswerRequest answer) = 0;
  /// False after it ended by itself, because the system no longer lets it listen.
  [[nodiscard]] virtual bool is_running() const = 0;
};

/// Throws Error(Missing) where nobody can listen.
[[nodiscard]] std::unique_ptr<PageServer> open_page_server(const ListenAddress& address);

/// "127.0.0.1:8417", "[::1]:8417", "0.0.0.0:8417"; ":8417" and "8417" are ports of the loopback
/// address. Throws Error(BadInput).
[[nodiscard]] ListenAddress parse_serve_address(std::string_view text);

}  // namespace jouletree::report
