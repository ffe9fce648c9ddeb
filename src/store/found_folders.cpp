#include "store/found_folders.hpp"

#include <fmt/format.h>

#include "base/number_of.hpp"
#include "jouletree/error.hpp"

namespace jouletree::store {
namespace {

namespace fs = std::filesystem;

bool holds_anything(const fs::path& folder) {
  return holds_profile(folder) || holds_recording(folder);
}

void read_into(const fs::path& folder, FoundFolders& found) {
  if (holds_profile(folder)) {
    found.profiles.push_back({folder, read_profile_folder(folder)});
    if (holds_recording(folder)) {
      found.notes.push_back(
          fmt::format("{} also holds a recording, which is not shown; move it to "
                      "a folder of its own",
                      folder.string()));
    }
  } else {
    found.recordings.push_back(read_recording(folder));
  }
}

/// One that cannot be read does not hide the others.
void read_below(const std::vector<fs::path>& folders, FoundFolders& found) {
  std::size_t failed = 0;
  for (const fs::path& folder : folders) {
    try {
      read_into(folder, found);
    } catch (const Error& error) {
      if (++failed == folders.size()) throw;
      found.notes.push_back(fmt::format("{}; it is left out", error.what()));
    }
  }
}

/// A file that gives its folder away stands for it.
std::string folder_of(const std::string& name) {
  const fs::path path(name);
  std::error_code error;
  const bool known = path.filename() == "power_metrics.json" || path.filename() == "summary.json" ||
                     path.filename() == "profile.json";
  if (!known || !fs::is_regular_file(path, error)) return name;
  return path.has_parent_path() ? path.parent_path().string() : ".";
}

void read_named(const std::string& given, FoundFolders& found) {
  const std::string name = folder_of(given);
  std::error_code error;
  if (!fs::is_directory(name, error)) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: {}; name a folder that 'jouletree run -o', 'jouletree profile -o' "
                            "or AIPowerMeter wrote",
                            name, fs::exists(name, error) ? "is not a folder" : "does not exist"));
  }
  const std::vector<fs::path> folders = find_folders(name, holds_anything);
  if (folders.empty()) {
    throw Error(
        ErrorKind::BadInput,
        fmt::format("{}: holds no power_metrics.json and no profile.json; name a folder that "
                    "'jouletree run -o', 'jouletree profile -o' or AIPowerMeter wrote",
                    name));
  }
  if (folders[0] != fs::path(name)) {
    read_below(folders, found);
    return;
  }
  read_into(folders[0], found);
  if (folders.size() > 1) {
    found.notes.push_back(fmt::format(
        "{} {} below {}, such as {}; name {} to see {}",
        number_of(folders.size() - 1, "more recording"),
        agreeing(folders.size() - 1, "lies", "lie"), name, folders[1].string(),
        agreeing(folders.size() - 1, "it", "them"), agreeing(folders.size() - 1, "it", "them")));
  }
}

}  // namespace

FoundFolders read_folders(const std::vector<std::string>& names) {
  FoundFolders found;
  for (const std::string& name : names) read_named(name, found);
  return found;
}

void keep_run(int number, Recording& recording) {
  std::erase_if(recording.runs.runs, [&](const StoredRun& run) { return run.number != number; });
  std::erase_if(recording.power.rows, [&](const PowerRow& row) { return row.run != number; });
  if (recording.runs.runs.empty()) {
    throw Error(ErrorKind::BadInput, fmt::format("{}: has no run {}; leave --run out to see all",
                                                 recording.folder.string(), number));
  }
}

}  // namespace jouletree::store
