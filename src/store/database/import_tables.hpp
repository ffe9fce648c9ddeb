#pragma once

#include <vector>

#include "store/database/import_formats.hpp"

namespace jouletree::store {

/// As files count them.
inline constexpr double kOneMegaflop = 1e6;

/// What a row is about, in tables of whole models; the first that is there.
[[nodiscard]] std::optional<std::size_t> model_name_column(const TableRows& table);

/// A count that a table writes as any other number.
[[nodiscard]] inline std::optional<std::int64_t> whole_number(const std::optional<double>& number) {
  return number ? std::optional(static_cast<std::int64_t>(*number)) : std::nullopt;
}

/// Calls `take` for every row that is not blank, and keeps all of them.
template <class Take>
void for_each_row(const ImportedFile& file, TableRows& table, SourceWriter& writer,
                  const Take& take) {
  writer.keep(0, table.header());
  constexpr std::int64_t kRowsBetweenTellings = 1000;
  while (table.next()) {
    writer.keep(table.position(), table.raw());
    if (!table.is_blank()) take();
    if (table.position() % kRowsBetweenTellings == 0)
      file.progress(table.bytes_read(), file.text.size());
  }
}

/// Who measured and what ran, in tables of all kinds.
class PlaceColumns {
 public:
  explicit PlaceColumns(const TableRows& table);
  /// Sets machine and engine of the current row.
  void set(const TableRows& table, SourceWriter& writer, MeasurementRecord& one) const;

 private:
  std::optional<std::size_t> machine_;
  std::optional<std::size_t> device_;
  std::optional<std::size_t> engine_;
  std::optional<std::size_t> version_;
  std::optional<std::size_t> threads_;
};

/// A list with one shape, or none.
[[nodiscard]] inline std::vector<std::string> one_shape(std::string shape) {
  if (shape.empty()) return {};
  return {std::move(shape)};
}

}  // namespace jouletree::store
