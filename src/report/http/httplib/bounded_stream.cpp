#include "report/http/httplib/bounded_stream.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

namespace jouletree::report {
namespace {

using namespace std::chrono_literals;

/// A browser keeps connections for its next request.
constexpr auto kIdle = 60s;
/// From the first byte to the last of a request, however slowly they come.
constexpr auto kRequest = 10s;
constexpr std::size_t kMostRequestBytes = std::size_t{16} << 10U;
/// A page for whoever reads slowly.
constexpr auto kAnswer = 120s;
/// Without any progress.
constexpr auto kStandstill = 10s;

bool wait_for_socket(int socket, short what, std::chrono::steady_clock::time_point deadline) {
  while (true) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left <= 0ms) return false;
    pollfd waiting{socket, what, 0};
    const int ready = ::poll(&waiting, 1, static_cast<int>(left.count()));
    if (ready > 0) return true;
    if (ready == 0 || errno != EINTR) return false;
  }
}

}  // namespace

bool BoundedStream::wait_for_request() {
  if (begin_ == end_ && !fill(Clock::now() + kIdle)) return false;
  bytes_left_ = kMostRequestBytes;
  read_until_ = Clock::now() + kRequest;
  write_until_ = Clock::now() + kAnswer;
  return true;
}

bool BoundedStream::fill(Clock::time_point deadline) {
  if (!wait_for_socket(socket_, POLLIN, deadline)) return false;
  const ssize_t count = ::recv(socket_, buffer_.data(), buffer_.size(), 0);
  if (count <= 0) return false;
  begin_ = 0;
  end_ = static_cast<std::size_t>(count);
  return true;
}

ssize_t BoundedStream::read(char* ptr, size_t size) {
  if (bytes_left_ == 0) return -1;
  if (begin_ == end_ && !fill(read_until_)) return -1;
  const std::size_t taken = std::min({size, end_ - begin_, bytes_left_});
  std::copy_n(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_), taken, ptr);
  begin_ += taken;
  bytes_left_ -= taken;
  return static_cast<ssize_t>(taken);
}

ssize_t BoundedStream::write(const char* ptr, size_t size) {
  while (true) {
    const ssize_t written = ::send(socket_, ptr, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (written >= 0) return written;
    if (errno == EINTR) continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK) return -1;
    if (!wait_for_socket(socket_, POLLOUT, std::min(write_until_, Clock::now() + kStandstill)))
      return -1;
  }
}

// Nobody asks for these.
void BoundedStream::get_remote_ip_and_port(std::string& /*ip*/, int& /*port*/) const {}
void BoundedStream::get_local_ip_and_port(std::string& /*ip*/, int& /*port*/) const {}

}  // namespace jouletree::report
