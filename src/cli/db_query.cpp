#include <iostream>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "base/message.hpp"
#include "cli/db_commands.hpp"
#include "cli/format_option.hpp"
#include "cli/output.hpp"
#include "jouletree/error.hpp"
#include "report/database_report.hpp"

namespace jouletree::cli {
namespace {

/// A table needs all its rows before it can be printed.
constexpr std::size_t kUsualLimit = 1000;

struct QueryOptions {
  DatabaseOption database;
  std::string sql;
  std::optional<std::size_t> limit;
  Format format = Format::Table;
};

constexpr const char* kQueryFooter =
    "Examples:\n"
    "  jouletree db query 'SELECT op, count(*) FROM operators GROUP BY op ORDER BY 2 DESC'\n"
    "  jouletree db query 'SELECT * FROM measurements' --format csv > measurements.csv\n"
    "\n"
    "Reads only: SQL that would change the database is refused. docs/database.md lists all tables.";

bool print_result(const QueryOptions& options, store::sql::Rows& rows) {
  switch (options.format) {
    case Format::Csv: return report::print_rows_csv(rows, options.limit, std::cout);
    case Format::Json: return report::print_rows_json(rows, options.limit, std::cout);
    default: break;
  }
  return report::print_rows_table(rows, options.limit.value_or(kUsualLimit), std::cout);
}

void run_query(const QueryOptions& options) {
  store::Database database = options.database.open(store::sql::Access::Read);
  const auto rows = database.connection().query(options.sql, {});
  const bool cut = print_result(options, *rows);
  finish_output();
  if (!cut) return;
  say(fmt::format("there are more rows than the {} shown; --limit N shows more{}",
                  options.limit.value_or(kUsualLimit),
                  options.format == Format::Table ? ", --format csv prints all" : ""));
}

}  // namespace

void add_db_query(CLI::App& db) {
  const auto options = std::make_shared<QueryOptions>();
  CLI::App* command = db.add_subcommand("query", "Ask a database in SQL, without changing it");
  command->footer(kQueryFooter);
  command->add_option("sql", options->sql, "One statement, such as 'SELECT …'")
      ->required()
      ->type_name("SQL");
  options->database.add_to(*command);
  command
      ->add_option("--limit", options->limit,
                   "Print at most N rows (default: 1000 in tables, all else)")
      ->type_name("N");
  add_format(*command, options->format, {Format::Table, Format::Csv, Format::Json});
  command->callback([options] { run_query(*options); });
}

}  // namespace jouletree::cli
