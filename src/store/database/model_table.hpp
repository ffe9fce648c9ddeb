#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/database/measured_place.hpp"

namespace jouletree::store {

/// A row of a table of whole models.
struct ModelRow {
  std::string model;  ///< What names it: a file, a name of the zoo, the text of an architecture.
  /// Columns that tell neither the name nor what was measured: some may be settings of the model.
  std::map<std::string, std::string> others;
  std::optional<double> batch{};
  std::optional<double> sequence{};
  std::string input_shape{};  ///< "[1,3,32,32]"; empty: unknown.
  std::string device{};
  std::optional<double> time_s{};
  std::optional<double> energy_j{};
  bool is_training = false;
  std::size_t line = 0;       ///< In the file, from 1.
  std::int64_t position = 0;  ///< Below the header, from 1.
};

struct ModelTable {
  std::string name;    ///< The file, for messages.
  std::string folder;  ///< That the paths of model files start from; empty: there are none.
  std::vector<ModelRow> rows;
};

/// A CSV with one row per whole model: a column names models, and none names operators.
[[nodiscard]] bool names_models(std::string_view text);
/// The same of a file; false where there is none.
[[nodiscard]] bool is_model_table_file(const std::string& path);

/// Reads such a table; units stand in the names of columns, as for the database. Throws
/// Error(BadInput) that names file, row and column.
[[nodiscard]] ModelTable read_model_table(std::string_view text, const std::string& name);
[[nodiscard]] ModelTable read_model_table_file(const std::string& path);

/// Tables of whole models that were imported into a database, with the rows that were measured at
/// the place.
[[nodiscard]] std::vector<ModelTable> database_model_tables(
    Database& database, const std::optional<MeasuredPlace>& place);

}  // namespace jouletree::store
