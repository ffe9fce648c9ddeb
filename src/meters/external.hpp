#pragma once

#include "jouletree/probe.hpp"
#include "meters/line_follower.hpp"
#include "meters/power_integral.hpp"
#include "meters/power_rows.hpp"

namespace jouletree {

/// Rows of a meter's file with times of the calendar.
class ExternalRows {
 public:
  /// Throws Error(BadInput) if the file cannot be opened, or its first lines cannot be understood.
  ExternalRows(const ExternalFile& file, const Clock& clock);

  struct Row {
    WallTime at;
    Watts power;
  };
  /// The next row; nothing if there is none yet. `bad` is set if a line could not be understood.
  [[nodiscard]] std::optional<Row> next(bool& bad);
  /// The row behind the last line end.
  [[nodiscard]] std::optional<Row> last() const;
  [[nodiscard]] GapReason trouble() const { return lines_.trouble(); }
  [[nodiscard]] bool stamps_are_relative() const { return relative_; }
  [[nodiscard]] int line_number() const { return lines_.line_number(); }
  [[nodiscard]] bool layout_known() const { return layout_.has_value(); }

 private:
  [[nodiscard]] std::optional<Row> row_of(std::string_view line) const;

  std::filesystem::path path_;
  std::chrono::nanoseconds offset_;
  WallTime opened_;
  LineFollower lines_;
  std::optional<RowLayout> layout_;
  mutable bool relative_ = false;
};

}  // namespace jouletree
