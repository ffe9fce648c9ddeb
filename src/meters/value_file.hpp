#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "jouletree/meter.hpp"

namespace jouletree::meters {

/// A file of the kernel that holds one whole number. It stays open and is read in place, without
/// allocating. After a failure the next read opens it anew, because a driver that is loaded again
/// makes new files.
class ValueFile {
 public:
  explicit ValueFile(std::filesystem::path path) : path_(std::move(path)) {}
  ValueFile(ValueFile&& other) noexcept;
  ValueFile& operator=(ValueFile&&) = delete;
  ~ValueFile();

  /// Nothing if it cannot be read or holds no number; error() and why() say more.
  [[nodiscard]] std::optional<std::int64_t> read();
  /// The errno of the last failure; 0 if the content was no number.
  [[nodiscard]] int error() const { return error_; }
  [[nodiscard]] GapReason why() const;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::nullopt_t fail(int error);

  std::filesystem::path path_;
  int descriptor_ = -1;
  int error_ = 0;
};

/// What an errno means for a source.
[[nodiscard]] GapReason gap_reason_of(int error);

/// The first line of a small file without the space around it; nothing if it cannot be read.
[[nodiscard]] std::optional<std::string> read_line(const std::filesystem::path& path);
/// The number in a small file.
[[nodiscard]] std::optional<std::int64_t> read_number(const std::filesystem::path& path);

}  // namespace jouletree::meters
