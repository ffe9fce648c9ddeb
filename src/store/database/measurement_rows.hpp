#pragma once

#include <functional>
#include <optional>
#include <span>

#include "store/database/database.hpp"

namespace jouletree::store {

/// Adds measurements and the energies of their domains.
void add_measurement_rows(sql::Connection& connection,
                          std::span<const MeasurementRecord> measurements);

/// As Database::newest().
[[nodiscard]] std::optional<MeasurementRecord> newest_measurement(
    sql::Connection& connection, const Database::Wanted& wanted,
    const std::function<bool(const MeasurementRecord&)>& suits);

/// That of a whole model, without its domains. Nothing where there is none with this key.
[[nodiscard]] std::optional<MeasurementRecord> model_measurement(sql::Connection& connection,
                                                                 Id model, Id measurement);

}  // namespace jouletree::store
