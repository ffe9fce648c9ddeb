#include "cli/shown_folders.hpp"

#include <fmt/format.h>

#include "jouletree/error.hpp"

namespace jouletree::cli {
namespace {

namespace fs = std::filesystem;

bool holds_anything(const fs::path& folder) {
  return store::holds_profile(folder) || store::holds_recording(folder);
}

void read(const fs::path& folder, ShownFolders& shown) {
  if (store::holds_profile(folder)) {
    shown.profiles.push_back({folder, store::read_profile_folder(folder)});
    if (store::holds_recording(folder)) {
      shown.notes.push_back(
          fmt::format("{} also holds a recording, which is not shown; move it to "
                      "a folder of its own",
                      folder.string()));
    }
  } else {
    shown.recordings.push_back(store::read_recording(folder));
  }
}

/// One that cannot be read does not hide the others.
void read_below(const std::vector<fs::path>& folders, ShownFolders& shown) {
  std::size_t failed = 0;
  for (const fs::path& folder : folders) {
    try {
      read(folder, shown);
    } catch (const Error& error) {
      if (++failed == folders.size()) throw;
      shown.notes.push_back(fmt::format("{}; it is left out", error.what()));
    }
  }
}

void read_named(const std::string& name, ShownFolders& shown) {
  std::error_code error;
  if (!fs::is_directory(name, error)) {
    throw Error(
        ErrorKind::BadInput,
        fmt::format("{}: is not a folder; name one that 'jouletree run -o', 'jouletree profile "
                    "-o' or AIPowerMeter wrote",
                    name));
  }
  const std::vector<fs::path> found = store::find_folders(name, holds_anything);
  if (found.empty()) {
    throw Error(
        ErrorKind::BadInput,
        fmt::format("{}: holds no power_metrics.json and no profile.json; name a folder that "
                    "'jouletree run -o', 'jouletree profile -o' or AIPowerMeter wrote",
                    name));
  }
  if (found[0] != fs::path(name)) {
    read_below(found, shown);
    return;
  }
  read(found[0], shown);
  if (found.size() > 1) {
    shown.notes.push_back(
        fmt::format("{} more recordings lie below {}, such as {}; name them to "
                    "see them",
                    found.size() - 1, name, found[1].string()));
  }
}

}  // namespace

ShownFolders read_folders(const std::vector<std::string>& names) {
  ShownFolders shown;
  for (const std::string& name : names) read_named(name, shown);
  return shown;
}

}  // namespace jouletree::cli
