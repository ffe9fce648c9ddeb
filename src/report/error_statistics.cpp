#include "report/error_statistics.hpp"

#include <array>
#include <ostream>

#include <fmt/format.h>

#include "base/json_or_null.hpp"
#include "base/number_format.hpp"
#include "base/text_table.hpp"

namespace jouletree::report {
namespace {

using Json = nlohmann::ordered_json;
using Level = std::optional<ErrorStatistics> LevelStatistics::*;

constexpr std::array<std::pair<const char*, Level>, 3> kLevels = {
    {{"ml", &LevelStatistics::ml},
     {"module", &LevelStatistics::module},
     {"model", &LevelStatistics::model}}};

std::string two_digits(double number) { return fmt::format("{:.2f}", number); }

}  // namespace

bool has_values(const LevelStatistics& statistics) {
  return statistics.ml || statistics.module || statistics.model;
}

void print_error_statistics(const std::vector<std::pair<std::string, LevelStatistics>>& of,
                            std::ostream& out) {
  TextTable table({{"", TextTable::Align::Left},
                   {"level", TextTable::Align::Left},
                   {"values"},
                   {"mean %"},
                   {"median %"},
                   {"RMSPE %"},
                   {"within 5 %"},
                   {"within 10 %"},
                   {"R²"}});
  for (const auto& [name, statistics] : of) {
    for (const auto& [level, place] : kLevels) {
      const auto& one = statistics.*place;
      if (!one) continue;
      table.add_row({name, level, with_separators(static_cast<std::int64_t>(one->values)),
                     two_digits(one->mean), two_digits(one->median), two_digits(one->rmspe),
                     two_digits(one->within_5), two_digits(one->within_10),
                     one->r_squared ? fmt::format("{:.4f}", *one->r_squared) : "–"});
    }
  }
  table.print(out);
}

Json error_statistics_json(const LevelStatistics& statistics) {
  Json json = Json::object();
  for (const auto& [level, place] : kLevels) {
    const auto& one = statistics.*place;
    if (!one) continue;
    json[level] = {{"values", one->values},
                   {"mean", one->mean},
                   {"rmspe", one->rmspe},
                   {"median", one->median},
                   {"r_squared", or_null(one->r_squared)},
                   {"within_5", one->within_5},
                   {"within_10", one->within_10}};
  }
  return json;
}

}  // namespace jouletree::report
