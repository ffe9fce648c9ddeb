#pragma once

#include <filesystem>

#include "campaign/plan.hpp"
#include "campaign/plan_fields.hpp"

namespace jouletree::campaign {

/// Whether this is a summary.yml of ml-operator-profiling, or a list of its entries.
[[nodiscard]] bool is_summary(const YamlNode& document);

/// Adds its models: those of the zoo, at the size that the entry says. Others are listed in
/// Plan::not_available, what is done in Plan::done. Throws Error(BadInput) naming file, line and
/// key.
void add_summary(const Field& document, Plan& plan);

/// All files */summary.yml in a folder, as one plan.
[[nodiscard]] Plan read_summaries(const std::filesystem::path& folder);

}  // namespace jouletree::campaign
