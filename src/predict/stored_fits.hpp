#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "predict/ensemble.hpp"
#include "predict/irene.hpp"
#include "predict/ledger.hpp"
#include "predict/neuralpower.hpp"

// Predictor files are passed around, and come from anywhere. All that the methods rely on is
// checked once, when a file is read, so that no method has to check again. Each function throws
// Error(BadInput) for what no training writes.
namespace jouletree::predict {

/// A whole number that is written as one, within limits.
[[nodiscard]] std::int64_t stored_count(const nlohmann::ordered_json& json, std::string_view what,
                                        std::int64_t least, std::int64_t most);
/// A number from 0 on that is small enough to be calculated with.
[[nodiscard]] double stored_size(const nlohmann::ordered_json& json, std::string_view what);

[[noreturn]] void refuse_kernel(const std::string& name);
void check_stored(const WorkPrice& price, std::string_view group);
void check_stored(const IreneModel& model);
void check_stored(const LayerPolynomial& polynomial, std::string_view layer, std::size_t terms);
/// Of sizes in the training data.
void check_stored(const Range& range, std::string_view group);

}  // namespace jouletree::predict
