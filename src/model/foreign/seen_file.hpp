#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/zip_archive.hpp"

namespace jouletree::model::foreign {

/// A file that is no ONNX model, as the recognisers of its kind look at it. Its bytes stay where
/// they are.
class SeenFile {
 public:
  SeenFile(std::filesystem::path path, std::string_view bytes);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::string_view bytes() const { return bytes_; }
  /// The first 4 KiB.
  [[nodiscard]] std::string_view head() const { return bytes_.substr(0, 4096); }
  /// The head without a byte order mark and leading white space; empty if it is no text.
  [[nodiscard]] std::string_view text() const { return text_; }
  /// True if these bytes stand at this place.
  [[nodiscard]] bool has(std::string_view mark, std::size_t at = 0) const;
  /// A little-endian number of at most 8 bytes; nothing beyond the end of the file.
  [[nodiscard]] std::optional<std::uint64_t> number(std::size_t at, std::size_t bytes) const;
  /// True if the name of the file ends so.
  [[nodiscard]] bool is_called(std::string_view ending) const;
  /// The files of a zip archive; none if it is no archive or its end was cut off.
  [[nodiscard]] const std::vector<ZipEntry>& entries() const { return entries_; }
  /// The path, and that of its folder, as one writes them on a command line.
  [[nodiscard]] std::string file_word() const;
  [[nodiscard]] std::string folder_word() const;

 private:
  std::filesystem::path path_;
  std::string_view bytes_;
  std::string_view text_;
  std::vector<ZipEntry> entries_;
};

/// The text as one word of a command line, in quotes if it needs them.
[[nodiscard]] std::string shell_word(const std::string& text);

/// "a, b and 3 more", of names that end so, or of all.
[[nodiscard]] std::string some_names(const std::vector<std::string>& names);

}  // namespace jouletree::model::foreign
