#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

#include <fmt/format.h>

#include "base/message.hpp"
#include "base/number_of.hpp"
#include "base/progress.hpp"
#include "cli/db_commands.hpp"
#include "cli/format_option.hpp"
#include "cli/output.hpp"
#include "jouletree/error.hpp"
#include "report/database_report.hpp"

namespace jouletree::cli {
namespace {

struct ImportCommand {
  DatabaseOption database;
  std::vector<std::string> paths;
  store::ImportOptions options;
  Format format = Format::Text;
};

constexpr const char* kImportFooter =
    "Examples:\n"
    "  jouletree db import runs.jsonl operators.csv --from 'our lab, 2024'\n"
    "  jouletree db import latencies.csv --machine 'Raspberry Pi 5' --engine 'ONNX Runtime'\n"
    "  jouletree db import profiles/\n"
    "\n"
    "Reads tree files (JSON Lines), tables of operators, layers and whole models (CSV), tables\n"
    "published with IrEne, folders of 'jouletree profile -o' and recordings of 'jouletree run -o'\n"
    "and AIPowerMeter, by what they hold. Files are kept as they are: 'jouletree db export' "
    "writes\n"
    "them again. A file is imported as a whole or not at all, and once.";

report::ImportLine import_one(store::Database& database, const store::ImportPath& path,
                              const store::ImportOptions& options) {
  report::ImportLine line;
  line.path = path.path.string();
  StagedProgress progress;
  const auto tell = [&](std::size_t done, std::size_t total) {
    progress.tell(line.path, done, total);
  };
  try {
    line.imported = store::import_source(database, path, options, tell);
  } catch (const Error& error) {
    // A disk that is full, or a connection that is lost, is so for the next file, too.
    if (error.kind() != ErrorKind::BadInput) throw;
    line.failure = error.what();
    if (line.failure.find(line.path) == std::string::npos)
      line.failure = fmt::format("{}: {}", line.path, line.failure);
  }
  return line;
}

std::string all_problems(const std::vector<store::ImportPath>& paths) {
  std::string text;
  for (const store::ImportPath& path : paths) text += (text.empty() ? "" : "\n") + path.problem;
  return text;
}

void run_import(const ImportCommand& command) {
  const std::vector<store::ImportPath> paths = store::paths_to_import(command.paths);
  // Where there is nothing to import, no database is made.
  if (std::none_of(paths.begin(), paths.end(),
                   [](const store::ImportPath& path) { return path.problem.empty(); }))
    throw Error(ErrorKind::BadInput, all_problems(paths));
  store::Database database = command.database.open(store::sql::Access::Create);
  std::vector<report::ImportLine> lines;
  std::vector<std::string> failures;
  for (const store::ImportPath& path : paths) {
    lines.push_back(import_one(database, path, command.options));
    for (const std::string& note : lines.back().imported.notes)
      say(fmt::format("{}: {}", lines.back().path, note));
    if (!lines.back().failure.empty()) {
      failures.push_back(lines.back().failure);
    } else if (command.format == Format::Text) {
      std::cout << report::import_text(lines.back()) << std::endl;  // as soon as it is there
    }
  }
  if (command.format == Format::Json) report::print_imports_json(lines, std::cout);
  finish_output();
  if (failures.empty()) return;
  if (failures.size() == 1) throw Error(ErrorKind::BadInput, failures.front());
  for (const std::string& failure : failures) say(failure);
  throw Error(ErrorKind::BadInput, fmt::format("{} of {} could not be imported", failures.size(),
                                               number_of(paths.size(), "path")));
}

}  // namespace

void add_db_import(CLI::App& db) {
  const auto command_options = std::make_shared<ImportCommand>();
  CLI::App* command =
      db.add_subcommand("import", "Add files and folders of measurements to a database");
  command->footer(kImportFooter);
  command
      ->add_option("path", command_options->paths,
                   "Files and folders; of a folder, all that can be imported below it")
      ->required()
      ->type_name("PATH");
  command_options->database.add_to(*command);
  command
      ->add_option("--from", command_options->options.origin,
                   "From whom the data are, kept with them")
      ->type_name("WHO");
  command
      ->add_option("--machine", command_options->options.machine,
                   "What was measured, for files that do not say it")
      ->type_name("NAME");
  command
      ->add_option("--engine", command_options->options.engine,
                   "What ran the models, for files that do not say it")
      ->type_name("NAME");
  add_format(*command, command_options->format, {Format::Text, Format::Json});
  command->callback([command_options] { run_import(*command_options); });
}

}  // namespace jouletree::cli
