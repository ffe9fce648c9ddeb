#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "jouletree/graph.hpp"
#include "jouletree/inference.hpp"

namespace jouletree::measure {

/// What a sweep varies, as people write it.
struct Variation {
  /// NAME=PATTERN: a shape with sizes in braces, "input=1x3x{8,32,64}x{=}". {=} repeats the sizes
  /// of the braces before it, also of an earlier pattern.
  std::vector<std::string> patterns;
  /// NAME=SIZES of symbolic dimensions, as parse_sizes() reads them.
  std::vector<std::string> dims;
  std::vector<Dim> batches;  ///< Empty: as the model has it.
  std::vector<Dim> threads;  ///< Of the engine; empty: the usual number.
};

/// One input format of a sweep.
struct SweepFormat {
  std::string name;  ///< Of its folder: "1x3x64x64", "50", "50-batch8-threads2".
  double size = 0;   ///< What quantities are held against.
  InputSettings inputs;
  std::map<std::string, Dim> dims{};  ///< Of them, those that vary or were given.
  std::optional<Dim> batch{};
  std::optional<int> threads{};
};

struct SweepFormats {
  std::string size_name;  ///< "sequence", "input[2]", "batch"; "a × b" where several vary.
  std::vector<SweepFormat> formats;  ///< By size.
};

/// A study of more formats would not end.
inline constexpr std::size_t kMostFormats = 500;

/// Every combination of what varies. `fixed` holds for all formats. `graph` is the model's, where
/// its file tells of its inputs, else null: then a batch needs a pattern. Throws Error(BadInput)
/// that names the flag for what cannot be read, and for more than kMostFormats.
[[nodiscard]] SweepFormats formats_of(const Variation& variation, const InputSettings& fixed,
                                      const Graph* graph);

}  // namespace jouletree::measure
