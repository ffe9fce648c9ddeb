#pragma once

#include <optional>
#include <string_view>

#include <nlohmann/json.hpp>

namespace jouletree::store {

/// What one entry of a recorded line says.
struct RecordedValue {
  std::optional<double> value;  ///< Nothing where the line says that it is not known.
  bool understood = true;       ///< False for a form or a unit that nobody knows here.
};

/// Watts: a number, a text such as "83.5 W" or "N/A", or the sum over a list or over parts by
/// number
/// ({"0": 60, "1": 40}, {"package-0": 30}). Negative is how AIPowerMeter says "there is no such
/// part". A sum of which a part is not known is not known.
[[nodiscard]] RecordedValue recorded_watts(const nlohmann::ordered_json& entry);
/// The same in bytes; parts that are not known are left out, and of {"used": …} that counts.
[[nodiscard]] RecordedValue recorded_bytes(const nlohmann::ordered_json& entry);
/// The same for numbers without a unit; "35 %" is 35.
[[nodiscard]] RecordedValue recorded_number(const nlohmann::ordered_json& entry);

/// Whether a key stands for the sum of the entries beside it: "all", "total" or "sum".
[[nodiscard]] bool is_sum_key(std::string_view key);

}  // namespace jouletree::store
