#include <iostream>
#include <memory>

#include <fmt/format.h>

#include "base/progress.hpp"
#include "cli/db_commands.hpp"
#include "cli/exit_status.hpp"
#include "cli/format_option.hpp"
#include "cli/output.hpp"
#include "report/database_report.hpp"
#include "store/database/checkup.hpp"
#include "store/database/schema.hpp"

namespace jouletree::cli {
namespace {

struct CheckupOptions {
  DatabaseOption database;
  bool migrate = false;
  Format format = Format::Text;
};

void run_checkup(const CheckupOptions& options) {
  using store::sql::Access;
  if (options.migrate) store::migrate(*options.database.connect(Access::Write));
  const auto connection = options.database.connect(Access::Read);
  StagedProgress progress;
  const store::DatabaseCheckup found =
      store::check_database(*connection, [&](std::int64_t done, std::int64_t total) {
        progress.tell("reading", static_cast<std::size_t>(done), static_cast<std::size_t>(total));
      });
  progress.clear();
  if (options.format == Format::Json) {
    report::print_checkup_json(found, std::cout);
  } else {
    report::print_checkup_text(found, std::cout);
  }
  finish_output();
  if (!found.problems.empty()) throw ExitStatus{1};
}

}  // namespace

void add_db_doctor(CLI::App& db) {
  const auto options = std::make_shared<CheckupOptions>();
  CLI::App* command = db.add_subcommand("doctor", "Look for damage in a database");
  command->footer(
      "Examples:\n"
      "  jouletree db doctor\n"
      "  jouletree db doctor --migrate --db measurements.sqlite\n"
      "\n"
      "Reads the whole database. The exit code is 1 if something is broken.");
  options->database.add_to(*command);
  command->add_flag("--migrate", options->migrate,
                    "First bring the schema of an older JouleTree up to date");
  add_format(*command, options->format, {Format::Text, Format::Json});
  command->callback([options] { run_checkup(*options); });
}

}  // namespace jouletree::cli
