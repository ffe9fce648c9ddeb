// How fast measurements go into a database, beside SQLite's own interface with the same rows in the
// same tables; and how fast one of a million is found.
//   store_bench [ROWS] [postgresql://…]
#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <random>

#include <fmt/format.h>

#include "base/statistics.hpp"
#include "jouletree/error.hpp"
#include "store/database/database.hpp"

namespace {

using namespace jouletree;         // NOLINT(google-build-using-namespace)
using namespace jouletree::store;  // NOLINT(google-build-using-namespace)

constexpr std::size_t kOperators = 10'000;
constexpr std::size_t kPerTransaction = 50'000;
constexpr int kRounds = 3;
constexpr const char* kConditions = "cache=model, precision=0.02";

double seconds(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// A folder on the disk that builds are on, not in memory.
class Folder {
 public:
  Folder() : path_(std::filesystem::current_path() / fmt::format("store_bench.{}", ::getpid())) {
    std::filesystem::create_directories(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] sql::Location file(const std::string& name) const {
    return {sql::Dialect::Sqlite, (path_ / name).string()};
  }

 private:
  std::filesystem::path path_;
};

/// What measurements refer to.
struct Subjects {
  Id machine = 0;
  Id engine = 0;
  Id source = 0;
  std::vector<Id> operators;
};

Subjects add_subjects(Database& database) {
  sql::Transaction transaction(database.connection());
  Subjects subjects;
  MachineRecord machine;
  machine.name = "bench";
  subjects.machine = database.add(machine);
  subjects.engine = database.add(EngineRecord{"bench"});
  SourceRecord source;
  source.format = "bench";
  source.name = "bench";
  source.content_key = "bench";
  subjects.source = database.add(source);
  std::vector<OperatorRecord> operators(kOperators);
  for (std::size_t i = 0; i < kOperators; ++i) {
    operators[i].op = "Conv";
    operators[i].key = fmt::format("Conv float32[1,{},56,56] w:float32[64,{},3,3]", i, i);
    operators[i].inputs = {fmt::format("float32[1,{},56,56]", i)};
    subjects.operators.push_back(operators[i].id());
  }
  database.add(std::span<const OperatorRecord>(operators));
  transaction.commit();
  return subjects;
}

std::vector<MeasurementRecord> measurements(const Subjects& subjects, std::size_t first,
                                            std::size_t count) {
  std::vector<MeasurementRecord> list(count);
  std::mt19937_64 random(first + 1);
  std::lognormal_distribution<double> time_s(-7, 1);
  for (std::size_t i = 0; i < count; ++i) {
    MeasurementRecord& one = list[i];
    one.subject = subjects.operators[(first + i) % kOperators];
    one.machine = subjects.machine;
    one.engine = subjects.engine;
    one.source = subjects.source;
    one.source_row = static_cast<std::int64_t>(first + i);
    one.conditions = kConditions;
    one.measured_at = "2024-03-01T16:05:09Z";
    const double time = time_s(random);
    one.time_s = {time, time * 0.99, time * 1.01};
    one.time_mean_s = time * 1.001;
    one.time_deviation_s = time * 0.02;
    one.windows = 12;
    one.runs = 4000;
    one.precise = true;
    one.energy_j = {time * 15, time * 14, time * 16};
    one.energy_provenance = "estimated";
  }
  return list;
}

void add_measurements(Database& database, std::span<const MeasurementRecord> all) {
  for (std::size_t first = 0; first < all.size(); first += kPerTransaction) {
    sql::Transaction transaction(database.connection());
    database.add(all.subspan(first, std::min(kPerTransaction, all.size() - first)));
    transaction.commit();
  }
}

/// The same rows by SQLite's own interface.
class RawSqlite {
 public:
  explicit RawSqlite(const std::string& file) {
    check(sqlite3_open_v2(file.c_str(), &database_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX,
                          nullptr));
    // As the plug-in of the program sets them.
    run("PRAGMA cache_size = -65536; PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL");
    check(sqlite3_prepare_v2(
        database_,
        "INSERT INTO measurements (id, operator_id, machine_id, engine_id, source_id, source_row, "
        "conditions, measured_at, time_s, time_low_s, time_high_s, time_mean_s, time_deviation_s, "
        "time_provenance, windows, runs, precise, energy_j, energy_low_j, energy_high_j, "
        "energy_provenance) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (id) DO NOTHING",
        -1, &statement_, nullptr));
  }
  RawSqlite(const RawSqlite&) = delete;
  RawSqlite& operator=(const RawSqlite&) = delete;
  ~RawSqlite() {
    sqlite3_finalize(statement_);
    sqlite3_close(database_);
  }

  void add(std::span<const MeasurementRecord> all, std::span<const Id> keys) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i % kPerTransaction == 0) run(i == 0 ? "BEGIN IMMEDIATE" : "COMMIT; BEGIN IMMEDIATE");
      add(all[i], keys[i]);
    }
    run("COMMIT");
  }

