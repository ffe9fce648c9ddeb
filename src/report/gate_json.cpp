#include <ostream>

#include <nlohmann/json.hpp>

#include "base/json_or_null.hpp"
#include "report/gate.hpp"

namespace jouletree::report {
namespace {

using Json = nlohmann::ordered_json;

/// What was counted differs, or not.
Json significance_json(const GateCheck& check) {
  if (!check.untested.empty()) return nullptr;
  return check.is_counted() ? check.ratio.value != 1.0 : check.is_significant();
}

Json check_json(const GateCheck& check) {
  return {{"metric", check.limit.metric},
          {"title", check.title},
          {"unit", check.unit},
          {"provenance", text_or_null(check.provenance)},
          {"baseline", or_null(check.baseline)},
          {"now", or_null(check.now)},
          {"ratio", or_null(check.ratio.value)},
          {"low", or_null(check.ratio.low)},
          {"high", or_null(check.ratio.high)},
          {"limit", 1 + check.limit.share},
          {"p", or_null(check.p)},
          {"significant", significance_json(check)},
          {"test", text_or_null(check.test)},
          {"untested", text_or_null(check.untested)},
          {"failed", check.failed()},
          {"verdict", check.failed() ? "failed" : verdict_of(check)},
          {"why", text_or_null(reason_of(check))}};
}

Json history_json(const GateHistory& history) {
  Json changes = Json::array();
  for (const HistoryChange& change : history.changes) {
    changes.push_back({{"metric", change.metric},
                       {"unit", change.unit},
                       {"date", text_or_null(change.date)},
                       {"before", change.before},
                       {"after", change.after},
                       {"p", change.p}});
  }
  return {{"database", history.place},
          {"measurements", history.measurements},
          {"changes", std::move(changes)}};
}

}  // namespace

void print_gate_json(const GateResult& gate, std::ostream& out) {
  Json json;
  json["baseline"] = gate.baseline;
  json["now"] = gate.now;
  json["how"] = gate.how;
  json["failed"] = gate.failed();
  json["summary"] = sentence_of(gate);
  json["checks"] = Json::array();
  for (const GateCheck& check : gate.checks) json["checks"].push_back(check_json(check));
  Differences parts{gate.baseline, gate.now, gate.parts, {}, {}};
  json["differences"] = differences_json({parts});
  json["history"] = gate.history ? history_json(*gate.history) : Json(nullptr);
  json["notes"] = gate.notes;
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace jouletree::report
