#pragma once

namespace jouletree {

/// Whether this machine can do two things at once. Asks the system the first time only.
[[nodiscard]] bool has_other_core();

}  // namespace jouletree
