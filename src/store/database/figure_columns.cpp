#include "store/database/figure_columns.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <set>

namespace jouletree::store {
namespace {

struct ColumnUnit {
  std::string_view word;
  double factor;
};
constexpr std::array kSecondUnits = {ColumnUnit{"s", 1},       ColumnUnit{"sec", 1},
                                     ColumnUnit{"seconds", 1}, ColumnUnit{"ms", 1e-3},
                                     ColumnUnit{"us", 1e-6},   ColumnUnit{"ns", 1e-9}};
constexpr std::array kJouleUnits = {ColumnUnit{"j", 1},     ColumnUnit{"joules", 1},
                                    ColumnUnit{"mj", 1e-3}, ColumnUnit{"uj", 1e-6},
                                    ColumnUnit{"nj", 1e-9}, ColumnUnit{"kj", 1e3},
                                    ColumnUnit{"wh", 3600}, ColumnUnit{"kwh", 3.6e6}};
constexpr std::array kWattUnits = {ColumnUnit{"w", 1}, ColumnUnit{"mw", 1e-3},
                                   ColumnUnit{"kw", 1e3}};

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return result;
}

/// What a column is about: the words of its name, and behind them its unit.
struct ColumnName {
  std::vector<std::string> words;
  std::string unit;
  bool is_mega = false;  ///< "MJ" is not "mJ".

  explicit ColumnName(std::string_view name) {
    std::string word;
    for (const char letter : name) {
      if (letter == '_' || letter == ' ' || letter == '(' || letter == '[') {
        if (!word.empty()) words.push_back(word);
        word.clear();
      } else if (letter != ')' && letter != ']') {
        word += letter;
      }
    }
    is_mega = word.starts_with('M') && word.size() == 2;
    unit = lower_case(word);
    for (std::string& one : words) one = lower_case(one);
  }

  /// Its words are all of this kind, and the first is one of those.
  [[nodiscard]] bool is_of(const std::set<std::string>& first,
                           const std::set<std::string>& others) const {
    return !words.empty() && first.contains(words.front()) &&
           std::all_of(words.begin() + 1, words.end(),
                       [&](const std::string& word) { return others.contains(word); });
  }
  [[nodiscard]] bool has(const std::string& word) const {
    return std::find(words.begin(), words.end(), word) != words.end();
  }
};

template <std::size_t Count>
std::optional<double> factor_of(const ColumnName& name, const std::array<ColumnUnit, Count>& units,
                                std::string_view unit) {
  for (const ColumnUnit& one : units)
    if (one.word == unit) return name.is_mega ? 1e6 : one.factor;
  return std::nullopt;
}

const std::set<std::string> kTimeWords = {
    "latency", "time", "times", "runtime", "duration", "elapsed", "inference", "execution", "exec"};
const std::set<std::string> kManner = {
    "mean",      "avg",  "average", "median",    "p50",  "per",      "iter",
    "iteration", "call", "run",     "inference", "time", "latency",  "min",
    "max",       "std",  "stdev",   "deviation", "var",  "variance", "total"};
const std::set<std::string> kPlainManner = {"mean", "avg", "average",   "median",    "per",  "iter",
                                            "call", "run", "iteration", "inference", "total"};

void first(std::optional<UnitColumn>& target, std::size_t column, double factor) {
  if (!target) target = UnitColumn{column, factor};
}

void take_time(const ColumnName& name, std::size_t column, FigureColumns& found) {
  const bool is_variance = name.has("var") || name.has("variance");
  std::string unit = name.unit;
  if (is_variance && unit.ends_with('2')) unit.pop_back();
  const auto factor = factor_of(name, kSecondUnits, unit);
  if (!factor || name.is_mega || !name.is_of(kTimeWords, kManner)) return;
  if (is_variance) return first(found.time_variance, column, *factor * *factor);
  if (name.has("std") || name.has("stdev") || name.has("deviation"))
    return first(found.time_deviation, column, *factor);
  if (name.has("min")) return first(found.time_min, column, *factor);
  if (name.has("max")) return first(found.time_max, column, *factor);
  const bool is_mean = name.has("mean") || name.has("avg") || name.has("average");
  first(is_mean ? found.time_mean : found.time, column, *factor);
}

std::optional<double> in_unit(const std::optional<double>& number,
                              const std::optional<UnitColumn>& column) {
  return number && column ? std::optional(*number * column->factor) : std::nullopt;
}

std::optional<std::size_t> place(const std::optional<UnitColumn>& column) {
  return column ? std::optional(column->column) : std::nullopt;
}

}  // namespace

FigureColumns figure_columns(const TableRows& table) {
  FigureColumns found;
  for (std::size_t i = 0; i < table.columns().size(); ++i) {
    const ColumnName name(table.columns()[i]);
    take_time(name, i, found);
    if (const auto factor = factor_of(name, kJouleUnits, name.unit);
        factor && name.is_of({"energy"}, kPlainManner))
      first(found.energy, i, *factor);
    if (const auto factor = factor_of(name, kWattUnits, name.unit);
        factor && name.is_of({"power"}, kPlainManner))
      first(found.power, i, *factor);
  }
  return found;
}

void set_figures(const TableRows& table, const FigureColumns& columns, MeasurementRecord& one) {
  const auto above_zero = [&](const std::optional<UnitColumn>& column) {
    return in_unit(table.above_zero(place(column)), column);
  };
  const auto any = [&](const std::optional<UnitColumn>& column) {
    return in_unit(table.number(place(column)), column);
  };
  one.time_mean_s = above_zero(columns.time_mean);
  const auto time_s = above_zero(columns.time);
  one.time_s.value = time_s ? time_s : one.time_mean_s;
  one.time_deviation_s = any(columns.time_deviation);
  if (const auto variance = any(columns.time_variance); variance && !one.time_deviation_s) {
    if (*variance < 0) table.fail(columns.time_variance->column, "is negative");
    one.time_deviation_s = std::sqrt(*variance);
  }
  one.time_min_s = above_zero(columns.time_min);
  one.time_max_s = above_zero(columns.time_max);
  one.energy_j.value = above_zero(columns.energy);
  if (one.energy_j.value) one.energy_provenance = "measured";
  one.power_w = any(columns.power);
  if (!one.time_s.value && !one.energy_j.value)
    table.fail(std::nullopt, "tells neither a time nor an energy");
}

}  // namespace jouletree::store
