#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace jouletree {

/// A file mapped for reading; pages are loaded only when they are touched.
class MappedFile {
 public:
  /// Throws Error(BadInput) if the path is not a readable regular file.
  explicit MappedFile(const std::filesystem::path& path);
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  [[nodiscard]] std::string_view bytes() const { return {data_, size_}; }
  /// Gives the memory of a part of bytes() back. It can still be read: touched again, its pages are
  /// loaded again.
  void release(std::string_view part) const;

 private:
  const char* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t slot_;  ///< Where explain_shortened_files() finds it.
};

/// From here on, a mapped file that somebody else makes shorter ends the program with a sentence
/// and exit code 2 as soon as what is gone is read, and not with SIGBUS. For programs, not for
/// libraries: it handles the signal.
void explain_shortened_files();

}  // namespace jouletree
