#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "campaign/expansion.hpp"
#include "campaign/plan.hpp"
#include "measure/environment.hpp"
#include "store/database/database.hpp"

namespace jouletree::campaign {

/// What a campaign will do, found without measuring.
struct Outlook {
  std::int64_t items = 0;
  std::int64_t done = 0;                ///< Of these, in the database already.
  std::int64_t changed = 0;             ///< Measured before, with another version of their file.
  std::int64_t failed = 0;              ///< Of these, without success.
  std::int64_t operators = 0;           ///< That all items run, counted with how often.
  std::int64_t kinds = 0;               ///< Different ones, as the engine is expected to run them.
  std::int64_t new_kinds = 0;           ///< Of these, those that were not measured here yet.
  std::int64_t uncounted = 0;           ///< Items that cannot be counted without running them.
  double seconds = 0;                   ///< That it will take, roughly.
  std::int64_t learned_from = 0;        ///< Items measured here that tell how long; 0: a guess.
  std::vector<std::string> engines{};   ///< Whose measurements count as known, with versions.
  std::vector<std::string> problems{};  ///< Items that cannot be counted, a sentence each.
  std::vector<std::string> failing{};   ///< Items that would fail, the same.
};

/// `database` may be null: then everything is new. Known is what a profile on the machine `here`
/// would reuse (store::KnownHere). `progress` is told how many items were looked at.
[[nodiscard]] Outlook outlook_of(const Plan& plan, const Expansion& expansion,
                                 store::Database* database, const measure::Environment& here,
                                 const std::function<void(std::size_t done)>& progress);

}  // namespace jouletree::campaign
