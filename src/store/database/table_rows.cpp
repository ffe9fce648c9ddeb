#include "store/database/table_rows.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "base/csv.hpp"
#include "base/number_of.hpp"
#include "jouletree/error.hpp"

namespace jouletree::store {
namespace {

/// Spaces behind a comma belong to no value.
void trim(std::string& field) {
  const std::size_t last = field.find_last_not_of(' ');
  field.erase(last == std::string::npos ? 0 : last + 1);
  field.erase(0, field.find_first_not_of(' '));
}

/// Fields of one row, its end of line included; false where a quote is not closed.
bool split(std::string_view row, char separator, std::vector<std::string>& fields) {
  std::size_t count = 0;
  const auto begin_field = [&]() -> std::string& {
    if (count == fields.size()) fields.emplace_back();
    fields[count].clear();
    return fields[count++];
  };
  std::string* field = &begin_field();
  bool quoted = false;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const char letter = row[i];
    if (letter == '"') {
      if (quoted && i + 1 < row.size() && row[i + 1] == '"') {
        *field += '"';
        ++i;
      } else {
        quoted = !quoted;
      }
    } else if (letter == separator && !quoted) {
      field = &begin_field();
    } else if (quoted || (letter != '\n' && letter != '\r')) {
      *field += letter;
    }
  }
  fields.resize(count);
  for (std::string& one : fields) trim(one);
  return !quoted;
}

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i++]);
    if (first < 0x80) continue;
    const std::size_t more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
    if (first < 0xC2 || first > 0xF4 || i + more > text.size()) return false;
    for (std::size_t end = i + more; i < end; ++i)
      if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80) return false;
  }
  return true;
}

/// "4 ms" and the like.
bool has_unit(std::string_view field) {
  return field.find_first_of("0123456789") <= 1 &&
         std::isalpha(static_cast<unsigned char>(field.back())) != 0;
}

}  // namespace

TableRows::TableRows(std::string_view text, std::string name)
    : name_(std::move(name)), text_(text), rest_(text) {
  header_ = take_row();
  const std::string_view shown = without_byte_order_mark(header_);
  separator_ = csv_separator(shown);
  if (!split(shown, separator_, columns_)) fail(std::nullopt, "a quote is not closed");
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (!places_.emplace(columns_[i], i).second && !columns_[i].empty())
      fail(std::nullopt, fmt::format("two columns are called {}", columns_[i]));
  }
}

/// Up to and with the end of its line; line breaks in quotes do not end it.
std::string_view TableRows::take_row() {
  bool quoted = false;
  std::size_t end = 0;
  line_ = next_line_;
  for (; end < rest_.size(); ++end) {
    const char letter = rest_[end];
    if (letter == '"') quoted = !quoted;
    if (letter != '\n') continue;
    ++next_line_;
    if (!quoted) break;
  }
  const std::string_view row = rest_.substr(0, std::min(end + 1, rest_.size()));
  rest_.remove_prefix(row.size());
  return row;
}

std::optional<std::size_t> TableRows::column(const std::string& name) const {
  const auto place = places_.find(name);
  if (place == places_.end()) return std::nullopt;
  read_.insert(place->second);
  return place->second;
}

std::vector<std::string> TableRows::unread_columns() const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < columns_.size(); ++i)
    if (!read_.contains(i) && !columns_[i].empty()) names.push_back(columns_[i]);
  return names;
}

std::optional<std::size_t> TableRows::first_of(const std::vector<std::string>& names) const {
  for (const std::string& name : names)
    if (const auto found = column(name)) return found;
  return std::nullopt;
}

bool TableRows::next() {
  if (rest_.empty()) return false;
  raw_ = take_row();
  ++position_;
  if (!split(raw_, separator_, fields_)) fail(std::nullopt, "a quote is not closed");
  if (!is_blank() && fields_.size() != columns_.size()) {
    fail(std::nullopt,
         fmt::format("has {}, but the header has {}{}", number_of(fields_.size(), "field"),
                     columns_.size(), raw_.starts_with('#') ? "; remove lines of comments" : ""));
  }
  return true;
}

const std::string& TableRows::text(std::optional<std::size_t> column) const {
  static const std::string kNone;
  if (!column) return kNone;
  const std::string& field = fields_.at(*column);
  if (!is_utf8(field))
    fail(column, "is not UTF-8; convert the file, for example with 'iconv -f latin1 -t utf-8'");
  return field;
}

std::optional<double> TableRows::number(std::optional<std::size_t> column) const {
  const std::string& field = text(column);
  if (field.empty()) return std::nullopt;
  std::string digits = field;
  // Where a comma separates no fields, it may separate digits.
  if (separator_ != ',') std::replace(digits.begin(), digits.end(), ',', '.');
  double value = 0;
  const char* const end = digits.data() + digits.size();
  const auto parsed = std::from_chars(digits.data(), end, value);
  if (parsed.ec != std::errc{} || parsed.ptr != end || !std::isfinite(value))
    fail(column,
         fmt::format("'{}' is not a number; {}", field,
                     has_unit(field) ? "units belong into the name of the column, as in latency_ms"
                                     : "leave the field empty where it is unknown"));
  return value;
}

std::optional<double> TableRows::above_zero(std::optional<std::size_t> column) const {
  const auto value = number(column);
  if (value && *value <= 0)
    fail(column,
         fmt::format("is {}; it must be above 0, or empty where it is unknown", text(column)));
  return value;
}

std::string TableRows::shape(std::optional<std::size_t> column) const {
  return shape_text(text(column));
}

void TableRows::fail(std::optional<std::size_t> column, const std::string& problem) const {
  throw Error(ErrorKind::BadInput,
              fmt::format("{}: line {}{}: {}", name_, line_,
                          column ? fmt::format(", column {}", columns_.at(*column)) : "", problem));
}

std::string shape_text(std::string_view text) {
  std::string shape;
  const char* const end = text.data() + text.size();
  for (const char* place = text.data(); place != end;) {
    std::int64_t size = 0;
    const auto parsed = std::from_chars(place, end, size);
    if (parsed.ec != std::errc{}) {
      ++place;
      continue;
    }
    shape += (shape.empty() ? "[" : ",") + std::to_string(size);
    place = parsed.ptr;
  }
  return shape.empty() ? shape : shape + "]";
}

}  // namespace jouletree::store
