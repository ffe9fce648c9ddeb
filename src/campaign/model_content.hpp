#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "campaign/item.hpp"
#include "store/database/campaign_queue.hpp"

namespace jouletree::campaign {

/// Tells one version of an item's model file from another: its bytes, and how many there are in the
/// files with its data. Empty for models that are no files. Throws Error(BadInput), as readers do.
[[nodiscard]] std::string content_of(const Item& item, const std::filesystem::path& folder);

/// Finds items that were measured with another version of their file. Reads each file once.
class FileChanges {
 public:
  /// Paths start from `folder`.
  explicit FileChanges(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// False where nobody can tell: older programs did not note the content.
  [[nodiscard]] bool has_changed(const Item& item, const store::ItemStatus& done);

 private:
  std::filesystem::path folder_;
  std::map<std::string, std::string> contents_{};  ///< By path.
};

}  // namespace jouletree::campaign
