#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace jouletree::meters {

/// What the maker calls the CPU; empty where the kernel does not say.
[[nodiscard]] std::string cpu_model(const std::filesystem::path& root);
/// Whether a hypervisor runs below this kernel, which then hides energy counters as a rule.
[[nodiscard]] bool is_virtual_machine(const std::filesystem::path& root);
/// Folders of a directory whose name begins so, sorted with numbers by value; empty if it does not
/// exist.
[[nodiscard]] std::vector<std::filesystem::path> folders_in(const std::filesystem::path& directory,
                                                            const std::string& prefix);

}  // namespace jouletree::meters
