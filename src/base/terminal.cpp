#include "base/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <iostream>
#include <string_view>

namespace jouletree {
namespace {

std::optional<int> descriptor_of(const std::ostream& out) {
  if (&out == &std::cout) return STDOUT_FILENO;
  if (&out == &std::cerr || &out == &std::clog) return STDERR_FILENO;
  return std::nullopt;
}

std::optional<std::size_t> asked_columns() {
  const char* const asked = std::getenv("COLUMNS");  // NOLINT(concurrency-mt-unsafe)
  if (asked == nullptr) return std::nullopt;
  const std::string_view text = asked;
  std::size_t columns = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), columns);
  if (error != std::errc() || end != text.data() + text.size() || columns == 0) return std::nullopt;
  return columns;
}

}  // namespace

std::optional<std::size_t> terminal_columns(const std::ostream& out) {
  const auto descriptor = descriptor_of(out);
  if (!descriptor || ::isatty(*descriptor) != 1) return std::nullopt;
  if (const auto asked = asked_columns()) return asked;
  winsize size{};
  if (::ioctl(*descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
  return size.ws_col;
}

}  // namespace jouletree
