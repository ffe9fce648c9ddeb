#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace jouletree::meters {

/// What the maker calls the CPU; empty where the kernel does not say.
[[nodiscard]] std::string cpu_model(const std::filesystem::path& root);
/// Whether a hypervisor runs below this kernel, which then hides energy counters as a rule.
[[nodiscard]] bool is_virtual_machine(const std::filesystem::path& root);
/// What made the container that this runs in: "Docker", "lxc" …; empty if it is none.
[[nodiscard]] std::string container_name(const std::filesystem::path& root);
/// A command that changes the kernel or its files, for people: containers share those of their
/// host, and may not change them.
[[nodiscard]] std::string kernel_command(const std::filesystem::path& root,
                                         const std::string& command);
/// A command that lets a group read these files of the kernel, and not everybody: counters of
/// energy tell what other programs compute.
[[nodiscard]] std::string group_command(const std::filesystem::path& root,
                                        const std::string& files);
/// Lets this program alone open energy events (Linux 5.8 and newer).
inline constexpr std::string_view kPerfmonCommand =
    "sudo setcap cap_perfmon=ep \"$(readlink -f \"$(command -v jouletree)\")\"";
/// Folders of a directory whose name begins so, sorted with numbers by value; empty if it does not
/// exist.
[[nodiscard]] std::vector<std::filesystem::path> folders_in(const std::filesystem::path& directory,
                                                            const std::string& prefix);

}  // namespace jouletree::meters
