#pragma once

#include <memory>

#include "jouletree/error.hpp"
#include "report/http/http_message.hpp"
#include "report/http/listen_address.hpp"

namespace jouletree::report {

// A plug-in in the engine folder does this with cpp-httplib. Where it cannot be opened, these throw
// Error(Missing) that says why.

/// Opens the plug-in, so that nothing is begun in vain.
void require_http_server();

/// Listens from the beginning, and until it is destroyed; that ends all connections.
class HttpServer {
 public:
  virtual ~HttpServer() = default;
  /// With the port that was taken.
  [[nodiscard]] virtual ListenAddress address() const = 0;
  /// Answers requests from now on, on threads of its own. Called once.
  virtual void start(AnswerRequest answer) = 0;
  /// False after it ended by itself, because the system no longer lets it listen.
  [[nodiscard]] virtual bool is_running() const = 0;
};

/// Throws Error(Missing) where nobody can listen.
[[nodiscard]] std::unique_ptr<HttpServer> open_http_server(const ListenAddress& address);

/// What to throw when a server has ended by itself.
[[nodiscard]] Error no_longer_listening(const ListenAddress& address);

}  // namespace jouletree::report
