#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace jouletree::model::pt2 {

/// The texts of an archive of torch.export that say what the program does. Weights stay where they
/// are.
struct ProgramFiles {
  std::string_view program;  ///< The graph, as JSON.
  std::string_view weights;  ///< Which file of the archive holds which weights; may be empty.
  std::vector<std::string> notes;
  std::deque<std::string> unpacked;  ///< Owns what was compressed.
};

/// Views point into the archive, which must outlive them, or into what was unpacked. Throws
/// Error(BadInput) for an archive without a graph, for one with several of which none is the main
/// one, and for files that are packed in an unknown way or are larger than any graph.
[[nodiscard]] ProgramFiles program_files(std::string_view archive);

}  // namespace jouletree::model::pt2
