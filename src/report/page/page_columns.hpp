#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <nlohmann/json.hpp>

namespace jouletree::report {

/// Texts of a table, each once; rows hold their places.
class PageTexts {
 public:
  [[nodiscard]] int place_of(const std::string& text);
  /// The same; -1 for no text.
  [[nodiscard]] int place_or_none(const std::string& text);
  [[nodiscard]] nlohmann::ordered_json json() const { return texts_; }

 private:
  std::vector<std::string> texts_;
  std::unordered_map<std::string, int> places_;
};

/// What a column of a table in the page tells, and in which unit.
struct PageColumnKind {
  const char* key;
  const char* title;
  const char* unit;
};

/// A quantity of many rows, as `Column` in web/src/data.ts.
class PageColumn {
 public:
  explicit PageColumn(const PageColumnKind& kind) : kind_(kind) {}

  struct Cell {
    std::optional<double> value;
    std::string provenance;  ///< Does not matter where the value is unknown.
    std::optional<double> low{};
    std::optional<double> high{};
    bool lower_bound = false;
  };
  void add(const Cell& cell) { cells_.push_back(cell); }
  [[nodiscard]] bool is_empty() const;
  [[nodiscard]] nlohmann::ordered_json json() const;

 private:
  PageColumnKind kind_;
  std::vector<Cell> cells_;
};

/// Tree files count FLOPs in millions.
inline constexpr double kFlopsInFiles = 1e6;

inline constexpr PageColumnKind kTimeColumn = {"time", "Time", "s"};
inline constexpr PageColumnKind kEnergyColumn = {"energy", "Energy", "J"};
inline constexpr PageColumnKind kPredictedTimeColumn = {"predicted_time", "Time, predicted", "s"};
inline constexpr PageColumnKind kPredictedEnergyColumn = {"predicted_energy", "Energy, predicted",
                                                          "J"};
inline constexpr PageColumnKind kMacsColumn = {"macs", "MACs", "1"};
inline constexpr PageColumnKind kFlopsColumn = {"flops", "FLOPs", "1"};
inline constexpr PageColumnKind kBytesColumn = {"bytes", "Bytes moved", "B"};
inline constexpr PageColumnKind kParamsColumn = {"params", "Parameters", "1"};

/// With nine digits: more than anything here is known to, and half as long.
[[nodiscard]] nlohmann::ordered_json page_number(const std::optional<double>& value);

/// {"value": …, "unit": …, "provenance": …} with bounds where there are any.
[[nodiscard]] nlohmann::ordered_json page_quantity(const PageColumn::Cell& cell, const char* unit);

}  // namespace jouletree::report
