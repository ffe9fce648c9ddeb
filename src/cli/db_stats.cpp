#include <iostream>
#include <memory>

#include "cli/db_commands.hpp"
#include "cli/format_option.hpp"
#include "cli/output.hpp"
#include "report/database_report.hpp"

namespace jouletree::cli {
namespace {

struct StatsOptions {
  DatabaseOption database;
  Format format = Format::Table;
};

void run_stats(const StatsOptions& options) {
  store::Database database = options.database.open(store::sql::Access::Read);
  const store::DatabaseStatistics found = store::statistics_of(database);
  if (options.format == Format::Json) {
    report::print_statistics_json(found, std::cout);
  } else {
    report::print_statistics_table(found, std::cout);
  }
  finish_output();
}

}  // namespace

void add_db_stats(CLI::App& db) {
  const auto options = std::make_shared<StatsOptions>();
  CLI::App* command =
      db.add_subcommand("stats", "Say how much a database holds, of which machines and engines");
  command->footer(
      "Examples:\n"
      "  jouletree db stats\n"
      "  jouletree db stats --db postgresql://me@host/measurements --format json");
  options->database.add_to(*command);
  add_format(*command, options->format);
  command->callback([options] { run_stats(*options); });
}

}  // namespace jouletree::cli
