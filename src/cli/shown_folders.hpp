#pragma once

#include <string>
#include <vector>

#include "report/show_report.hpp"
#include "store/recording.hpp"

namespace jouletree::cli {

/// What folders hold, those below them included.
struct ShownFolders {
  std::vector<store::Recording> recordings;
  std::vector<report::FolderProfile> profiles;
  std::vector<std::string> notes;  ///< What was found and cannot be read, or is not shown.
};

/// A folder that holds something stands for itself; else for all that is below it. Throws
/// Error(BadInput) for one that holds nothing, and for one named here that cannot be read.
[[nodiscard]] ShownFolders read_folders(const std::vector<std::string>& names);

}  // namespace jouletree::cli
