#include "store/database/known_operators.hpp"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "measure/part_conditions.hpp"
#include "store/database/cells.hpp"

namespace jouletree::store {
namespace {

/// The mean, and bounds around all.
class Joined {
 public:
  void add(const Figure& figure) {
    if (!figure.value) return;
    sum_ += *figure.value;
    ++count_;
    widen(figure.low ? *figure.low : *figure.value, figure.high ? *figure.high : *figure.value);
    has_bounds_ = has_bounds_ || (figure.low && figure.high);
  }

  [[nodiscard]] Figure figure() const {
    if (count_ == 0) return {};
    Figure joined{sum_ / count_, std::nullopt, std::nullopt};
    if (has_bounds_ || count_ > 1) {
      joined.low = low_;
      joined.high = high_;
    }
    return joined;
  }

 private:
  void widen(double low, double high) {
    low_ = count_ == 1 ? low : std::min(low_, low);
    high_ = count_ == 1 ? high : std::max(high_, high);
  }

  double sum_ = 0;
  int count_ = 0;
  double low_ = 0;
  double high_ = 0;
  bool has_bounds_ = false;
};

}  // namespace

std::optional<MeasuredOperator> measured_operator(Database& database, const MeasuredPlace& place,
                                                  const std::string& signature) {
  // Those that were hurried come last, and count only where there is nothing else.
  const std::string hurried = fmt::format("%{}", measure::kHurriedConditions);
  const auto rows = database.connection().query(
      "SELECT m.conditions, m.time_s, m.time_low_s, m.time_high_s, m.energy_j, m.energy_low_j, "
      "m.energy_high_j, m.energy_provenance, m.measured_at FROM operators o JOIN measurements m ON "
      "m.operator_id = o.id WHERE o.signature = ? AND m.machine_id = ? AND m.engine_id = ? ORDER "
      "BY CASE WHEN m.conditions LIKE ? THEN 1 ELSE 0 END, m.measured_at DESC, m.id",
      std::array<sql::Parameter, 4>{content_id({signature}), place.machine, place.engine,
                                    std::string_view(hurried)});
  std::set<std::string> conditions;
  bool has_unhurried = false;
  Joined time;
  Joined energy;
  std::optional<MeasuredOperator> found;
  while (rows->next()) {
    const std::string one = text_in(rows->value(0));
    const bool is_hurried = one.ends_with(measure::kHurriedConditions);
    if (is_hurried && has_unhurried) break;
    has_unhurried = !is_hurried;
    if (!conditions.insert(one).second) continue;
    time.add({number_in(rows->value(1)), number_in(rows->value(2)), number_in(rows->value(3))});
    energy.add({number_in(rows->value(4)), number_in(rows->value(5)), number_in(rows->value(6))});
    if (!found) found = MeasuredOperator{{}, {}, text_in(rows->value(7)), text_in(rows->value(8))};
  }
  if (!found) return std::nullopt;
  found->time_s = time.figure();
  found->energy_j = energy.figure();
  return found;
}

}  // namespace jouletree::store
