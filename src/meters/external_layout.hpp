#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jouletree/probe.hpp"
#include "meters/power_rows.hpp"

namespace jouletree::meters {

/// One thing that a meter's file tells the power of: a plug, a graphics card.
struct ExternalChannel {
  std::string name;    ///< Behind the file's name; empty where the file has only one.
  std::string device;  ///< As MeterInfo has it; empty for the file's own.
  Level level = Level::Wall;
  RowLayout layout;
};

/// What a file holds, and the number of lines before its rows.
struct ExternalLayout {
  std::vector<ExternalChannel> channels;
  int lines_before_rows = 0;
};

/// A line of a file, with its number from 1.
struct NumberedLine {
  int number = 0;
  std::string text;
};

/// Looks at the first lines of a file: titles where it has them, else units, else the only number
/// beside the time. Nothing if they hold neither titles nor rows. Throws Error(BadInput), naming
/// the columns and how to choose, where several columns may be power and none was chosen; and for a
/// column that is chosen and is no power.
[[nodiscard]] std::optional<ExternalLayout> find_layout(const ExternalFile& file,
                                                        const std::vector<NumberedLine>& lines,
                                                        WallTime today);

}  // namespace jouletree::meters
