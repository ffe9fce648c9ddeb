#include "store/database/merge.hpp"

#include <array>

#include <fmt/format.h>

#include "jouletree/error.hpp"
#include "store/database/cells.hpp"
#include "store/database/known_rows.hpp"

namespace jouletree::store {
namespace {

using sql::Parameter;
using sql::Value;

/// Rows that go to the database together, and bytes, of which trees have many.
constexpr std::size_t kMergedAtOnce = 1000;
constexpr std::size_t kMergedBytesAtOnce = 16U << 20U;

/// What a table's key is made of, and what must agree where two rows have the same key. Tables that
/// hold a row per thing, not per measurement, are small enough to look.
struct MergedTable {
  const char* name;
  const char* key;
  const char* natural;  ///< Columns that the key is made of; nullptr: not looked at.
};

constexpr std::array kMergedTables = {
    MergedTable{"sources", "id", "kind, format"},
    MergedTable{"source_rows", "source_id, position", nullptr},
    MergedTable{"machines", "id",
                "cpu, cpus, machine_cpus, core_cache_bytes, last_cache_bytes, memory_bytes, gpus, "
                "system, kernel, governor, turbo, hypervisor, sensors"},
    MergedTable{"engines", "id", "name, version, provider, device, threads, options"},
    MergedTable{"operators", "id", "key"},
    MergedTable{"modules", "id", "operators"},
    MergedTable{"models", "id", "name, mode, inputs, batch, sequence, params, macs"},
    MergedTable{"model_operators", "model_id, engine_id, operator_id, source_id", nullptr},
    MergedTable{"measurements", "id", nullptr},
    MergedTable{"energies", "measurement_id, domain", nullptr},
    MergedTable{"latencies", "measurement_id", nullptr},
    MergedTable{"runs", "id", nullptr},
    MergedTable{"nodes", "run_id, position", nullptr},
    MergedTable{"scores", "id", nullptr},
    MergedTable{"recordings", "id", nullptr}};

Parameter parameter_of(const Value& value) {
  struct Convert {
    Parameter operator()(std::monostate null) const { return null; }
    Parameter operator()(std::int64_t number) const { return number; }
    Parameter operator()(double number) const { return number; }
    Parameter operator()(const std::string& text) const { return std::string_view(text); }
    Parameter operator()(const sql::Blob& blob) const { return sql::BlobView{blob.bytes}; }
  };
  return std::visit(Convert{}, value);
}

std::size_t value_bytes(const Value& value) {
  if (const auto* const text = std::get_if<std::string>(&value)) return text->size();
  if (const auto* const blob = std::get_if<sql::Blob>(&value)) return blob->bytes.size();
  return sizeof(Value);
}

std::int64_t rows_in(Database& database, const std::string& table) {
  const auto rows = database.connection().query("SELECT count(*) FROM " + table, {});
  return rows->next() ? whole_in(rows->value(0)).value_or(0) : 0;
}

/// Copies one table.
class TableMerge {
 public:
  TableMerge(const MergedTable& table, Database& from, Database& into,
             const MergeProgress& progress)
      : table_(table),
        into_(into),
        progress_(progress),
        total_(rows_in(from, table.name)),
        rows_(from.connection().query(
            fmt::format("SELECT * FROM {} ORDER BY {}", table.name, table.key), {})) {
    std::string columns;
    std::string places;
    for (const std::string& column : rows_->columns()) {
      columns += (columns.empty() ? "" : ", ") + column;
      places += places.empty() ? "?" : ", ?";
    }
    add_ = fmt::format("INSERT INTO {} ({}) VALUES ({}){}", table.name, columns, places,
                       settle_clause(into.connection().dialect(), table.name, table.key,
                                     free_columns(table.name)));
    if (table.natural == nullptr) return;
    std::string keys;
    for (std::size_t i = 0; i < kMergedAtOnce; ++i) keys += i == 0 ? "?" : ", ?";
    look_ = fmt::format("SELECT {}, {} FROM {} WHERE {} IN ({})", table.key, table.natural,
                        table.name, table.key, keys);
  }

