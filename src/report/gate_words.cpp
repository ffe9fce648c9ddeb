#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/gate.hpp"
#include "report/si_text.hpp"

namespace jouletree::report {

bool GateCheck::failed() const {
  if (!ratio.value || !is_significant()) return false;
  // What is given in per cent may not be a sum of binary fractions.
  constexpr double kRounding = 1e-9;
  return *ratio.value > 1 && *ratio.value >= 1 + limit.share - kRounding;
}

bool GateResult::failed() const {
  return std::any_of(checks.begin(), checks.end(),
                     [](const GateCheck& check) { return check.failed(); });
}

std::string limit_text(const GateLimit& limit) {
  return fmt::format("+{:.4g} %", 100 * limit.share);
}

std::string verdict_of(const GateCheck& check) {
  if (check.failed()) return "FAILED";
  return check.untested.empty() ? "passed" : "not told";
}

std::string reason_of(const GateCheck& check) {
  if (!check.untested.empty()) return check.untested;
  if (!check.ratio.value) return "";
  if (check.is_counted()) {
    if (check.failed()) return "counted, and not below the limit";
    return *check.ratio.value > 1 ? "counted, and below the limit" : "counted, and no more";
  }
  const std::string p = "p " + p_text(check.p.value_or(1));
  if (check.failed()) return "larger than the noise and not below the limit, " + p;
  if (*check.ratio.value <= 1) return "no more";
  if (!check.is_significant()) return "not larger than the noise, " + p;
  return "larger than the noise, but below the limit, " + p;
}

std::string sentence_of(const GateResult& gate) {
  std::vector<std::string> grown;
  std::size_t told = 0;
  for (const GateCheck& check : gate.checks) {
    if (check.untested.empty()) ++told;
    if (check.failed()) {
      grown.push_back(fmt::format("{} grew by {:.1f} % (limit {})", check.title,
                                  100 * (*check.ratio.value - 1), limit_text(check.limit)));
    }
  }
  if (!grown.empty()) return fmt::format("Failed: {}.", fmt::join(grown, ", "));
  if (gate.is_first) return "Passed: this profile is the first baseline.";
  if (gate.checks.empty()) return "Passed: no limit was given.";
  if (told == 0) return "Passed, but nothing could be told from noise.";
  return told == gate.checks.size() ? "Passed."
                                    : "Passed, but not everything could be told from noise.";
}

std::string history_text(const HistoryChange& change) {
  constexpr std::size_t kDay = 10;
  return fmt::format("{} {} by {:.1f} % on {} (from {} to {}, p {})", change.title,
                     change.after > change.before ? "rose" : "fell",
                     100 * std::abs(change.after / change.before - 1), change.date.substr(0, kDay),
                     si_text(change.before, change.unit), si_text(change.after, change.unit),
                     p_text(change.p));
}

}  // namespace jouletree::report
