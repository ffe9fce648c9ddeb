#pragma once

#include <deque>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "base/replaced_file.hpp"

namespace jouletree {

/// Several files of a folder that take the place of older ones all together: whoever is killed
/// leaves either all the older files or all the new ones. Other files of the folder are not
/// touched.
///
/// New files are written without a name. commit() gathers them in a hidden folder beside the older
/// ones, and gives that folder its final name: from this one rename on, the set consists of the new
/// files. Then they are moved to their places. Where that was interrupted, find_in_set() still
/// finds the new files, and finish_replacing() moves the rest. No file system has to exchange
/// anything, and the folder itself stays the same for whoever stands in it.
class ReplacedFiles {
 public:
  /// `set` names the hidden folder, such as ".jouletree-profile".
  ReplacedFiles(std::filesystem::path folder, std::string set);
  ReplacedFiles(const ReplacedFiles&) = delete;
  ReplacedFiles& operator=(const ReplacedFiles&) = delete;
  ~ReplacedFiles() = default;

  /// Writes a file through to the disk. Throws Error(BadInput) if that is full, or if something
  /// other than a file has this name.
  void add(const std::string& name, std::string_view bytes);

  /// Replaces the older files. `step` is told whenever something has changed on the disk, for tests
  /// that end there. Throws Error(BadInput), with the older files in place, if the folder cannot be
  /// written.
  void commit(const std::function<void()>& step = {});

 private:
  struct File {
    File(const std::filesystem::path& folder, const std::string& file)
        : name(file), content(folder / file) {}

    std::string name;
    ReplacedFile content;
  };

  std::filesystem::path folder_;
  std::string set_;
  std::deque<File> files_;
};

/// Where a file of a set is: in the folder, or still on its way there.
[[nodiscard]] std::filesystem::path find_in_set(const std::filesystem::path& folder,
                                                const std::string& set, const std::string& name);

/// Moves what an interrupted commit() left on its way. Does nothing where the folder cannot be
/// written, or where there is nothing to do.
void finish_replacing(const std::filesystem::path& folder, const std::string& set);

}  // namespace jouletree
