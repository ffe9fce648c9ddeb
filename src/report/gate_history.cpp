#include "report/gate_history.hpp"

#include <algorithm>

#include "base/change_points.hpp"

namespace jouletree::report {
namespace {

void add_changes(const store::ModelHistory& history, const char* metric, const char* title,
                 const char* unit, std::optional<double> store::PastMeasurement::*quantity,
                 GateHistory& result) {
  std::vector<double> values;
  std::vector<std::string> dates;
  for (const store::PastMeasurement& one : history.measurements) {
    const std::optional<double>& value = one.*quantity;
    if (!value) continue;
    values.push_back(*value);
    dates.push_back(one.date);
  }
  for (const ChangePoint& change : change_points(values)) {
    result.changes.push_back(
        {metric, title, dates[change.at], change.before, change.after, unit, change.p});
  }
}

}  // namespace

GateHistory gate_history(const store::ModelHistory& history) {
  GateHistory result{history.place, history.measurements.size(), {}};
  add_changes(history, "time_s", "Time", "s", &store::PastMeasurement::time_s, result);
  add_changes(history, "energy_j", "Energy", "J", &store::PastMeasurement::energy_j, result);
  std::stable_sort(result.changes.begin(), result.changes.end(),
                   [](const HistoryChange& a, const HistoryChange& b) { return a.date < b.date; });
  return result;
}

}  // namespace jouletree::report
