#include "report/training_data.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/number_of.hpp"
#include "jouletree/error.hpp"

namespace jouletree::report {
namespace {

/// Leaves rows that teach nothing about an inference, and says so.
void keep_measured(store::ModelTable& table, const store::Warn& warn) {
  const auto tell = [&](std::size_t count, const char* why) {
    if (count == 0) return;
    warn(fmt::format("{}: {} {} left out: {}", table.name, number_of(count, "row"),
                     agreeing(count, "is", "are"), why));
  };
  tell(std::erase_if(table.rows, [](const store::ModelRow& row) { return row.is_training; }),
       "tables of training steps do not say which");
  const auto is_unmeasured = [](const store::ModelRow& row) {
    return !row.time_s && !row.energy_j;
  };
  const std::size_t all = table.rows.size();
  const std::size_t unmeasured = std::erase_if(table.rows, is_unmeasured);
  if (unmeasured == all) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: tells neither a time nor an energy of any model; write a column "
                            "like latency_ms or energy_mj",
                            table.name));
  }
  tell(unmeasured, "neither a time nor an energy stands there");
}

std::vector<TreeRun> joined(const std::vector<TreeRun>& runs,
                            const std::vector<store::ModelTable>& tables, const TableChoice& choice,
                            ChannelLayout layout) {
  std::vector<TreeRun> all = runs;
  for (const store::ModelTable& table : tables) {
    std::vector<TreeRun> counted = counted_runs(table, choice, layout);
    all.insert(all.end(), std::make_move_iterator(counted.begin()),
               std::make_move_iterator(counted.end()));
  }
  return all;
}

/// Blocks bring operators that reorder maps. Where there are none, their price is about 0, and both
/// layouts predict alike; where there are, models without them predict worse.
constexpr double kClearlyBetter = 0.95;

bool is_profile(const TreeRun& run) {
  return std::any_of(run.nodes.begin(), run.nodes.end(),
                     [](const RunNode& node) { return node.is_engine_made; });
}

/// How far left-out models are missed; nothing where that cannot be known.
std::optional<double> error_of(const std::vector<TreeRun>& runs, const TrainOptions& options) {
  try {
    return Predictor::train(runs, options).left_out_error();
  } catch (const Error&) {
    // Who trains for good tells what is wrong.
    return std::nullopt;
  }
}

}  // namespace

std::vector<TreeRun> with_tables(std::vector<TreeRun> runs, std::vector<store::ModelTable> tables,
                                 const TrainOptions& options, const store::Warn& warn,
                                 const TableChoice& choice) {
  if (tables.empty()) return runs;
  for (store::ModelTable& table : tables) keep_measured(table, warn);
  if (choice.layout) return joined(runs, tables, choice, *choice.layout);
  // Profiles beside the tables hold what the engine really ran: with blocks, on most machines.
  if (std::any_of(runs.begin(), runs.end(), is_profile))
    return joined(runs, tables, choice, ChannelLayout::Blocked);
  std::vector<TreeRun> blocked = joined(runs, tables, choice, ChannelLayout::Blocked);
  std::vector<TreeRun> plain = joined(runs, tables, choice, ChannelLayout::Plain);
  const auto blocked_error = error_of(blocked, options);
  const auto plain_error = error_of(plain, options);
  const bool is_blocked =
      blocked_error && plain_error && *blocked_error < kClearlyBetter * *plain_error;
  return is_blocked ? blocked : plain;
}

std::vector<TreeRun> read_training_data(const std::vector<std::string>& given,
                                        const TrainOptions& options, const store::Warn& warn,
                                        const store::PlaceChoice& place,
                                        const TableChoice& choice) {
  std::vector<std::string> others;
  std::vector<store::ModelTable> tables;
  for (const std::string& one : given) {
    if (store::is_model_table_file(one)) {
      tables.push_back(store::read_model_table_file(one));
      continue;
    }
    others.push_back(one);
    if (!store::sql::names_database(one)) continue;
    store::Database database(store::sql::parse_location(one), store::sql::Access::Read);
    for (store::ModelTable& table :
         store::database_model_tables(database, store::choose_place(database, place)))
      tables.push_back(std::move(table));
  }
  return with_tables(store::read_data(others, warn, place), std::move(tables), options, warn,
                     choice);
}

}  // namespace jouletree::report
