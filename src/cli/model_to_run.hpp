#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/scratch_folder.hpp"

namespace jouletree::cli {

/// What the user calls a model, as a file that an engine can run. An architecture of the zoo is
/// built for the occasion, and gone with the object.
class ModelToRun {
 public:
  explicit ModelToRun(const std::string& model);

  [[nodiscard]] const std::filesystem::path& file() const { return file_; }
  /// What records call it, where the file does not last; else empty.
  [[nodiscard]] const std::string& told_as() const { return told_as_; }

 private:
  std::optional<ScratchFolder> scratch_;
  std::filesystem::path file_;
  std::string told_as_;
};

}  // namespace jouletree::cli
