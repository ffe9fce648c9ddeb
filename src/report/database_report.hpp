#pragma once

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "store/database/checkup.hpp"
#include "store/database/import.hpp"
#include "store/database/statistics.hpp"
#include "store/sql/connection.hpp"

namespace jouletree::report {

void print_statistics_table(const store::DatabaseStatistics& found, std::ostream& out);
/// The same as one object.
void print_statistics_json(const store::DatabaseStatistics& found, std::ostream& out);

void print_checkup_text(const store::DatabaseCheckup& found, std::ostream& out);
/// The same as one object.
void print_checkup_json(const store::DatabaseCheckup& found, std::ostream& out);

/// What a query says. A limit cuts the rows; returns true where that happened. NULL is an empty
/// field of a CSV, where an empty text is two quotes, and null in JSON. Bytes are hexadecimal
/// digits, in tables their number. Rows are printed as they come, but a table's only at its end.
bool print_rows_table(store::sql::Rows& rows, std::optional<std::size_t> limit, std::ostream& out);
bool print_rows_csv(store::sql::Rows& rows, std::optional<std::size_t> limit, std::ostream& out);
/// {"columns": […], "rows": [{…}, …]}. Throws Error(BadInput) where two columns have one name.
bool print_rows_json(store::sql::Rows& rows, std::optional<std::size_t> limit, std::ostream& out);

/// A path that was imported, or why it could not be.
struct ImportLine {
  std::string path;
  store::Imported imported{};
  std::string failure{};  ///< Empty where it was imported.
};
/// "data/models.csv: 106 measurements of 68 models".
[[nodiscard]] std::string import_text(const ImportLine& line);
void print_imports_json(const std::vector<ImportLine>& lines, std::ostream& out);

}  // namespace jouletree::report
