#include "meters/external_layout.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "jouletree/error.hpp"
#include "meters/column_titles.hpp"
#include "meters/row_devices.hpp"

namespace jouletree::meters {
namespace {

using Texts = std::vector<std::string>;

constexpr int kLinesBeforeRows = 50;

/// How the columns of a file are used, before one of them is chosen for power.
struct FileColumns {
  char separator = ',';
  Texts titles;             ///< Empty where there are none.
  std::vector<Texts> rows;  ///< The first ones.
  std::size_t time_column = 0;
  std::optional<std::size_t> date_column;
  std::optional<std::size_t> device_column;
  std::optional<std::size_t> valid_column;
  int lines_before_rows = 0;

  [[nodiscard]] std::size_t size() const {
    return std::max(titles.size(), rows.empty() ? 0 : rows[0].size());
  }
  [[nodiscard]] bool is_time(std::size_t column) const {
    return column == time_column || column == date_column;
  }
  /// The first cell of a column that holds something.
  [[nodiscard]] std::string sample(std::size_t column) const {
    for (const Texts& row : rows)
      if (column < row.size() && !row[column].empty()) return row[column];
    return "";
  }
  /// The unit that stands behind the numbers of a column.
  [[nodiscard]] std::string unit(std::size_t column) const {
    for (const Texts& row : rows) {
      const auto cell = column < row.size() ? parse_cell(row[column]) : std::nullopt;
      if (cell && !cell->unit.empty()) return std::string(cell->unit);
    }
    return "";
  }
};

/// "2024/05/01 12:00:00.123", as NVIDIA's tool writes it.
bool is_nvidia_stamp(std::string_view text) {
  constexpr std::string_view kForm = "0000/00/00 00:00:00.000";
  if (text.size() != kForm.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool digit = std::isdigit(static_cast<unsigned char>(text[i])) != 0;
    if (kForm[i] == '0' ? !digit : text[i] != kForm[i]) return false;
  }
  return true;
}

/// A line with titles of a time and of something that may be power.
bool take_titles(const std::string& line, bool any_power, FileColumns& columns) {
  columns.separator = separator_of(line);
  std::string text = line;
  if (columns.separator == ' ') text.erase(0, text.find_first_not_of("# "));
  const Texts titles = columns_of(text, columns.separator);
  const auto find = [&](ColumnKind kind) -> std::optional<std::size_t> {
    for (std::size_t i = 0; i < titles.size(); ++i)
      if (kind_of_title(titles[i]) == kind) return i;
    return std::nullopt;
  };
  const auto time = find(ColumnKind::Moment);
  const auto date = find(ColumnKind::Date);
  if (!time && !date) return false;
  if (titles.size() < 2 || (!any_power && !find(ColumnKind::Power))) return false;
  columns.titles = titles;
  columns.time_column = time ? *time : *date;
  if (time && date) columns.date_column = date;
  columns.device_column = find(ColumnKind::Device);
  columns.valid_column = find(ColumnKind::Valid);
  return true;
}

/// A line with a time and a number.
bool take_row(const std::string& line, WallTime today, FileColumns& columns) {
  if (line.starts_with('#')) return false;
  const char separator = separator_of(line);
  const Texts cells = columns_of(line, separator);
  std::size_t after_time = 0;
  if (cells.size() > 2 && parse_stamp(cells[0] + " " + cells[1], today)) after_time = 2;
  if (after_time == 0 && cells.size() > 1 && parse_stamp(cells[0], today)) after_time = 1;
  if (after_time == 0) return false;
  const bool number = std::any_of(cells.begin() + static_cast<std::ptrdiff_t>(after_time),
                                  cells.end(), [](const std::string& c) { return parse_cell(c); });
  if (!number) return false;
  columns.separator = separator;
  columns.time_column = after_time - 1;
  if (after_time == 2) columns.date_column = 0;
  return true;
}

/// `any_titles` takes a line of titles also where none of them is power.
std::optional<FileColumns> columns_in(const std::vector<NumberedLine>& lines, WallTime today,
                                      bool any_titles) {
  FileColumns columns;
  bool found = false;
  for (const NumberedLine& line : lines) {
    if (is_blank(line.text)) continue;
    if (found) {
      if (!line.text.starts_with('#'))
        columns.rows.push_back(columns_of(line.text, columns.separator));
      continue;
    }
    if (line.number > kLinesBeforeRows) break;
    if (take_row(line.text, today, columns)) {
      found = true;
      columns.lines_before_rows = line.number - 1;
      columns.rows.push_back(columns_of(line.text, columns.separator));
    } else if (take_titles(line.text, any_titles, columns)) {
      found = true;
      columns.lines_before_rows = line.number;
    }
  }
  if (!found) return std::nullopt;
  return columns;
}

/// The columns, with the titles right above the rows even where none of them speaks of power: what
/// is called voltage or utilisation must not pass for watts.
std::optional<FileColumns> columns_of_file(const ExternalFile& file,
                                           const std::vector<NumberedLine>& lines, WallTime today) {
  auto columns = columns_in(lines, today, !file.columns.empty());
  if (!columns || !columns->titles.empty()) return columns;
  auto titled = columns_in(lines, today, true);
  const bool right_above = titled && titled->lines_before_rows == columns->lines_before_rows;
  return right_above ? titled : columns;
}

std::string described(const FileColumns& columns, std::size_t column) {
  const std::string sample = columns.sample(column);
  const std::string title = column < columns.titles.size() ? columns.titles[column] : "";
  std::string text = fmt::format("{}", column + 1);
  if (!title.empty()) text += fmt::format(" '{}'", title);
  if (sample.empty()) return text;
  return text + (title.empty() ? fmt::format(" '{}'", sample) : fmt::format(" ({})", sample));
}

std::string described(const FileColumns& columns) {
  Texts texts;
  for (std::size_t i = 0; i < columns.size(); ++i)
    texts.push_back(described(columns, i) + (columns.is_time(i) ? " (time)" : ""));
  return fmt::format("{}", fmt::join(texts, ", "));
}

/// Whether a column that somebody chooses can be watts.
bool may_hold_watts(const FileColumns& columns, std::size_t column) {
  const std::string unit = columns.unit(column);
  const ColumnKind kind =
      column < columns.titles.size() ? kind_of_title(columns.titles[column]) : ColumnKind::Unknown;
  return !columns.is_time(column) && (kind == ColumnKind::Power || kind == ColumnKind::Unknown) &&
         (unit.empty() || watts_in(unit));
}

/// The first column that holds numbers and may be watts.
std::optional<std::size_t> possible_column(const FileColumns& columns) {
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (may_hold_watts(columns, i) && parse_cell(columns.sample(i))) return i;
  return std::nullopt;
}

[[noreturn]] void ask_for_column(const ExternalFile& file, const FileColumns& columns,
                                 const std::vector<std::size_t>& candidates) {
  const auto possible = candidates.empty() ? possible_column(columns) : candidates[0];
  if (!possible) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: no column holds watts; record the power as well (nvidia-smi: add "
                            "power.draw to --query-gpu). Its columns are {}",
                            file.path.string(), described(columns)));
  }
  const std::size_t example = *possible;
  const bool titled = example < columns.titles.size();
  throw Error(
      ErrorKind::BadInput,
      fmt::format("{}: which columns hold watts is not clear; name one or several: "
                  "--external {}:{}. Its columns are {}",
                  file.path.string(), file.path.string(),
                  titled ? plain_title(columns.titles[example]) : std::to_string(example + 1),
                  described(columns)));
}

