#include "store/database/database.hpp"

#include <memory>
#include <mutex>
#include <sstream>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <nlohmann/json.hpp>

#include "bindings/bindings.hpp"
#include "report/compared_profile.hpp"
#include "report/database_report.hpp"
#include "store/database/import.hpp"
#include "store/database/kept_model.hpp"
#include "store/database/statistics.hpp"
#include "tree/metric_json.hpp"

namespace jouletree::python {
namespace {

namespace nb = nanobind;
namespace sql = store::sql;

/// A database that is read through one connection, by one thread at a time, and written through
/// others.
class OpenedDatabase {
 public:
  explicit OpenedDatabase(const std::string& location) : location_(sql::parse_location(location)) {}

  [[nodiscard]] std::string place() const { return sql::text_of(location_); }
  [[nodiscard]] std::mutex& mutex() { return mutex_; }
  /// For who holds the mutex.
  [[nodiscard]] store::Database& reader() {
    if (!reader_) reader_ = std::make_unique<store::Database>(location_, sql::Access::Read);
    return *reader_;
  }

  [[nodiscard]] std::string statistics() {
    const std::lock_guard guard(mutex_);
    std::ostringstream out;
    report::print_statistics_json(store::statistics_of(reader()), out);
    return out.str();
  }

  [[nodiscard]] std::vector<store::KeptModel> kept_models(const std::string& wanted) {
    const std::lock_guard guard(mutex_);
    return store::kept_models(reader(), wanted);
  }

  [[nodiscard]] std::string import_paths(const std::vector<std::string>& paths,
                                         const std::string& origin, const std::string& machine,
                                         const std::string& engine) const {
    const store::ImportOptions options{origin, machine, engine};
    const auto found = store::paths_to_import(paths);
    store::Database database(location_, sql::Access::Create);
    std::vector<report::ImportLine> lines;
    for (const store::ImportPath& path : found) {
      lines.push_back({path.path.string(),
                       store::import_source(database, path, options, [](auto, auto) {}), ""});
    }
    std::ostringstream out;
    report::print_imports_json(lines, out);
    return out.str();
  }

 private:
  sql::Location location_;
  std::mutex mutex_;
  std::unique_ptr<store::Database> reader_;
};

/// Rows of a query, fetched piece by piece.
class FetchedRows {
 public:
  FetchedRows(std::shared_ptr<OpenedDatabase> database, const std::string& query)
      : database_(std::move(database)) {
    const std::lock_guard guard(database_->mutex());
    rows_ = database_->reader().connection().query(query, {});
  }
  FetchedRows(const FetchedRows&) = delete;
  FetchedRows& operator=(const FetchedRows&) = delete;
  ~FetchedRows() {
    const std::lock_guard guard(database_->mutex());
    rows_.reset();
  }

  [[nodiscard]] const std::vector<std::string>& columns() const { return rows_->columns(); }

  /// Up to this many; none behind the last.
  [[nodiscard]] std::vector<std::vector<sql::Value>> next(std::size_t most) {
    const std::lock_guard guard(database_->mutex());
    std::vector<std::vector<sql::Value>> fetched;
    while (fetched.size() < most && rows_->next()) {
      std::vector<sql::Value>& row = fetched.emplace_back();
      for (std::size_t i = 0; i < rows_->columns().size(); ++i) row.push_back(rows_->value(i));
    }
    return fetched;
  }

 private:
  std::shared_ptr<OpenedDatabase> database_;
  std::unique_ptr<sql::Rows> rows_;
};

struct ToPython {
  nb::object operator()(std::monostate /*null*/) const { return nb::none(); }
  nb::object operator()(std::int64_t number) const { return nb::int_(number); }
  nb::object operator()(double number) const { return nb::float_(number); }
  nb::object operator()(const std::string& text) const {
    return nb::steal(
        PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
  }
  nb::object operator()(const sql::Blob& blob) const {
    return nb::bytes(blob.bytes.data(), blob.bytes.size());
  }
};

nb::list rows_of(FetchedRows& rows, std::size_t most) {
  std::vector<std::vector<sql::Value>> fetched;
  {
    const nb::gil_scoped_release others_may_run;
    fetched = rows.next(most);
  }
  nb::list list;
  for (const std::vector<sql::Value>& row : fetched) {
    nb::list cells;
    for (const sql::Value& value : row) cells.append(std::visit(ToPython{}, value));
    list.append(cells);
  }
  return list;
}

std::string metrics_of_kept(const store::KeptModel& model) {
  const tree::MetricSet set;
  // With the counts that profiles of older programs keep in their tree.
  const report::ComparedProfile profile = report::compared_profile(model, model.label);
  return tree::metrics_json(set.compute(store::measured_model(profile.view))).dump();
}

void bind_kept_models(nb::module_& module) {
  const auto others_may_run = nb::call_guard<nb::gil_scoped_release>();
  nb::class_<store::KeptModel>(module, "KeptModel")
      .def_prop_ro("place", [](const store::KeptModel& model) { return model.place; })
      .def_prop_ro("label", [](const store::KeptModel& model) { return model.label; })
      .def_prop_ro("name", [](const store::KeptModel& model) { return model.view.model; })
      .def_prop_ro("date", [](const store::KeptModel& model) { return model.view.date; })
      .def_prop_ro("notes", [](const store::KeptModel& model) { return model.notes; })
      .def("metrics", metrics_of_kept, others_may_run);
  module.def(
      "kept_models_of", [](const std::string& entry) { return store::kept_models_of(entry); },
      nb::arg("entry"), others_may_run);
}

}  // namespace

void bind_database(nb::module_& module) {
  const auto others_may_run = nb::call_guard<nb::gil_scoped_release>();
  bind_kept_models(module);
  module.def(
      "names_database", [](const std::string& text) { return sql::names_database(text); },
      nb::arg("text"), others_may_run);
  nb::class_<OpenedDatabase>(module, "OpenedDatabase")
      .def(nb::init<const std::string&>(), nb::arg("location"), others_may_run)
      .def_prop_ro("place", &OpenedDatabase::place)
      .def("kept_models", &OpenedDatabase::kept_models, nb::arg("wanted"), others_may_run)
      .def("statistics", &OpenedDatabase::statistics, others_may_run)
      .def("import_paths", &OpenedDatabase::import_paths, nb::arg("paths"), nb::arg("origin"),
           nb::arg("machine"), nb::arg("engine"), others_may_run);
  nb::class_<FetchedRows>(module, "FetchedRows")
      .def(nb::init<std::shared_ptr<OpenedDatabase>, const std::string&>(), nb::arg("database"),
           nb::arg("query"), others_may_run)
      .def_prop_ro("columns", &FetchedRows::columns)
      .def("next", rows_of, nb::arg("most"));
}

}  // namespace jouletree::python
