#include "store/database/figure_columns.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <set>

#include <fmt/format.h>

namespace jouletree::store {
namespace {

struct ColumnUnit {
  std::string_view word;
  double factor;
};
constexpr std::array kSecondUnits = {ColumnUnit{"s", 1},
                                     ColumnUnit{"sec", 1},
                                     ColumnUnit{"seconds", 1},
                                     ColumnUnit{"ms", 1e-3},
                                     ColumnUnit{"us", 1e-6},
                                     ColumnUnit{"ns", 1e-9},
                                     ColumnUnit{"\u00b5s", 1e-6},
                                     ColumnUnit{"\u03bcs", 1e-6},
                                     ColumnUnit{"msec", 1e-3},
                                     ColumnUnit{"usec", 1e-6},
                                     ColumnUnit{"second", 1},
                                     ColumnUnit{"milliseconds", 1e-3},
                                     ColumnUnit{"microseconds", 1e-6},
                                     ColumnUnit{"nanoseconds", 1e-9},
                                     ColumnUnit{"minutes", 60},
                                     ColumnUnit{"h", 3600},
                                     ColumnUnit{"hours", 3600}};
constexpr std::array kJouleUnits = {ColumnUnit{"j", 1},
                                    ColumnUnit{"joules", 1},
                                    ColumnUnit{"mj", 1e-3},
                                    ColumnUnit{"uj", 1e-6},
                                    ColumnUnit{"nj", 1e-9},
                                    ColumnUnit{"kj", 1e3},
                                    ColumnUnit{"wh", 3600},
                                    ColumnUnit{"kwh", 3.6e6},
                                    ColumnUnit{"mwh", 3.6},
                                    ColumnUnit{"joule", 1},
                                    ColumnUnit{"\u00b5j", 1e-6},
                                    ColumnUnit{"\u03bcj", 1e-6},
                                    ColumnUnit{"millijoules", 1e-3}};
constexpr std::array kWattUnits = {ColumnUnit{"w", 1}, ColumnUnit{"mw", 1e-3},
                                   ColumnUnit{"kw", 1e3}, ColumnUnit{"watts", 1}};

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
    is_mega = word.starts_with('M') && (word.size() == 2 || word == "MWh");
    unit = lower_case(word);
    for (std::string& one : words) one = lower_case(one);
  }

  /// One of its words says what it is, and the others how that was made.
  [[nodiscard]] bool is_of(const std::set<std::string>& things,
                           const std::set<std::string>& manners) const {
    const auto is_thing = [&](const std::string& word) { return things.contains(word); };
    return std::any_of(words.begin(), words.end(), is_thing) &&
           std::all_of(words.begin(), words.end(), [&](const std::string& word) {
             return is_thing(word) || manners.contains(word);
           });
  }
  [[nodiscard]] bool has(const std::string& word) const {
    return std::find(words.begin(), words.end(), word) != words.end();
  }
};

/// Units stand in the table in lower case, where a mega looks like a milli.
constexpr double kMegaByMilli = 1e9;

template <std::size_t Count>
std::optional<double> factor_of(const ColumnName& name, const std::array<ColumnUnit, Count>& units,
                                std::string_view unit) {
  for (const ColumnUnit& one : units)
    if (one.word == unit) return one.factor * (name.is_mega ? kMegaByMilli : 1);
  return std::nullopt;
}

const std::set<std::string> kTimeWords = {
    "latency", "time", "times", "runtime", "duration", "elapsed", "inference", "execution", "exec"};
const std::set<std::string> kManner = {
    "mean",      "avg",  "average", "median",    "p50",  "per",      "iter",
    "iteration", "call", "run",     "inference", "time", "latency",  "min",
    "max",       "std",  "stdev",   "deviation", "var",  "variance", "total"};
const std::set<std::string> kPlainManner = {
    "mean",      "avg",       "average", "median",      "per",      "iter", "call",  "run",
    "iteration", "inference", "total",   "consumption", "consumed", "used", "usage", "model"};

/// Takes a column for what it tells; a second one of the same kind is to agree with it.
class Finder {
 public:
  Finder(const TableRows& table, FigureColumns& found) : table_(table), found_(found) {}
  void take(std::optional<UnitColumn>& target, std::size_t column, double factor) {
    table_.read_column(column);
    const UnitColumn one{column, factor};
    if (target) {
      found_.repeated.emplace_back(*target, one);
    } else {
      target = one;
    }
  }
  void take_time(const ColumnName& name, std::size_t column);

 private:
  const TableRows& table_;
  FigureColumns& found_;
};

void Finder::take_time(const ColumnName& name, std::size_t column) {
  const bool is_variance = name.has("var") || name.has("variance");
  std::string unit = name.unit;
  if (is_variance && unit.ends_with('2')) unit.pop_back();
  const auto factor = factor_of(name, kSecondUnits, unit);
  if (!factor || name.is_mega || !name.is_of(kTimeWords, kManner)) return;
  if (is_variance) return take(found_.time_variance, column, *factor * *factor);
  if (name.has("std") || name.has("stdev") || name.has("deviation"))
    return take(found_.time_deviation, column, *factor);
  if (name.has("min")) return take(found_.time_min, column, *factor);
  if (name.has("max")) return take(found_.time_max, column, *factor);
  const bool is_mean = name.has("mean") || name.has("avg") || name.has("average");
  take(is_mean ? found_.time_mean : found_.time, column, *factor);
}

std::optional<double> in_unit(const std::optional<double>& number,
                              const std::optional<UnitColumn>& column) {
  return number && column ? std::optional(*number * column->factor) : std::nullopt;
}

std::optional<std::size_t> place(const std::optional<UnitColumn>& column) {
  return column ? std::optional(column->column) : std::nullopt;
}

/// What two columns say of the same thing, such as latency_ms and runtime_s, differs by rounding
/// at most.
void check_repeated(const TableRows& table, const FigureColumns& columns) {
  constexpr double kRounding = 0.05;
  for (const auto& [first, second] : columns.repeated) {
    const auto one = in_unit(table.number(first.column), first);
    const auto other = in_unit(table.number(second.column), second);
    if (!one || !other || std::abs(*one - *other) <= kRounding * std::abs(*one)) continue;
    table.fail(
        std::nullopt,
        fmt::format("the columns {} ({}) and {} ({}) contradict each other; remove or rename "
                    "the one that does not tell what one run took",
                    table.columns()[first.column], table.text(first.column),
                    table.columns()[second.column], table.text(second.column)));
  }
}

}  // namespace

FigureColumns figure_columns(const TableRows& table) {
  FigureColumns found;
  Finder finder(table, found);
  for (std::size_t i = 0; i < table.columns().size(); ++i) {
    const ColumnName name(table.columns()[i]);
    finder.take_time(name, i);
    if (const auto factor = factor_of(name, kJouleUnits, name.unit);
        factor && name.is_of({"energy"}, kPlainManner))
      finder.take(found.energy, i, *factor);
    if (const auto factor = factor_of(name, kWattUnits, name.unit);
        factor && name.is_of({"power"}, kPlainManner))
      finder.take(found.power, i, *factor);
  }
  return found;
}

bool set_figures(const TableRows& table, const FigureColumns& columns, MeasurementRecord& one) {
  const auto above_zero = [&](const std::optional<UnitColumn>& column) {
    return in_unit(table.above_zero(place(column)), column);
  };
  const auto any = [&](const std::optional<UnitColumn>& column) {
    return in_unit(table.number(place(column)), column);
  };
  check_repeated(table, columns);
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
  return one.time_s.value || one.energy_j.value;
}

}  // namespace jouletree::store