 private:
  void add(const MeasurementRecord& one, Id key) {
    int at = 0;
    const auto whole = [&](std::int64_t number) { sqlite3_bind_int64(statement_, ++at, number); };
    const auto real = [&](double number) { sqlite3_bind_double(statement_, ++at, number); };
    const auto text = [&](const std::string& value) {
      sqlite3_bind_text(statement_, ++at, value.data(), static_cast<int>(value.size()),
                        SQLITE_STATIC);
    };
    whole(key);
    whole(one.subject);
    whole(one.machine);
    whole(one.engine);
    whole(one.source);
    whole(*one.source_row);
    text(one.conditions);
    text(one.measured_at);
    real(*one.time_s.value);
    real(*one.time_s.low);
    real(*one.time_s.high);
    real(*one.time_mean_s);
    real(*one.time_deviation_s);
    text(one.time_provenance);
    whole(*one.windows);
    whole(*one.runs);
    whole(*one.precise ? 1 : 0);
    real(*one.energy_j.value);
    real(*one.energy_j.low);
    real(*one.energy_j.high);
    text(one.energy_provenance);
    if (sqlite3_step(statement_) != SQLITE_DONE) check(sqlite3_errcode(database_));
    sqlite3_reset(statement_);
  }
  void run(const char* script) {
    check(sqlite3_exec(database_, script, nullptr, nullptr, nullptr));
  }
  void check(int code) {
    if (code != SQLITE_OK) throw Error(ErrorKind::Failed, sqlite3_errmsg(database_));
  }

  sqlite3* database_ = nullptr;
  sqlite3_stmt* statement_ = nullptr;
};

double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return quantile(values, 0.5);
}

void print_rate(const std::string& what, const std::vector<double>& times_s, std::size_t rows) {
  const auto [least, most] = std::minmax_element(times_s.begin(), times_s.end());
  const auto count = static_cast<double>(rows);
  std::cout << fmt::format("{:<34} {:>9.0f} rows/s (median of {}; {:.0f} to {:.0f})\n", what,
                           count / median_of(times_s), times_s.size(), count / *most,
                           count / *least);
}

/// Ours and SQLite's own, one after the other in every round.
void compare_inserts(const Folder& folder, std::size_t rows) {
  std::vector<double> ours_s;
  std::vector<double> raw_s;
  for (int round = 0; round < kRounds; ++round) {
    Database ours(folder.file(fmt::format("ours_{}.sqlite", round)), sql::Access::Create);
    const sql::Location raw_file = folder.file(fmt::format("raw_{}.sqlite", round));
    const Subjects subjects = add_subjects(ours);
    {
      Database raw(raw_file, sql::Access::Create);
      (void)add_subjects(raw);
    }
    const std::vector<MeasurementRecord> list = measurements(subjects, 0, rows);
    std::vector<Id> keys;
    keys.reserve(rows);
    for (const MeasurementRecord& one : list) keys.push_back(one.id());
    RawSqlite raw(raw_file.target);
    ours_s.push_back(seconds([&] { add_measurements(ours, list); }));
    raw_s.push_back(seconds([&] { raw.add(list, keys); }));
  }
  print_rate("SQLite, Database::add", ours_s, rows);
  print_rate("SQLite, its own interface", raw_s, rows);
  const double ratio = median_of(raw_s) / median_of(ours_s);
  std::cout << fmt::format("{:<34} {:>9.2f} of its own interface (at least 0.33 wanted)\n", "",
                           ratio);
}

void fill(Database& database, const Subjects& subjects, std::size_t rows) {
  constexpr std::size_t kPiece = 200'000;
  for (std::size_t first = 0; first < rows; first += kPiece)
    add_measurements(database, measurements(subjects, first, std::min(kPiece, rows - first)));
}

void look_up(const std::string& what, Database& database, const Subjects& subjects) {
  constexpr std::size_t kLooks = 2000;
  std::mt19937_64 random(7);
  std::vector<double> times_s;
  std::size_t found = 0;
  for (std::size_t i = 0; i < kLooks; ++i) {
    Database::Wanted wanted;
    wanted.subject = subjects.operators[random() % kOperators];
    wanted.machine = subjects.machine;
    wanted.engine = subjects.engine;
    wanted.conditions = kConditions;
    times_s.push_back(seconds([&] {
      found += database.newest(wanted, [](const MeasurementRecord&) { return true; }) ? 1U : 0U;
    }));
  }
  std::sort(times_s.begin(), times_s.end());
  std::cout << fmt::format("{:<34} {:>9.1f} µs median, {:.1f} µs at 99 % ({} of {} found)\n", what,
                           quantile(times_s, 0.5) * 1e6, quantile(times_s, 0.99) * 1e6, found,
                           kLooks);
}

void open_again(const std::string& what, const sql::Location& location) {
  std::vector<double> times_s;
  for (int i = 0; i < 20; ++i)
    times_s.push_back(seconds([&] { const Database opened(location, sql::Access::Read); }));
  std::cout << fmt::format("{:<34} {:>9.2f} ms median\n", what, median_of(times_s) * 1e3);
}

void measure(const std::string& what, const sql::Location& location, std::size_t rows) {
  Database database(location, sql::Access::Create);
  const Subjects subjects = add_subjects(database);
  const double time_s = seconds([&] { fill(database, subjects, rows); });
  std::cout << fmt::format("{:<34} {:>9.0f} rows/s ({} rows, made while they are added)\n",
                           what + ", filling", static_cast<double>(rows) / time_s, rows);
  look_up(what + ", one operator", database, subjects);
  open_again(what + ", opening", location);
}

}  // namespace

int main(int argc, char** argv) try {
  const std::size_t rows = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
  const Folder folder;
  compare_inserts(folder, std::min<std::size_t>(rows, 200'000));
  measure("SQLite", folder.file("many.sqlite"), rows);
  if (argc > 2) measure("PostgreSQL", sql::parse_location(argv[2]), rows);
  return 0;
} catch (const std::exception& error) {
  std::cerr << "store_bench: " << error.what() << '\n';
  return 1;
}
