#include <cmath>
#include <ostream>
#include <set>

#include <fmt/format.h>

#include "base/csv.hpp"
#include "base/json_text.hpp"
#include "base/text_table.hpp"
#include "jouletree/error.hpp"
#include "report/database_report.hpp"

namespace jouletree::report {
namespace {

namespace sql = store::sql;

/// What is collected before it is printed.
constexpr std::size_t kPrintedAtOnce = 1U << 16U;

std::string hexadecimal(const std::string& bytes) {
  std::string digits;
  digits.reserve(2 * bytes.size());
  for (const char byte : bytes)
    fmt::format_to(std::back_inserter(digits), "{:02x}", static_cast<unsigned char>(byte));
  return digits;
}

struct TableCell {
  std::string operator()(std::monostate /*null*/) const { return ""; }
  std::string operator()(std::int64_t number) const { return std::to_string(number); }
  std::string operator()(double number) const { return fmt::format("{}", number); }
  std::string operator()(const std::string& text) const { return text; }
  std::string operator()(const sql::Blob& blob) const {
    return fmt::format("({} bytes)", blob.bytes.size());
  }
};

struct CsvCell {
  std::string operator()(std::monostate /*null*/) const { return ""; }
  std::string operator()(std::int64_t number) const { return std::to_string(number); }
  std::string operator()(double number) const { return fmt::format("{}", number); }
  std::string operator()(const std::string& text) const {
    return text.empty() ? "\"\"" : csv_field(text);
  }
  std::string operator()(const sql::Blob& blob) const { return hexadecimal(blob.bytes); }
};

struct JsonCell {
  std::string& to;
  void operator()(std::monostate /*null*/) const { to += "null"; }
  void operator()(std::int64_t number) const { to += std::to_string(number); }
  void operator()(double number) const {
    to += std::isfinite(number) ? fmt::format("{}", number) : "null";
  }
  void operator()(const std::string& text) const { append_json_text(to, text); }
  void operator()(const sql::Blob& blob) const { append_json_text(to, hexadecimal(blob.bytes)); }
};

/// Calls `print` for each row up to the limit. True where there are more.
template <class Print>
bool for_each(sql::Rows& rows, std::optional<std::size_t> limit, std::ostream& out,
              const Print& print) {
  std::size_t count = 0;
  while (rows.next()) {
    if (limit && count == *limit) return true;
    print(count++);
    // Whoever reads may have left.
    if (!out) throw Error(ErrorKind::Failed, "cannot write to standard output");
  }
  return false;
}

void print_when_long(std::string& text, std::ostream& out) {
  if (text.size() < kPrintedAtOnce) return;
  out << text;
  text.clear();
}

void refuse_equal_names(const std::vector<std::string>& columns) {
  std::set<std::string> names;
  for (const std::string& column : columns) {
    if (names.insert(column).second) continue;
    throw Error(ErrorKind::BadInput,
                fmt::format("two columns of the result are called {}; give them names with AS, or "
                            "use --format csv",
                            column));
  }
}

}  // namespace

bool print_rows_table(store::sql::Rows& rows, std::optional<std::size_t> limit, std::ostream& out) {
  std::vector<std::vector<std::string>> cells;
  std::vector<bool> has_text(rows.columns().size(), false);
  const bool cut = for_each(rows, limit, out, [&](std::size_t /*row*/) {
    std::vector<std::string>& row = cells.emplace_back();
    for (std::size_t i = 0; i < rows.columns().size(); ++i) {
      const sql::Value value = rows.value(i);
      if (std::holds_alternative<std::string>(value)) has_text[i] = true;
      row.push_back(printable(std::visit(TableCell{}, value)));
    }
  });
  std::vector<TextTable::Column> columns;
  for (std::size_t i = 0; i < rows.columns().size(); ++i) {
    columns.push_back(
        {rows.columns()[i], has_text[i] ? TextTable::Align::Left : TextTable::Align::Right});
  }
  TextTable table(std::move(columns));
  for (std::vector<std::string>& row : cells) table.add_row(std::move(row));
  table.print(out);
  return cut;
}

bool print_rows_csv(store::sql::Rows& rows, std::optional<std::size_t> limit, std::ostream& out) {
  std::string text;
  for (std::size_t i = 0; i < rows.columns().size(); ++i)
    text += (i == 0 ? "" : ",") + csv_field(rows.columns()[i]);
  text += '\n';
  const bool cut = for_each(rows, limit, out, [&](std::size_t /*row*/) {
    for (std::size_t i = 0; i < rows.columns().size(); ++i) {
      if (i > 0) text += ',';
      text += std::visit(CsvCell{}, rows.value(i));
    }
    text += '\n';
    print_when_long(text, out);
  });
  out << text;
  return cut;
}

bool print_rows_json(store::sql::Rows& rows, std::optional<std::size_t> limit, std::ostream& out) {
  const std::vector<std::string>& columns = rows.columns();
  refuse_equal_names(columns);
  std::vector<std::string> keys;
  std::string text = "{\"columns\": [";
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i > 0) text += ", ";
    append_json_text(text, columns[i]);
    append_json_text(keys.emplace_back(), columns[i]);
  }
  text += "], \"rows\": [";
  const bool cut = for_each(rows, limit, out, [&](std::size_t row) {
    text += row == 0 ? "\n{" : ",\n{";
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (i > 0) text += ", ";
      text += keys[i] + ": ";
      std::visit(JsonCell{text}, rows.value(i));
    }
    text += '}';
    print_when_long(text, out);
  });
  out << text << "\n]}\n";
  return cut;
}

}  // namespace jouletree::report
