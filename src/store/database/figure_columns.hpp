#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "store/database/records.hpp"
#include "store/database/table_rows.hpp"

namespace jouletree::store {

/// A column of numbers in a unit of its own.
struct UnitColumn {
  std::size_t column = 0;
  double factor = 1;  ///< To seconds, joules, watts.
};

/// The columns of a table that tell what was measured, found by their names: latency_ms,
/// runtime_mean_s, energy_per_iter_mJ, power_mean_W and the like. The unit ends the name.
struct FigureColumns {
  std::optional<UnitColumn> time{};  ///< Median, or a time that says nothing about how it was made.
  std::optional<UnitColumn> time_mean{};
  std::optional<UnitColumn> time_deviation{};
  std::optional<UnitColumn> time_variance{};
  std::optional<UnitColumn> time_min{};
  std::optional<UnitColumn> time_max{};
  std::optional<UnitColumn> energy{};
  std::optional<UnitColumn> power{};
  /// Columns that tell the same, such as latency_ms and runtime_s: both must agree.
  std::vector<std::pair<UnitColumn, UnitColumn>> repeated{};

  [[nodiscard]] bool any() const { return time || time_mean || energy; }
};
[[nodiscard]] FigureColumns figure_columns(const TableRows& table);

/// Sets what the current row tells. False for a row with neither time nor energy. Throws
/// Error(BadInput) where columns contradict each other.
[[nodiscard]] bool set_figures(const TableRows& table, const FigureColumns& columns,
                               MeasurementRecord& one);

}  // namespace jouletree::store
