#include "base/replaced_files.hpp"

#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/open_folder.hpp"
#include "jouletree/error.hpp"

namespace jouletree {
namespace {

namespace fs = std::filesystem;

/// Removed with all that is in it, unless it was given another name.
class StagedFolder {
 public:
  explicit StagedFolder(fs::path path) : path_(std::move(path)) {
    // Somebody who was killed may have left one.
    fs::remove_all(path_);
    fs::create_directory(path_);
  }
  StagedFolder(const StagedFolder&) = delete;
  StagedFolder& operator=(const StagedFolder&) = delete;
  ~StagedFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void move_to_places(const fs::path& folder, const std::string& set,
                    const std::function<void()>& step) {
  const fs::path from = folder / set;
  std::vector<fs::path> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(from))
    names.push_back(entry.path().filename());
  for (const fs::path& name : names) {
    fs::rename(from / name, folder / name);
    step();
  }
  fs::remove(from);
  step();
}

}  // namespace

ReplacedFiles::ReplacedFiles(fs::path folder, std::string set)
    : folder_(std::move(folder)), set_(std::move(set)) {}

void ReplacedFiles::add(const std::string& name, std::string_view bytes) {
  File& file = files_.emplace_back(folder_, name);
  file.content.write(bytes);
  file.content.sync();
}

void ReplacedFiles::commit(const std::function<void()>& step) {
  const std::function<void()> tell = step ? step : [] {};
  try {
    const OpenFolder open(folder_);
    open.lock();
    if (fs::exists(folder_ / set_)) move_to_places(folder_, set_, tell);
    const StagedFolder staged(folder_ / (set_ + ".unfinished"));
    tell();
    for (File& file : files_) {
      file.content.commit_as(staged.path() / file.name);
      tell();
    }
    OpenFolder(staged.path()).sync();
    fs::rename(staged.path(), folder_ / set_);
    open.sync();
    tell();
    move_to_places(folder_, set_, tell);
    open.sync();
  } catch (const fs::filesystem_error& error) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: cannot be written: {}", folder_.string(), error.code().message()));
  }
}

fs::path find_in_set(const fs::path& folder, const std::string& set, const std::string& name) {
  std::error_code error;
  const fs::path on_its_way = folder / set / name;
  return fs::exists(on_its_way, error) ? on_its_way : folder / name;
}

void finish_replacing(const fs::path& folder, const std::string& set) {
  std::error_code error;
  if (!fs::is_directory(folder / set, error)) return;
  const OpenFolder open(folder);
  open.lock();
  // Whoever held the lock may have finished.
  if (!fs::is_directory(folder / set, error)) return;
  try {
    move_to_places(folder, set, [] {});
    open.sync();
  } catch (const fs::filesystem_error&) {
    return;  // find_in_set() finds them where they are.
  }
}

}  // namespace jouletree
