#pragma once

#include <optional>
#include <string>

namespace jouletree::store {

/// What "lab.sqlite#resnet-18@batch=8" names.
struct DatabaseEntry {
  std::string database;  ///< For sql::parse_location().
  std::string model{};   ///< Behind the '#'; empty: all models.
};

/// Nothing for what is no database: a file of another kind, a folder, a name of the zoo. A file
/// that has a '#' in its name is that file.
[[nodiscard]] std::optional<DatabaseEntry> parse_entry(const std::string& given);

}  // namespace jouletree::store
