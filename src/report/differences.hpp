#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "jouletree/figure.hpp"

namespace jouletree::report {

/// A row is called a difference where its corrected p is not above this.
inline constexpr double kSignificant = 0.05;

/// In what part of a model two profiles differ.
enum class DifferenceLevel : std::uint8_t { Model, Module, Type };
[[nodiscard]] std::string_view name_of(DifferenceLevel level);

/// One quantity of one part in two profiles.
struct Difference {
  DifferenceLevel level = DifferenceLevel::Model;
  std::string name;  ///< Of the model, scope of the module, type of the operators.
  int depth = 0;     ///< Of a module in the tree.
  std::string metric = "time_s";
  std::string unit = "s";
  std::string provenance{};  ///< Of the less certain of both.
  bool in_first = true;      ///< Whether the model has such a part.
  bool in_second = true;
  std::optional<double> first;  ///< Nothing where it has none, or where it is not known.
  std::optional<double> second;
  Figure ratio{};             ///< Second ÷ first; the 95 % interval holds the noise, too.
  std::optional<double> p{};  ///< Corrected for all rows of the level; nothing: not tested.
  std::string test{};         ///< Which; empty: none.
  std::string untested{};     ///< Why.

  [[nodiscard]] bool significant() const { return p && *p <= kSignificant; }
  /// Second less first; a part that a model lacks takes nothing there. Nothing where one of them is
  /// unknown.
  [[nodiscard]] std::optional<double> change() const {
    if ((in_first && !first) || (in_second && !second)) return std::nullopt;
    return second.value_or(0) - first.value_or(0);
  }
};

/// In what one profile differs from another one, the largest difference first.
struct Differences {
  std::string first;  ///< Labels.
  std::string second;
  std::vector<Difference> rows{};
  /// By what share times of two profiles like these differ by themselves, in 95 % of all cases.
  std::optional<double> noise{};
  std::string doubt{};  ///< Why nothing can be told; empty where something can.
};

/// How many rows people see.
struct ShownDifferences {
  static constexpr std::size_t kUsualRows = 8;
  std::size_t rows = kUsualRows;  ///< Of each table.
  std::optional<int> depth{};     ///< Of modules: no deeper ones.
};

void print_differences(const Differences& differences, const ShownDifferences& shown,
                       std::ostream& out);
/// One object per row, whoever is compared.
[[nodiscard]] nlohmann::ordered_json differences_json(const std::vector<Differences>& all);
/// What the rows must be larger than.
[[nodiscard]] nlohmann::ordered_json noise_json(const std::vector<Differences>& all);
/// "0.003", "below 0.0001".
[[nodiscard]] std::string p_text(double p);
/// "× 1.05", "+4.8 %".
[[nodiscard]] std::string change_in_percent(double ratio);

}  // namespace jouletree::report
