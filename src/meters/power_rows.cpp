#include "meters/power_rows.hpp"

#include <algorithm>
#include <array>

namespace jouletree::meters {
namespace {

/// The columns of a line without allocating; a wattmeter with 42 plugs has 89.
class Columns {
 public:
  Columns(std::string_view line, char separator) {
    if (separator == ' ') skip_blanks(line);
    while (count_ < kMost) {
      const auto end = line.find(separator);
      columns_[count_++] = trimmed(line.substr(0, end));
      if (end == std::string_view::npos) break;
      line.remove_prefix(end + 1);
      // Several blanks are one separator.
      if (separator == ' ') skip_blanks(line);
    }
  }
  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] std::string_view operator[](std::size_t i) const {
    return i < count_ ? columns_[i] : std::string_view();
  }

 private:
  static void skip_blanks(std::string_view& line) {
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  }

  static constexpr std::size_t kMost = 128;
  std::array<std::string_view, kMost> columns_;
  std::size_t count_ = 0;
};

}  // namespace

char separator_of(std::string_view line) {
  for (const char candidate : {';', '\t', ','}) {
    if (line.find(candidate) != std::string_view::npos) return candidate;
  }
  return ' ';
}

std::vector<std::string> columns_of(std::string_view line, char separator) {
  const Columns columns(line, separator);
  std::vector<std::string> result;
  for (std::size_t i = 0; i < columns.size(); ++i) result.emplace_back(columns[i]);
  return result;
}

std::optional<Cell> parse_cell(std::string_view text) {
  text = trimmed(text);
  const auto end = text.find_first_not_of("+-0123456789.,eE");
  const auto number = parse_decimal(text.substr(0, end));
  if (!number) return std::nullopt;
  if (end == std::string_view::npos) return Cell{*number, {}};
  return Cell{*number, trimmed(text.substr(end))};
}

std::optional<double> watts_in(std::string_view unit) {
  if (unit == "W") return 1;
  if (unit == "mW") return 1e-3;
  if (unit == "kW") return 1e3;
  return std::nullopt;
}

bool is_blank(std::string_view line) { return trimmed(line).empty(); }

bool RowLayout::skips(std::string_view line) const {
  if (!device_column && !valid_column) return false;
  const Columns columns(line, separator);
  if (device_column && columns[*device_column] != device) return true;
  if (!valid_column) return false;
  const std::string_view valid = columns[*valid_column];
  return valid == "false" || valid == "False" || valid == "0";
}

std::optional<MeterRow> RowLayout::parse(std::string_view line, WallTime today) const {
  const Columns columns(line, separator);
  const auto power = parse_cell(columns[power_column]);
  if (!power) return std::nullopt;
  const auto unit = power->unit.empty() ? std::optional(watts_per_unit) : watts_in(power->unit);
  if (!unit) return std::nullopt;
  std::optional<Stamp> stamp;
  if (date_column) {
    std::string joined(columns[*date_column]);
    joined.append(" ").append(columns[time_column]);
    stamp = parse_stamp(joined, today);
  } else {
    stamp = parse_stamp(columns[time_column], today);
  }
  if (!stamp) return std::nullopt;
  return MeterRow{*stamp, Watts{power->number * *unit}};
}

}  // namespace jouletree::meters
