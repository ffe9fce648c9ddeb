#pragma once

#include "measure/profile.hpp"
#include "store/database/records.hpp"

namespace jouletree::store {

/// The machine and the engine of a profile.
[[nodiscard]] MachineRecord machine_record(const measure::Environment& environment);
[[nodiscard]] EngineRecord engine_record(const measure::Environment& environment);

/// An operator of a model, under the key that its engine gave it.
[[nodiscard]] OperatorRecord operator_record(const ModelTree& tree, const TreeNode& node,
                                             const std::string& key);

/// What was measured of a part or of the whole. Whose it is, is left to the caller.
[[nodiscard]] MeasurementRecord measurement_record(const measure::Measured& measured);
/// The other way round, good enough to take the place of a new measurement: its windows have
/// lengths, but no place in time. Throws Error(BadInput) for details that measurement_record() did
/// not write.
[[nodiscard]] measure::Measured measured_of(const MeasurementRecord& record);

}  // namespace jouletree::store
