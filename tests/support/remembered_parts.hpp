#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/statistics.hpp"
#include "jouletree/error.hpp"
#include "measure/known_parts.hpp"

namespace jouletree::test {

/// A database in memory. What it gives back is what one can store: no moments of another clock.
class RememberedParts final : public measure::KnownParts {
 public:
  struct Row {
    measure::PartIdentity identity;
    measure::Measured measured;
    std::string type;
  };

  std::vector<Row> rows;
  std::vector<measure::PartIdentity> asked;
  std::vector<measure::WantedPart> wanted;
  std::size_t insufficient = 0;
  std::string date;     ///< Of the profile that asks and keeps.
  std::string failure;  ///< Why nothing can be kept; empty: it can.

  void begin(const measure::Environment& environment, const ModelTree& /*tree*/) override {
    asked.clear();
    wanted.clear();
    insufficient = 0;
    date = environment.date;
  }

  [[nodiscard]] std::optional<measure::Measured> find(const measure::PartIdentity& identity,
                                                      const measure::WantedPart& what) override {
    asked.push_back(identity);
    wanted.push_back(what);
    for (const Row& row : rows)
      if (row.identity == identity) {
        measure::Measured known = row.measured;
        if (!known.trials.seconds.empty()) known.trials.time = summarize(known.trials.seconds);
        if (!identity.is_module && !measure::is_good_enough(known, what)) ++insufficient;
        return row.measured;
      }
    return std::nullopt;
  }

  [[nodiscard]] std::size_t insufficient_operators() const override { return insufficient; }

  void keep(std::span<const measure::PartToKeep> parts) override {
    if (!failure.empty()) throw Error(ErrorKind::Failed, failure);
    for (const measure::PartToKeep& part : parts)
      rows.push_back({part.identity, stored(part.measured), part.node.type});
  }

  /// The operator of this type; rows must have one.
  [[nodiscard]] Row& row(const std::string& type) {
    return *std::find_if(rows.begin(), rows.end(), [&](const Row& one) {
      return !one.identity.is_module && one.type == type;
    });
  }

  /// How many of each, operators and modules.
  [[nodiscard]] std::pair<std::size_t, std::size_t> counts() const {
    const auto modules = std::count_if(rows.begin(), rows.end(),
                                       [](const Row& one) { return one.identity.is_module; });
    return {rows.size() - static_cast<std::size_t>(modules), static_cast<std::size_t>(modules)};
  }

 private:
  [[nodiscard]] measure::Measured stored(const measure::Measured& from) const {
    measure::Measured row;
    row.trials.seconds = from.trials.seconds;
    row.trials.runs = from.trials.runs;
    row.trials.end = row.trials.begin + (from.trials.end - from.trials.begin);
    row.copies = from.copies;
    row.use = from.use;
    row.energy = from.energy;
    row.domains = from.domains;
    row.reused = measure::ReusedFrom{date, "model.onnx"};
    return row;
  }
};

}  // namespace jouletree::test
