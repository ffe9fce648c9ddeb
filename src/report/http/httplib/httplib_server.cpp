// The plug-in that `jouletree serve` opens: the only place with cpp-httplib.
#include <httplib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "report/http/http_server_plugin.hpp"
#include "report/http/httplib/bounded_stream.hpp"
#include "report/http/httplib/connection_threads.hpp"

namespace jouletree::report {
namespace {

constexpr int kMostRequestsOfConnection = 10'000;
/// The library's own would let connections wait for seconds when many come at once.
constexpr int kBacklog = 511;

/// The only one of its name; nobody can tell which of two others would be meant.
std::optional<std::string> only_header(const httplib::Request& request, const char* name) {
  if (request.get_header_value_count(name) != 1) return std::nullopt;
  return request.get_header_value(name);
}

/// Uses the library for HTTP itself, on connections that are bounded and of which each has a
/// thread. The library's own look for their next request a hundred times per second.
class BoundedServer final : public httplib::Server {
 public:
  BoundedServer() {
    // Without SO_REUSEPORT, by which a second server would share the port with us.
    set_socket_options([](socket_t socket) {
      const int yes = 1;
      ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    // The library owns it.
    new_task_queue = [this]() -> httplib::TaskQueue* {
      return new ConnectionThreads(connections_);  // NOLINT(cppcoreguidelines-owning-memory)
    };
  }

  /// Of a server that was never started: the library closes the socket of others.
  void stop_listening() {
    if (const socket_t socket = svr_sock_.exchange(INVALID_SOCKET); socket != INVALID_SOCKET)
      ::close(socket);
  }
  bool lengthen_backlog() { return ::listen(svr_sock_, kBacklog) == 0; }

 private:
  bool process_and_close_socket(socket_t socket) override {
    const OpenConnection connection(connections_, socket);
    BoundedStream stream(socket);
    for (int i = 1; i <= kMostRequestsOfConnection; ++i) {
      connections_.waits(socket);
      if (!stream.wait_for_request()) break;
      bool is_closed = false;
      const bool is_last = i == kMostRequestsOfConnection;
      // What is no request at all does not get as far as to the function.
      bool may_go_on = false;
      const bool is_answered =
          process_request(stream, is_last, is_closed, [&](httplib::Request& request) {
            connections_.is_answered(socket);
            may_go_on = take_plain(request) && !is_last;
          });
      if (!is_answered || is_closed || !may_go_on) break;
    }
    return true;
  }

  /// Takes out what would make us compress or cut answers. False where something may follow that is
  /// no request.
  static bool take_plain(httplib::Request& request) {
    const bool is_plain = (request.method == "GET" || request.method == "HEAD") &&
                          !request.has_header("Content-Length") &&
                          !request.has_header("Transfer-Encoding");
    for (const char* name : {"range", "accept-encoding", "expect"}) request.headers.erase(name);
    request.ranges.clear();
    if (!is_plain) {
      request.headers.erase("Connection");
      request.set_header("Connection", "close");
    }
    return is_plain;
  }

  OpenConnections connections_;
};

class HttplibServer final : public HttpServer {
 public:
  explicit HttplibServer(ListenAddress address) : address_(std::move(address)) {
    const int port = address_.port != 0 ? bind_here() : server_.bind_to_any_port(address_.host);
    if (port <= 0 || !server_.lengthen_backlog())
      throw std::runtime_error(std::generic_category().message(errno));
    address_.port = static_cast<std::uint16_t>(port);
  }
  HttplibServer(const HttplibServer&) = delete;
  HttplibServer& operator=(const HttplibServer&) = delete;
  ~HttplibServer() override {
    if (!thread_.joinable()) {
      server_.stop_listening();
      return;
    }
    using namespace std::chrono_literals;
    while (!server_.is_running() && !has_ended_) std::this_thread::sleep_for(1ms);
    server_.stop();
    thread_.join();
  }

  [[nodiscard]] ListenAddress address() const override { return address_; }
  [[nodiscard]] bool is_running() const override { return !has_ended_; }

  void start(AnswerRequest answer) override {
    server_.set_pre_routing_handler(
        [answer = std::move(answer)](const httplib::Request& request, httplib::Response& response) {
          hand_over(answer({request.method, request.target, only_header(request, "Host"),
                            only_header(request, "Authorization"), only_header(request, "Cookie")}),
                    response);
          return httplib::Server::HandlerResponse::Handled;
        });
    thread_ = std::thread([this] {
      server_.listen_after_bind();
      has_ended_ = true;
    });
  }

 private:
  int bind_here() { return server_.bind_to_port(address_.host, address_.port) ? address_.port : 0; }

  static void hand_over(const HttpAnswer& answer, httplib::Response& response) {
    response.status = answer.status;
    for (const auto& [name, value] : answer.headers) response.set_header(name, value);
    if (!answer.body || answer.body->empty()) return;
    response.set_content_provider(
        answer.body->size(), answer.type,
        [body = answer.body](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
          return sink.write(body->data() + offset, length);
        });
  }

  ListenAddress address_;
  BoundedServer server_;
  std::atomic<bool> has_ended_ = false;
  std::thread thread_;
};

std::unique_ptr<HttpServer> open_httplib_server(const ListenAddress& address) {
  return std::make_unique<HttplibServer>(address);
}

}  // namespace
}  // namespace jouletree::report

extern "C" [[gnu::visibility("default")]] const jouletree::report::HttpServerPlugin*
jouletree_http_server() {
  static constexpr jouletree::report::HttpServerPlugin kPlugin{
      jouletree::report::kHttpServerInterface, jouletree::report::open_httplib_server};
  return &kPlugin;
}
