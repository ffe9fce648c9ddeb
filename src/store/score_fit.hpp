#pragma once

#include "jouletree/profile_content.hpp"

namespace jouletree::store {

/// The score as it joins a profile: with a note where nobody can tell whether both are of one
/// model. Throws Error(BadInput) where they plainly are not.
[[nodiscard]] Score score_that_fits(const ProfileContent& profile, Score score);

}  // namespace jouletree::store
