#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace jouletree {

/// Where, and in what, something was measured. What nobody knows is empty.
struct MeasuredOn {
  std::string machine;  ///< What its maker calls the CPU.
  /// The same for the same machine in the same state, as databases tell machines apart: CPUs,
  /// caches, memory, system, kernel, governor. Meters and graphics cards do not count.
  std::string machine_key;
  std::string system;  ///< "Debian GNU/Linux 12 (bookworm), Linux 6.1.0 x86_64"
  std::string engine;  ///< "ONNX Runtime"
  std::string version;
  std::optional<std::int64_t> threads;
  std::string device;     ///< "cpu"
  std::string level;      ///< How far the engine optimises: "all".
  std::string execution;  ///< "sequential"

  bool operator==(const MeasuredOn&) const = default;
};

/// A place and what a predictor learned from there.
struct TrainedOn {
  MeasuredOn place;
  std::size_t runs = 0;
  std::string from;  ///< When the first of them was measured, UTC, ISO 8601; empty: not known.
  std::string to;    ///< The last.
};

}  // namespace jouletree
