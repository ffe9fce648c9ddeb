#pragma once

#include <cstdint>
#include <filesystem>

#include "zoo/architecture.hpp"

namespace jouletree::zoo {

/// Models with more weights than this store them beside the file, in `<file>.data`.
inline constexpr std::size_t kLargestInOneFile = std::size_t{64} << 20U;

struct BuiltModel {
  std::int64_t parameters = 0;   ///< Numbers stored, without running statistics.
  std::size_t weight_bytes = 0;  ///< Including running statistics.
  bool has_external_data = false;
};

/// Writes an architecture with seeded random weights. The same settings and seed give the same
/// bytes. Memory use does not depend on the size of the model. Throws Error(BadInput) for settings
/// that do not fit together and for files that cannot be written; then no file is left.
BuiltModel build_model(const Architecture& architecture, const Settings& settings,
                       std::uint64_t seed, const std::filesystem::path& file);
/// The same of what a writer collected.
BuiltModel build_model(const ModelWriter& writer, const std::filesystem::path& file);

}  // namespace jouletree::zoo
