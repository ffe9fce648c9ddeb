#include <algorithm>
#include <iostream>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/number_of.hpp"
#include "base/progress.hpp"
#include "cli/db_commands.hpp"
#include "cli/output.hpp"
#include "store/database/merge.hpp"

namespace jouletree::cli {
namespace {

struct MergeOptions {
  DatabaseOption into;
  std::vector<std::string> from;
};

constexpr const char* kMergeFooter =
    "Examples:\n"
    "  jouletree db merge laptop.sqlite server.sqlite --db all.sqlite\n"
    "  jouletree db merge mine.sqlite --db postgresql://me@host/measurements\n"
    "\n"
    "The order of databases does not matter, and merging again changes nothing. Each database is\n"
    "added as a whole or not at all.";

/// "model operators" of the table model_operators.
std::string noun_of(std::string table) {
  std::replace(table.begin(), table.end(), '_', ' ');
  return table;
}

std::string singular_of(const std::string& table) {
  std::string noun = noun_of(table);
  if (noun.ends_with("ies")) return noun.replace(noun.size() - 3, 3, "y");
  noun.pop_back();
  return noun;
}

std::string merged_text(const store::MergedRows& merged) {
  std::vector<std::string> parts;
  for (const auto& [table, count] : merged)
    if (count > 0) parts.push_back(number_of(count, singular_of(table), noun_of(table)));
  return parts.empty() ? "nothing new" : fmt::format("{}", fmt::join(parts, ", "));
}

void run_merge(const MergeOptions& options) {
  using store::sql::Access;
  // What cannot be read is found before anything is made.
  std::vector<store::Database> all;
  for (const std::string& place : options.from)
    all.push_back(DatabaseOption{place}.open(Access::Read));
  store::Database into = options.into.open(Access::Create);
  for (store::Database& from : all) {
    StagedProgress progress;
    const auto merged = store::merge(
        from, into, [&](const std::string& table, std::int64_t done, std::int64_t total) {
          progress.tell(table, static_cast<std::size_t>(done), static_cast<std::size_t>(total));
        });
    progress.clear();
    std::cout << fmt::format("{}: {}", from.place(), merged_text(merged)) << std::endl;
  }
  finish_output();
}

}  // namespace

void add_db_merge(CLI::App& db) {
  const auto options = std::make_shared<MergeOptions>();
  CLI::App* command = db.add_subcommand("merge", "Add all that other databases hold to one");
  command->footer(kMergeFooter);
  command->add_option("from", options->from, "Databases to read: files or postgresql://…")
      ->required()
      ->type_name("FROM");
  options->into.add_to(*command);
  command->callback([options] { run_merge(*options); });
}

}  // namespace jouletree::cli
