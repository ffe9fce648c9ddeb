#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string_view>

#include "jouletree/provenance.hpp"
#include "jouletree/tree.hpp"

namespace jouletree {

/// Provenance of the time of an operator that was not measured alone: the engine's own profiler saw
/// it inside the running model.
inline constexpr std::string_view kMeasuredInPlace = "measured in place";

/// What was measured of a node of the tree; nothing where it was not.
struct NodeFigures {
  std::optional<double> time_s;      ///< Per run, alone.
  std::optional<double> time_low_s;  ///< Of the 95 % confidence interval.
  std::optional<double> time_high_s;
  std::optional<double> in_place_s;  ///< Inside the running model.
  bool is_in_place = false;  ///< `time_s` is that inside the model, because nothing else is known.
  std::optional<double> energy_j;  ///< Per run, with what the machine uses when idle.
  std::optional<double> energy_low_j;
  std::optional<double> energy_high_j;
  std::optional<double> energy_above_idle_j;
  Provenance energy_provenance = Provenance::Measured;
  std::optional<std::int64_t> count;         ///< Of operators that are equal to this one.
  std::optional<double> cpu_percent;         ///< Of the time of all CPUs.
  std::optional<double> memory_percent;      ///< Of the machine's memory.
  std::optional<double> gpu_percent;         ///< Of the time, in which a kernel ran.
  std::optional<double> gpu_memory_percent;  ///< Of the time, in which memory was at work.
  std::optional<double> gpu_clock_mhz;
  std::optional<double> gpu_memory_clock_mhz;
};
/// Of the time: a clock, with the operator alone or inside the model.
[[nodiscard]] inline std::string_view time_provenance_of(const NodeFigures& figures) {
  return figures.is_in_place ? kMeasuredInPlace : name_of(Provenance::Measured);
}
/// Asked once for every node. Empty for a tree that was only counted.
using FiguresOf = std::function<NodeFigures(const TreeNode&)>;

/// One line of a tree file: a JSON object with the keys of the published IrEne data and our own
/// beside them. What was not measured is null.
void write_tree_line(const ModelTree& tree, std::ostream& out, const FiguresOf& figures_of = {});

/// The per-layer file: a header, then one row per operator in execution order. What is unknown is
/// an empty field.
void write_layers(const ModelTree& tree, std::ostream& out, const FiguresOf& figures_of = {});

}  // namespace jouletree