  std::int64_t run() {
    while (rows_->next()) {
      std::vector<Value>& row = batch_.emplace_back();
      for (std::size_t i = 0; i < rows_->columns().size(); ++i) {
        row.push_back(rows_->value(i));
        bytes_ += value_bytes(row.back());
      }
      if (batch_.size() >= kMergedAtOnce || bytes_ >= kMergedBytesAtOnce) add_batch();
    }
    add_batch();
    return added_;
  }

 private:
  void add_batch() {
    if (batch_.empty()) return;
    std::int64_t known = 0;
    if (table_.natural != nullptr) known = check_known();
    std::vector<std::vector<Parameter>> sets;
    sets.reserve(batch_.size());
    for (const std::vector<Value>& row : batch_) {
      std::vector<Parameter>& set = sets.emplace_back();
      set.reserve(row.size());
      for (const Value& value : row) set.push_back(parameter_of(value));
    }
    const std::int64_t changed = into_.connection().execute_all(add_, sets);
    const auto count = static_cast<std::int64_t>(batch_.size());
    added_ += table_.natural == nullptr ? changed : count - known;
    done_ += count;
    batch_.clear();
    bytes_ = 0;
    progress_(table_.name, done_, total_);
  }

  [[nodiscard]] std::size_t place_of(std::string_view column) const {
    for (std::size_t i = 0; i < rows_->columns().size(); ++i)
      if (rows_->columns()[i] == column) return i;
    throw Error(ErrorKind::Failed,
                fmt::format("the table {} has no column {}", table_.name, column));
  }

  /// Rows that are there must be the same ones. Returns how many are.
  std::int64_t check_known() {
    const std::size_t key = place_of(table_.key);
    std::map<std::int64_t, const std::vector<Value>*> by_key;
    std::vector<Parameter> keys;
    for (const std::vector<Value>& row : batch_) {
      by_key[std::get<std::int64_t>(row[key])] = &row;
      keys.push_back(parameter_of(row[key]));
    }
    // One statement for batches of all sizes.
    keys.resize(kMergedAtOnce, keys.back());
    const auto known = into_.connection().query(look_, keys);
    std::int64_t count = 0;
    for (; known->next(); ++count) {
      const auto id = std::get<std::int64_t>(known->value(0));
      compare(*by_key.at(id), id, *known);
    }
    return count;
  }

  void compare(const std::vector<Value>& row, std::int64_t key, const sql::Rows& known) const {
    for (std::size_t i = 1; i < known.columns().size(); ++i) {
      const std::string& column = known.columns()[i];
      if (known.value(i) == row[place_of(column)]) continue;
      throw Error(
          ErrorKind::Failed,
          fmt::format("{}: the row {} of {} differs in {} from the one that is to be added; "
                      "two different rows have the same key. Nothing was merged; please "
                      "report it",
                      into_.place(), key, table_.name, column));
    }
  }

  const MergedTable& table_;
  Database& into_;
  const MergeProgress& progress_;
  std::int64_t total_;
  std::unique_ptr<sql::Rows> rows_;
  std::string add_;
  std::string look_;
  std::vector<std::vector<Value>> batch_;
  std::size_t bytes_ = 0;
  std::int64_t done_ = 0;
  std::int64_t added_ = 0;
};

}  // namespace

MergedRows merge(Database& from, Database& into, const MergeProgress& progress) {
  MergedRows merged;
  // What is read is of one moment, and what is written is there as a whole.
  sql::Transaction reading(from.connection());
  sql::Transaction writing(into.connection());
  into.wait_for_writers();
  for (const MergedTable& table : kMergedTables)
    merged[table.name] = TableMerge(table, from, into, progress).run();
  writing.commit();
  return merged;
}

}  // namespace jouletree::store
