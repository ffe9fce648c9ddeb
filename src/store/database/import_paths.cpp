#include <algorithm>

#include <fmt/format.h>

#include "store/database/import.hpp"
#include "store/profile_folder.hpp"
#include "store/recording.hpp"

namespace jouletree::store {
namespace {

namespace fs = std::filesystem;

bool is_unit(const fs::path& folder) { return holds_profile(folder) || holds_recording(folder); }

/// "data" of "data/" and of ".../data/.".
std::string name_of_folder(const fs::path& folder) {
  std::error_code unreadable;
  fs::path whole = fs::weakly_canonical(folder, unreadable);
  if (unreadable) whole = folder;
  return whole.filename().empty() ? "folder" : whole.filename().string();
}

bool may_hold_data(const fs::path& file) {
  const std::string type = file.extension().string();
  return type == ".csv" || type == ".tsv" || type == ".jsonl";
}

void add_below(const fs::path& folder, std::vector<ImportPath>& found) {
  std::error_code unreadable;
  const auto options = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator place(folder, options, unreadable), end; place != end;
       place.increment(unreadable)) {
    if (unreadable) break;
    const fs::path& path = place->path();
    if (path.filename().string().starts_with('.')) {
      place.disable_recursion_pending();
      continue;
    }
    const std::string name = path.lexically_relative(folder).generic_string();
    if (place->is_directory(unreadable) && is_unit(path)) {
      place.disable_recursion_pending();
      found.push_back({path, name, true, ""});
    } else if (place->is_regular_file(unreadable) && may_hold_data(path)) {
      found.push_back({path, name, false, ""});
    }
  }
}

/// A file that gives its folder away stands for it.
fs::path unit_of(const fs::path& path) {
  const std::string name = path.filename().string();
  if (name != "power_metrics.json" && name != "summary.json" && name != "profile.json") return path;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  return is_unit(folder) ? folder : path;
}

void add_named(const std::string& given, std::vector<ImportPath>& found) {
  const fs::path path = unit_of(given);
  std::error_code unreadable;
  if (!fs::exists(path, unreadable))
    return found.push_back(
        {given, given, false, fmt::format("{}: does not exist; check the name", given)});
  if (!fs::is_directory(path, unreadable)) {
    found.push_back({path, path.filename().string(), false, ""});
    return;
  }
  if (is_unit(path)) {
    found.push_back({path, name_of_folder(path), true, ""});
    return;
  }
  std::vector<ImportPath> below;
  add_below(path, below);
  std::sort(below.begin(), below.end(),
            [](const ImportPath& a, const ImportPath& b) { return a.name < b.name; });
  if (below.empty()) {
    below.push_back({given, given, true,
                     fmt::format("{}: holds nothing to import: no tree file (.jsonl), no table "
                                 "(.csv), and no folder of a profile or a recording",
                                 given)});
  }
  found.insert(found.end(), below.begin(), below.end());
}

}  // namespace

std::vector<ImportPath> paths_to_import(const std::vector<std::string>& given) {
  std::vector<ImportPath> found;
  for (const std::string& one : given) add_named(one, found);
  return found;
}

}  // namespace jouletree::store
