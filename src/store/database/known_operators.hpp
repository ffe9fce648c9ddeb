#pragma once

#include <optional>
#include <string>

#include "jouletree/figure.hpp"
#include "store/database/measured_place.hpp"

namespace jouletree::store {

/// What an operator took where it was measured.
struct MeasuredOperator {
  Figure time_s;
  Figure energy_j;
  std::string energy_provenance;
  std::string measured_at;
};

/// The operator of that signature (tree::operator_signature) as it was measured at a place. Where
/// it was measured under several conditions, such as in other caches, the mean of the newest of
/// each, with bounds around all; hurried ones only where there are no others. Nothing where it
/// never was.
[[nodiscard]] std::optional<MeasuredOperator> measured_operator(Database& database,
                                                                const MeasuredPlace& place,
                                                                const std::string& signature);

}  // namespace jouletree::store
