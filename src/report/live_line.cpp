#include "report/live_line.hpp"

#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iostream>

#include <fmt/format.h>

#include "base/text_table.hpp"
#include "report/si_text.hpp"

namespace jouletree::report {
namespace {

bool is_dumb() {
  const char* const terminal = std::getenv("TERM");  // NOLINT(concurrency-mt-unsafe)
  return terminal == nullptr || std::string_view(terminal) == "dumb";
}

/// Leaves the cursor where it was.
std::string at_right_edge(const std::string& text, std::size_t columns) {
  return fmt::format(
      "\x1b"
      "7\x1b[999C\x1b[{}D{}\x1b"
      "8",
      columns, text);
}

}  // namespace

std::optional<std::uint64_t> written_bytes(const std::vector<pid_t>& processes) {
  std::uint64_t sum = 0;
  bool told = false;
  for (const pid_t pid : processes) {
    std::ifstream file(fmt::format("/proc/{}/io", pid));
    std::string key;
    std::uint64_t value = 0;
    while (file >> key >> value) {
      if (key != "wchar:") continue;
      sum += value;
      told = true;
    }
  }
  return told ? std::optional(sum) : std::nullopt;
}

LiveLine::LiveLine()
    : wanted_(::isatty(STDERR_FILENO) == 1 && !is_dumb()),
      shares_terminal_(::isatty(STDOUT_FILENO) == 1) {}

void LiveLine::show(const RunProgress& progress) {
  if (!wanted_ || progress.passed < std::chrono::seconds(1)) return;
  if (shares_terminal_ && written_bytes(progress.processes) != 0U) {
    // What we have drawn may stand amid the command's text by now, so it is left alone.
    wanted_ = false;
    shown_columns_ = 0;
    return;
  }
  clear();
  const double passed_s = std::floor(Seconds(progress.passed).count());
  const std::string power = progress.power ? "  " + si_text(progress.power->value, "W") : "";
  const std::string text = fmt::format("{}  {}{}", duration_text(passed_s),
                                       si_text(progress.energy.value(), "J"), power);
  shown_columns_ = display_width(text);
  std::cerr << at_right_edge(text, shown_columns_) << std::flush;
}

void LiveLine::clear() {
  if (shown_columns_ == 0) return;
  std::cerr << at_right_edge(std::string(shown_columns_, ' '), shown_columns_) << std::flush;
  shown_columns_ = 0;
}

}  // namespace jouletree::report
