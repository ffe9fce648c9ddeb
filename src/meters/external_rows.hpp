#pragma once

#include "jouletree/probe.hpp"
#include "meters/external_layout.hpp"
#include "meters/line_follower.hpp"

namespace jouletree::meters {

/// What the first lines of a file tell of it; one channel with an empty layout if it has no lines
/// yet. Throws Error(BadInput) if it cannot be opened or understood.
[[nodiscard]] ExternalLayout read_layout(const ExternalFile& file, const Clock& clock);

/// Rows of one channel of a meter's file with times of the calendar.
class ExternalRows {
 public:
  /// `channel` is a place in the layout.
  ExternalRows(const ExternalFile& file, const ExternalLayout& layout, std::size_t channel,
               const Clock& clock);

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

 private:
  [[nodiscard]] std::optional<Row> row_of(std::string_view line) const;
  void find_layout_in(std::string_view line);

  ExternalFile file_;
  WallTime opened_;
  LineFollower lines_;
  std::optional<RowLayout> layout_;
  mutable bool relative_ = false;
};

/// The usual distance of rows, from those that are in the file already.
[[nodiscard]] std::chrono::nanoseconds row_spacing(ExternalRows& rows);

[[nodiscard]] MeterInfo external_info(const ExternalFile& file, const ExternalChannel& channel,
                                      std::chrono::nanoseconds spacing);

}  // namespace jouletree::meters
