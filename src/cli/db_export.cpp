#include <filesystem>
#include <iostream>
#include <memory>

#include <fmt/format.h>

#include "base/number_of.hpp"
#include "base/progress.hpp"
#include "base/replaced_file.hpp"
#include "cli/choice.hpp"
#include "cli/db_commands.hpp"
#include "cli/format_option.hpp"
#include "cli/output.hpp"
#include "jouletree/error.hpp"
#include "store/database/export.hpp"

namespace jouletree::cli {
namespace {

enum class What { Sources, Operators, Models, Nodes, Runs };

struct ExportOptions {
  DatabaseOption database;
  std::string source;
  What what = What::Sources;
  std::string output;
  Format format = Format::Csv;
};

constexpr const char* kExportFooter =
    "Examples:\n"
    "  jouletree db export --what operators -o operators.csv\n"
    "  jouletree db export --what runs -o runs.jsonl\n"
    "  jouletree db export --source operators_A30.csv -o copy.csv\n"
    "  jouletree db export -o sources/\n"
    "\n"
    "Sources are written as they were imported, byte for byte. Without --source and --what all of\n"
    "them are written to a folder. Runs are a tree file, which 'jouletree train' reads.";

void export_source(store::Database& database, const ExportOptions& options) {
  namespace fs = std::filesystem;
  const store::StoredSource source = store::find_source(database, options.source);
  fs::path target = options.output;
  std::error_code unreadable;
  if (!source.is_folder() && fs::is_directory(target, unreadable))
    target /= fs::path(source.name).filename();
  store::write_source(database, source, target);
  std::cout << fmt::format("{}: source {}, {}\n", target.string(), source.id, source.name);
}

void export_sources(store::Database& database, const ExportOptions& options) {
  const auto sources = store::stored_sources(database);
  StagedProgress progress;
  store::write_sources(database, sources, options.output,
                       [&](std::size_t done) { progress.tell("writing", done, sources.size()); });
  progress.clear();
  std::cout << fmt::format("{}: {}\n", options.output, number_of(sources.size(), "source"));
}

store::Exported rows_of(What what) {
  switch (what) {
    case What::Operators: return store::Exported::Operators;
    case What::Models: return store::Exported::Models;
    default: break;
  }
  return store::Exported::Nodes;
}

void export_table(store::Database& database, const ExportOptions& options) {
  ReplacedFile file(options.output);
  std::int64_t lines = 0;
  const auto take = [&](std::string_view line) {
    file.write(line);
    ++lines;
  };
  const bool as_json = options.format == Format::Jsonl || options.what == What::Runs;
  if (options.what == What::Runs) {
    store::export_runs(database, take);
  } else {
    store::export_rows(database, rows_of(options.what), as_json, take);
  }
  file.commit();
  std::cout << fmt::format("{}: {}\n", options.output, number_of(lines - (as_json ? 0 : 1), "row"));
}

void run_export(const ExportOptions& options) {
  if (!options.source.empty() && options.what != What::Sources)
    throw Error(ErrorKind::BadInput, "--source and --what exclude each other; leave one out");
  store::Database database = options.database.open(store::sql::Access::Read);
  if (!options.source.empty()) {
    export_source(database, options);
  } else if (options.what == What::Sources) {
    export_sources(database, options);
  } else {
    export_table(database, options);
  }
  finish_output();
}

}  // namespace

void add_db_export(CLI::App& db) {
  const auto options = std::make_shared<ExportOptions>();
  CLI::App* command = db.add_subcommand("export", "Write what a database holds to files");
  command->footer(kExportFooter);
  options->database.add_to(*command);
  command
      ->add_option("--source", options->source,
                   "One source as it was imported: its number or its name")
      ->type_name("SOURCE");
  add_choice<What>(*command, "--what", options->what,
                   {{"sources", What::Sources},
                    {"operators", What::Operators},
                    {"models", What::Models},
                    {"nodes", What::Nodes},
                    {"runs", What::Runs}},
                   "What to write (default: sources); operators and models are measurements");
  command->add_option("-o,--output", options->output, "File to write, or folder for sources")
      ->required()
      ->type_name("FILE");
  add_choice<Format>(*command, "--format", options->format,
                     {{"csv", Format::Csv}, {"jsonl", Format::Jsonl}},
                     "How operators, models and nodes are written (default: csv)");
  command->callback([options, command] {
    if (options->what == What::Runs && command->count("--format") > 0 &&
        options->format == Format::Csv) {
      throw Error(ErrorKind::BadInput,
                  "runs are a tree file, which is JSON Lines: leave --format out, or take --what "
                  "nodes for a CSV");
    }
    run_export(*options);
  });
}

}  // namespace jouletree::cli
