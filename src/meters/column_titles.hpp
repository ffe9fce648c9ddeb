#pragma once

#include <string>
#include <string_view>

namespace jouletree::meters {

/// A title of a column as it is compared: in small letters, without '#' and without its unit.
[[nodiscard]] std::string plain_title(std::string_view title);

/// What a column holds as far as its title tells.
enum class ColumnKind { Moment, Date, Power, Device, Valid, Other, Unknown };
/// `Other` is something that is certainly no power: a limit, an energy, a voltage, a utilisation.
[[nodiscard]] ColumnKind kind_of_title(std::string_view title);
/// Watts in one unit of the title: 1e-3 for "power (mW)".
[[nodiscard]] double watts_per_unit(std::string_view title);
/// Whether it is the power of a graphics card, as NVIDIA's tools call it.
[[nodiscard]] bool is_card_title(std::string_view title);

}  // namespace jouletree::meters
