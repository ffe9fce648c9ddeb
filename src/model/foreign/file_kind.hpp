#pragma once

#include <span>
#include <string>
#include <string_view>

#include "model/foreign/seen_file.hpp"

namespace jouletree::model::foreign {

/// One row of the table of files that are not ONNX models.
struct FileKind {
  std::string_view name;
  /// Looks at the content; at the ending of the name only where the content has no mark.
  bool (*fits)(const SeenFile&);
  std::string_view what;  ///< Follows "this is".
  /// How to get from there to a model that can be read. {file} and {folder} stand for the path and
  /// its folder as words of a command line, {path} for the bare path, {detail} for what `detail`
  /// says.
  std::string_view advice;
  std::string (*detail)(const SeenFile&) = nullptr;
};

// The table in parts. The first row that fits tells the kind, so rows with a sure mark come first.
[[nodiscard]] std::span<const FileKind> marked_kinds();
[[nodiscard]] std::span<const FileKind> archive_kinds();
[[nodiscard]] std::span<const FileKind> text_kinds();
[[nodiscard]] std::span<const FileKind> message_kinds();
[[nodiscard]] std::span<const FileKind> last_kinds();

/// The flags that tell paddle2onnx of a model: its folder and its two files.
[[nodiscard]] std::string paddle_files(const SeenFile& file);

/// The only kind of a file, or none.
[[nodiscard]] const FileKind* kind_of(const SeenFile& file);
[[nodiscard]] std::string sentence(const FileKind& kind, const SeenFile& file);

}  // namespace jouletree::model::foreign
