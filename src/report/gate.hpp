#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "jouletree/figure.hpp"
#include "report/differences.hpp"

namespace jouletree::report {

/// By what share a metric may grow: 0.05 is +5 %.
struct GateLimit {
  std::string metric;  ///< Of the catalogue: "time_s", "macs".
  double share = 0;
};

/// A metric against its limit.
struct GateCheck {
  GateLimit limit;
  std::string title;
  std::string unit;
  std::string provenance{};
  std::optional<double> baseline{};
  std::optional<double> now{};
  std::string baseline_text{};  ///< As people read it.
  std::string now_text{};
  Figure ratio{};             ///< Now ÷ baseline.
  std::optional<double> p{};  ///< Of what is measured; corrected for all limits.
  std::string test{};         ///< Empty for what was counted, which needs none.
  std::string untested{};     ///< Why nothing can be told; empty where something can.

  [[nodiscard]] bool is_counted() const { return test.empty() && untested.empty(); }
  [[nodiscard]] bool is_significant() const { return is_counted() || (p && *p <= kSignificant); }
  /// Grown, by at least the limit, and that is no noise.
  [[nodiscard]] bool failed() const;
};

/// A lasting change in what a database knows of the model.
struct HistoryChange {
  std::string metric;
  std::string title;
  std::string date;  ///< UTC, of the first measurement after it.
  double before = 0;
  double after = 0;
  std::string unit;
  double p = 1;
};

struct GateHistory {
  std::string place;  ///< Of the database.
  std::size_t measurements = 0;
  std::vector<HistoryChange> changes{};
};

/// What came of a gate.
struct GateResult {
  std::string baseline;  ///< Names.
  std::string now;
  std::string how;  ///< "trials of two profiles", "48 rounds of paired runs".
  std::vector<GateCheck> checks{};
  std::vector<Difference> parts{};  ///< That grew by more than the noise, the largest first.
  std::optional<GateHistory> history{};
  std::vector<std::string> notes{};
  bool is_first = false;  ///< There was no baseline.

  [[nodiscard]] bool failed() const;
};

void print_gate(const GateResult& gate, std::ostream& out);
/// For a pull request. Names are escaped: none becomes markup.
void print_gate_markdown(const GateResult& gate, std::ostream& out);
void print_gate_json(const GateResult& gate, std::ostream& out);

/// "passed", "FAILED", "not told".
[[nodiscard]] std::string verdict_of(const GateCheck& check);
/// Why, in a few words.
[[nodiscard]] std::string reason_of(const GateCheck& check);
/// "Failed: Time grew by 12.0 % (limit +5 %)."
[[nodiscard]] std::string sentence_of(const GateResult& gate);
/// "+5 %", "+0 %".
[[nodiscard]] std::string limit_text(const GateLimit& limit);
[[nodiscard]] std::string history_text(const HistoryChange& change);

}  // namespace jouletree::report
