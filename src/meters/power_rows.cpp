#include "meters/power_rows.hpp"

#include <algorithm>
#include <cctype>

namespace jouletree {
namespace {

/// The columns of a line without allocating; at most 32.
class Columns {
 public:
  Columns(std::string_view line, char separator) {
    while (count_ < kMost) {
      const auto end = line.find(separator);
      columns_[count_++] = trimmed(line.substr(0, end));
      if (end == std::string_view::npos) break;
      line.remove_prefix(end + 1);
      // Several blanks are one separator.
      if (separator == ' ') line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    }
  }
  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] std::string_view operator[](std::size_t i) const {
    return i < count_ ? columns_[i] : std::string_view();
  }

 private:
  static constexpr std::size_t kMost = 32;
  std::string_view columns_[kMost];
  std::size_t count_ = 0;
};

char separator_of(std::string_view line) {
  for (const char candidate : {';', '\t', ','}) {
    if (line.find(candidate) != std::string_view::npos) return candidate;
  }
  return ' ';
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

bool is_power_title(const std::string& title) {
  // Power factors and energies (Wh) sound alike.
  if (contains(title, "factor") || contains(title, "wh")) return false;
  return contains(title, "power") || contains(title, "watt") || contains(title, "(w)") ||
         contains(title, "[w]") || contains(title, "mw") || contains(title, "kw") || title == "w" ||
         title == "p";
}

bool is_time_title(const std::string& title) {
  return contains(title, "time") || contains(title, "stamp") || title == "t" || title == "ts";
}

double unit_of(const std::string& title) {
  if (contains(title, "milliwatt") || contains(title, "mw")) return 1e-3;
  if (contains(title, "kilowatt") || contains(title, "kw")) return 1e3;
  return 1;
}

}  // namespace

bool is_blank(std::string_view line) { return trimmed(line).empty(); }

std::optional<PowerRow> RowLayout::parse(std::string_view line, WallTime today) const {
  const Columns columns(line, separator);
  const auto power = parse_decimal(columns[power_column]);
  if (!power) return std::nullopt;
  std::optional<Stamp> stamp;
  if (date_column) {
    std::string joined(columns[*date_column]);
    joined.append(" ").append(columns[time_column]);
    stamp = parse_stamp(joined, today);
  } else {
    stamp = parse_stamp(columns[time_column], today);
  }
  if (!stamp) return std::nullopt;
  return PowerRow{*stamp, Watts{*power * watts_per_unit}};
}

bool LayoutFinder::use_titles(const std::vector<std::string>& titles) {
  const auto power = std::find_if(titles.begin(), titles.end(), is_power_title);
  const auto time = std::find_if(titles.begin(), titles.end(), is_time_title);
  const auto date = std::find_if(titles.begin(), titles.end(),
                                 [](const std::string& t) { return t.starts_with("date"); });
  if (power == titles.end() || (time == titles.end() && date == titles.end())) return false;
  const auto index = [&](auto found) { return static_cast<std::size_t>(found - titles.begin()); };
  layout_.power_column = index(power);
  layout_.watts_per_unit = unit_of(*power);
  layout_.time_column = index(time == titles.end() ? date : time);
  if (time != titles.end() && date != titles.end() && date != time)
    layout_.date_column = index(date);
  return true;
}

bool LayoutFinder::look_at(std::string_view line, WallTime today, bool& line_is_row) {
  line_is_row = false;
  layout_ = RowLayout{};
  const bool comment = line.starts_with('#');
  if (comment) line.remove_prefix(1);
  layout_.separator = separator_of(line);
  const Columns columns(line, layout_.separator);
  if (!comment) {
    line_is_row = layout_.parse(line, today).has_value();
    if (line_is_row) return true;
    // "2024-05-01,12:00:00,83.5" and the same with blanks.
    RowLayout with_date = layout_;
    with_date.date_column = 0;
    with_date.time_column = 1;
    with_date.power_column = 2;
    line_is_row = with_date.parse(line, today).has_value();
    if (line_is_row) {
      layout_ = with_date;
      return true;
    }
  }
  std::vector<std::string> titles;
  for (std::size_t i = 0; i < columns.size(); ++i) titles.push_back(lower(columns[i]));
  return use_titles(titles);
}

}  // namespace jouletree
