#pragma once

#include <string>

namespace jouletree::cli {

/// What --version prints: the version, then one line per engine. Looks for the engines, so call it
/// only when it is asked for.
[[nodiscard]] std::string version_report();

}  // namespace jouletree::cli
