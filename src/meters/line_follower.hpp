#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "jouletree/meter.hpp"

namespace jouletree::meters {

/// Reads a file line by line while somebody appends to it. Lines that have no end yet wait.
class LineFollower {
 public:
  explicit LineFollower(std::filesystem::path path);
  LineFollower(const LineFollower&) = delete;
  LineFollower& operator=(const LineFollower&) = delete;
  ~LineFollower();

  /// The next whole line, valid until the next call; nothing if there is none yet.
  [[nodiscard]] std::optional<std::string_view> next();
  /// What stands behind the last line end, for files that nobody appends to.
  [[nodiscard]] std::string_view rest() const;
  /// None, or why nothing came: the file is gone, or was cut and begins anew.
  [[nodiscard]] GapReason trouble() const { return trouble_; }
  [[nodiscard]] int line_number() const { return line_number_; }

 private:
  bool fill();

  std::filesystem::path path_;
  int descriptor_ = -1;
  std::int64_t offset_ = 0;
  std::string buffer_;
  std::size_t used_ = 0;
  std::size_t searched_ = 0;  ///< Up to there no line ends behind used_.
  int line_number_ = 0;
  GapReason trouble_ = GapReason::None;
};

}  // namespace jouletree::meters
