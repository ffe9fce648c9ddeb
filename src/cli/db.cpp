#include "cli/command.hpp"
#include "cli/db_commands.hpp"

namespace jouletree::cli {
namespace {

constexpr const char* kDbFooter =
    "Examples:\n"
    "  jouletree db import measured/ --from 'A. Author, 2024'\n"
    "  jouletree db stats\n"
    "  jouletree db query 'SELECT op, count(*) FROM operators GROUP BY op'\n"
    "\n"
    "Every command takes --db: a file of SQLite, or postgresql://USER@HOST/NAME. Without it, it "
    "is\n"
    "jouletree/jouletree.sqlite in $XDG_DATA_HOME, or in ~/.local/share.";

}  // namespace

std::string refuse_empty_location(const std::string& location) {
  return location.empty() ? "give FILE, sqlite:FILE or postgresql://USER@HOST/NAME" : "";
}

void DatabaseOption::add_to(CLI::App& command) {
  command
      .add_option("--db", location,
                  "Database: FILE, sqlite:FILE or postgresql://USER@HOST/NAME (default: "
                  "jouletree.sqlite in your data folder)")
      ->type_name("LOCATION")
      ->check(refuse_empty_location);
}

std::unique_ptr<store::sql::Connection> DatabaseOption::connect(store::sql::Access access) const {
  return store::sql::open_connection(store::sql::parse_location(location), access);
}

store::Database DatabaseOption::open(store::sql::Access access) const {
  return {connect(access), access};
}

void add_db(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("db", "Keep measurements in a database: import, ask, export, merge");
  command->require_subcommand(1);
  command->footer(kDbFooter);
  add_db_stats(*command);
  add_db_query(*command);
  add_db_import(*command);
  add_db_export(*command);
  add_db_merge(*command);
  add_db_doctor(*command);
}

}  // namespace jouletree::cli
