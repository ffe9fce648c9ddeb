#pragma once

#include "measure/profile.hpp"

namespace jouletree {

/// Everything that decides what is measured, and where.
[[nodiscard]] Environment environment_of(const std::filesystem::path& model,
                                         const ProfileOptions& options, const Session& session,
                                         const std::string& engine);

}  // namespace jouletree
