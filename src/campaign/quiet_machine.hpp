#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace jouletree::campaign {

/// Waits while other processes use more CPUs of the machine than `limit`. Says so once when it
/// begins to wait, and once when it goes on. `check` is called several times per second; what it
/// throws ends the waiting. A machine that does not tell is quiet.
void wait_for_quiet(const std::filesystem::path& root, double limit,
                    const std::function<void()>& check,
                    const std::function<void(const std::string&)>& tell);

}  // namespace jouletree::campaign
