#include "store/found_folders.hpp"

#include <fmt/format.h>

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

void read_named(const std::string& name, FoundFolders& found) {
  std::error_code error;
  if (!fs::is_directory(name, error)) {
    throw Error(
        ErrorKind::BadInput,
        fmt::format("{}: is not a folder; name one that 'jouletree run -o', 'jouletree profile "
                    "-o' or AIPowerMeter wrote",
                    name));
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
    found.notes.push_back(
        fmt::format("{} more recordings lie below {}, such as {}; name them to "
                    "see them",
                    folders.size() - 1, name, folders[1].string()));
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