/// Columns that may be power, as far as titles and units tell.
std::vector<std::size_t> power_columns(const FileColumns& columns) {
  std::vector<std::size_t> found;
  std::vector<std::size_t> numbers;
  bool units = false;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns.is_time(i)) continue;
    const std::string unit = columns.unit(i);
    units = units || !unit.empty();
    if (parse_cell(columns.sample(i)) && unit.empty()) numbers.push_back(i);
    const bool titled =
        i < columns.titles.size() && kind_of_title(columns.titles[i]) == ColumnKind::Power;
    if (titled || (watts_in(unit) && may_hold_watts(columns, i))) found.push_back(i);
  }
  // What NVIDIA's tool calls so is the mean or the moment, whichever the card has.
  for (const std::size_t i : found)
    if (i < columns.titles.size() && plain_title(columns.titles[i]) == "power.draw") return {i};
  if (!found.empty()) return found;
  // Without units and titles that say otherwise, the only number beside the time is power; but
  // NVIDIA's tool writes whatever it was asked for.
  const bool plain = !units && !is_nvidia_stamp(columns.sample(columns.time_column));
  if (plain && numbers.size() == 1 && may_hold_watts(columns, numbers[0])) return numbers;
  return found;
}

std::optional<std::size_t> find_column(const FileColumns& columns, const std::string& name) {
  for (std::size_t i = 0; i < columns.titles.size(); ++i)
    if (columns.titles[i] == name || plain_title(columns.titles[i]) == plain_title(name)) return i;
  std::size_t number = 0;
  const auto parsed = std::from_chars(name.data(), name.data() + name.size(), number);
  const bool whole = parsed.ec == std::errc() && parsed.ptr == name.data() + name.size();
  if (!whole || number < 1 || number > columns.size()) return std::nullopt;
  return number - 1;
}

