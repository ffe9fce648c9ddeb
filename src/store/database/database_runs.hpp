#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "jouletree/tree_run.hpp"
#include "store/database/measured_place.hpp"
#include "store/measured_data.hpp"

namespace jouletree::store {

/// A file of a database.
struct KeptSource {
  Id id = 0;
  std::string format;
  std::string name;
  std::string header;
};
/// Those of these formats, in the order in which they came; with a place, those that tell of
/// measurements there.
[[nodiscard]] std::vector<KeptSource> kept_sources(Database& database,
                                                   const std::vector<std::string>& formats,
                                                   const std::optional<MeasuredPlace>& place);
[[nodiscard]] std::string text_of_source(Database& database, const KeptSource& source);
/// Rows of a source that were measured at a place. Nothing: all of them were.
[[nodiscard]] std::optional<std::set<std::int64_t>> rows_at(Database& database,
                                                            const KeptSource& source,
                                                            const MeasuredPlace& place);

/// Runs and operators to learn from: what read_data() makes of the files that are in the database.
/// With a place, only those that were measured there. Throws Error(BadInput) where there is none
/// and no table of whole models either (database_model_tables).
[[nodiscard]] std::vector<TreeRun> database_runs(Database& database,
                                                 const std::optional<MeasuredPlace>& place,
                                                 const Warn& warn);

}  // namespace jouletree::store
