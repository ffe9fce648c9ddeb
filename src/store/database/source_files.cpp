#include "store/database/source_files.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/bounded_json.hpp"
#include "store/profile_folder.hpp"

namespace jouletree::store {

std::string kept_profile_header() {
  return nlohmann::json({kTreeFile, kLayersFile, kProfileFile, kTrialsFile}).dump();
}

std::vector<std::string> file_names(const std::string& header) {
  // Older programs lost the header of profiles whose operators were kept first.
  if (header.empty()) return file_names(kept_profile_header());
  const auto names = parse_json_if_any<nlohmann::json>(header);
  std::vector<std::string> files;
  if (names.is_array())
    for (const auto& name : names)
      files.push_back(name.is_string() ? name.get<std::string>() : std::string());
  return files;
}

std::optional<std::int64_t> file_position(const std::string& header, std::string_view name) {
  const std::vector<std::string> names = file_names(header);
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? std::nullopt : std::optional<std::int64_t>(found - names.begin());
}

std::optional<std::string> source_file(Database& database, Id source, const std::string& header,
                                       std::string_view name) {
  const auto position = file_position(header, name);
  return position ? database.source_row(source, *position) : std::nullopt;
}

}  // namespace jouletree::store