std::size_t named_column(const ExternalFile& file, const FileColumns& columns,
                         const std::string& name) {
  if (const auto found = find_column(columns, name)) return *found;
  throw Error(ErrorKind::BadInput, fmt::format("{}: has no column '{}'; its columns are {}",
                                               file.path.string(), name, described(columns)));
}

/// A column that was chosen must be able to hold watts.
void check_power(const ExternalFile& file, const FileColumns& columns, std::size_t column) {
  if (may_hold_watts(columns, column)) return;
  throw Error(ErrorKind::BadInput,
              fmt::format("{}: column {} holds no watts; choose another one. Its columns are {}",
                          file.path.string(), described(columns, column), described(columns)));
}

std::vector<std::size_t> chosen_columns(const ExternalFile& file, const FileColumns& columns) {
  std::vector<std::size_t> chosen;
  const bool all = file.columns == Texts{std::string(kAllColumns)};
  if (all || file.columns.empty()) {
    chosen = power_columns(columns);
    if (chosen.empty() || (!all && chosen.size() > 1)) ask_for_column(file, columns, chosen);
  } else {
    for (const std::string& name : file.columns)
      chosen.push_back(named_column(file, columns, name));
  }
  for (const std::size_t column : chosen) check_power(file, columns, column);
  return chosen;
}

ExternalChannel channel_of(const FileColumns& columns, std::size_t power) {
  ExternalChannel channel;
  channel.layout.separator = columns.separator;
  channel.layout.time_column = columns.time_column;
  channel.layout.date_column = columns.date_column;
  channel.layout.valid_column = columns.valid_column;
  channel.layout.power_column = power;
  const bool titled = power < columns.titles.size();
  if (titled) channel.layout.watts_per_unit = watts_per_unit(columns.titles[power]);
  // Only NVIDIA's tool puts units into cells.
  const bool nvidia =
      !columns.unit(power).empty() || is_nvidia_stamp(columns.sample(columns.time_column));
  if (titled ? is_card_title(columns.titles[power]) : nvidia) channel.level = Level::Gpu;
  return channel;
}

/// The column that tells devices apart, as chosen, as titled, or as the rows show.
std::optional<std::size_t> device_column(const ExternalFile& file, const FileColumns& columns,
                                         const RowLayout& layout, WallTime today) {
  const auto chosen = file.device_column.empty() ? columns.device_column
                                                 : named_column(file, columns, file.device_column);
  if (chosen) {
    check_device_column(columns.rows, *chosen, layout, today, file.path.string());
    return chosen;
  }
  return find_device_column(columns.rows, layout, today, file.path.string());
}

}  // namespace

std::optional<ExternalLayout> find_layout(const ExternalFile& file,
                                          const std::vector<NumberedLine>& lines, WallTime today) {
  const auto columns = columns_of_file(file, lines, today);
  if (!columns) return std::nullopt;
  ExternalLayout found;
  found.lines_before_rows = columns->lines_before_rows;
  const std::vector<std::size_t> powers = chosen_columns(file, *columns);
  for (const std::size_t power : powers) {
    ExternalChannel channel = channel_of(*columns, power);
    const bool named = powers.size() > 1 || !file.columns.empty();
    const bool titled = power < columns->titles.size();
    if (named)
      channel.name = titled ? plain_title(columns->titles[power]) : std::to_string(power + 1);
    const auto devices = device_column(file, *columns, channel.layout, today);
    if (!devices) {
      if (channel.level == Level::Gpu) channel.device = "gpu-0";
      found.channels.push_back(std::move(channel));
      continue;
    }
    for (ExternalChannel& one :
         channels_by_device(columns->rows, *devices, channel, file.path.string()))
      found.channels.push_back(std::move(one));
  }
  return found;
}

}  // namespace jouletree::meters
