#include "report/http/httplib/open_connections.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <tuple>

namespace jouletree::report {

void OpenConnections::add(int socket) {
  const std::lock_guard lock(mutex_);
  states_[socket] = {};
  if (ended_) ::shutdown(socket, SHUT_RDWR);
}

void OpenConnections::remove(int socket) {
  const std::lock_guard lock(mutex_);
  states_.erase(socket);
}

void OpenConnections::waits(int socket) {
  const std::lock_guard lock(mutex_);
  State& state = states_[socket];
  state.waits = true;
  state.since = Clock::now();
}

void OpenConnections::is_answered(int socket) {
  const std::lock_guard lock(mutex_);
  State& state = states_[socket];
  state.waits = false;
  state.since = Clock::now();
}

void OpenConnections::give_up_one() {
  const std::lock_guard lock(mutex_);
  const auto order = [](const State& state) {
    return std::tuple(state.is_given_up, !state.waits, state.since);
  };
  const auto first = std::min_element(
      states_.begin(), states_.end(),
      [&](const auto& a, const auto& b) { return order(a.second) < order(b.second); });
  if (first == states_.end() || first->second.is_given_up) return;
  first->second.is_given_up = true;
  ::shutdown(first->first, SHUT_RDWR);
}

void OpenConnections::give_up_all() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  for (const auto& [socket, state] : states_) ::shutdown(socket, SHUT_RDWR);
}

OpenConnection::OpenConnection(OpenConnections& all, int socket) : all_(all), socket_(socket) {
  ::fcntl(socket_, F_SETFD, FD_CLOEXEC);
  all_.add(socket_);
}

OpenConnection::~OpenConnection() {
  constexpr int kMoment = 200;
  constexpr int kMostPieces = 16;
  std::array<char, 4096> piece{};
  ::shutdown(socket_, SHUT_WR);
  for (int i = 0; i < kMostPieces; ++i) {
    pollfd waiting{socket_, POLLIN, 0};
    if (::poll(&waiting, 1, kMoment) <= 0) break;
    if (::recv(socket_, piece.data(), piece.size(), MSG_DONTWAIT) <= 0) break;
  }
  all_.remove(socket_);
  ::close(socket_);
}

}  // namespace jouletree::report
