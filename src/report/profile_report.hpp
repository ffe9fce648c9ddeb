#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/footprint.hpp"
#include "measure/profile.hpp"
#include "report/footprint_report.hpp"
#include "report/profile_view.hpp"

namespace jouletree::report {

/// Summary, tree, top operators, types of operators and ledger.
/// `depth`: levels of the tree to show; else as many as are readable.
void print_profile_table(const ProfileView& view, std::optional<int> depth,
                         const FootprintFactors& factors, std::ostream& out);

/// The content of profile.json: one object, metrics as everywhere.
[[nodiscard]] nlohmann::ordered_json profile_json(const measure::Profile& profile,
                                                  const ProfileView& view);
/// As it stands in files and on standard output.
[[nodiscard]] std::string json_text(const nlohmann::ordered_json& json);

/// What grams and money of one inference follow from.
[[nodiscard]] FootprintEnergy footprint_energy(const ProfileView& view);

/// The moment that times in files are told from: when the first thing was measured.
[[nodiscard]] Time begin_of(const measure::Profile& profile);

}  // namespace jouletree::report
