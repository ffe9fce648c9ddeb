#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace jouletree {

/// A file that appears as a whole or not at all: it is written beside its target and takes its
/// place with commit(). Without commit() nothing is left behind. Whoever is killed may leave a
/// hidden file beside the target (where the file system can hold files without a name, only within
/// commit()); the next one who writes the same target removes it.
class ReplacedFile {
 public:
  /// Throws Error(BadInput) if the target is no regular file or its folder cannot be written.
  explicit ReplacedFile(std::filesystem::path target);
  ReplacedFile(const ReplacedFile&) = delete;
  ReplacedFile& operator=(const ReplacedFile&) = delete;
  ~ReplacedFile();

  /// Throws Error(BadInput) if the disk is full or fails.
  void write(std::string_view bytes);
  /// All that was written is on its way to the disk: commit() cannot find it full any more. Throws
  /// as write() does.
  void flush();
  /// The same, and waits until it is there.
  void sync();
  /// Takes the place of the target, once its content is on the disk.
  void commit();
  /// Takes another place than its target's, on the same file system.
  void commit_as(std::filesystem::path target);

 private:
  void open_beside();
  /// False if somebody has a file of that name.
  bool open_as(std::string name);
  void write_through(std::string_view bytes);
  void give_name();
  /// The same.
  bool link_as(std::string name);
  void remove_beside();

  std::filesystem::path target_;
  std::string beside_;  ///< Empty as long as the file has no name.
  std::string buffer_;
  int descriptor_ = -1;
};

/// A file with this content. Throws as ReplacedFile does.
void replace_file(const std::filesystem::path& target, std::string_view bytes);

}  // namespace jouletree
