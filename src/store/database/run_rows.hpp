#pragma once

#include <optional>
#include <string>

#include "jouletree/tree_run.hpp"
#include "store/database/database.hpp"

namespace jouletree::store {

/// Whose run it is.
struct RunRecord {
  Id source = 0;
  std::int64_t source_row = 0;
  Id model = 0;
  Id machine = 0;
  Id engine = 0;
  std::optional<Id> measurement{};  ///< Of the whole.
  std::string measured_at{};        ///< UTC; empty: unknown.
  [[nodiscard]] Id id() const;
};

/// Adds a run with its nodes, inside the transaction of the caller.
void add_run(Database& database, const RunRecord& record, const TreeRun& run);

}  // namespace jouletree::store
