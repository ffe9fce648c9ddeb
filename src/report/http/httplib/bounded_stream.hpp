#pragma once

#include <httplib.h>

#include <array>
#include <chrono>

namespace jouletree::report {

/// A socket that takes no more than a request of usual size, and not for ever.
class BoundedStream final : public httplib::Stream {
 public:
  explicit BoundedStream(int socket) : socket_(socket) {}

  /// Waits for the first byte of a request. False: none came, or the connection has ended.
  [[nodiscard]] bool wait_for_request();

  [[nodiscard]] bool is_readable() const override { return begin_ < end_; }
  [[nodiscard]] bool is_writable() const override { return true; }
  ssize_t read(char* ptr, size_t size) override;
  ssize_t write(const char* ptr, size_t size) override;
  void get_remote_ip_and_port(std::string& ip, int& port) const override;
  void get_local_ip_and_port(std::string& ip, int& port) const override;
  [[nodiscard]] socket_t socket() const override { return socket_; }

 private:
  using Clock = std::chrono::steady_clock;
  /// False: nothing came until then.
  bool fill(Clock::time_point deadline);

  int socket_;
  std::array<char, 4096> buffer_{};
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::size_t bytes_left_ = 0;  ///< Of this request.
  Clock::time_point read_until_{};
  Clock::time_point write_until_{};
};

}  // namespace jouletree::report
