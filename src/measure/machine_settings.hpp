#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>

namespace jouletree::measure {

/// Frequency governors of the CPUs; one as a rule. Empty where the kernel does not say.
[[nodiscard]] std::set<std::string> governors(const std::filesystem::path& root);

struct Turbo {
  bool on = false;
  std::filesystem::path file;  ///< That switches it.
  std::string off_value;       ///< What to write there to switch it off.
};
/// Nothing where the kernel does not say.
[[nodiscard]] std::optional<Turbo> turbo(const std::filesystem::path& root);

/// What a virtual machine calls its maker and product. Nothing where there is none, or it does not
/// tell.
[[nodiscard]] std::optional<std::string> hypervisor(const std::filesystem::path& root);

/// Processes that want to run, mean of the last minute.
[[nodiscard]] std::optional<double> load(const std::filesystem::path& root);

}  // namespace jouletree::measure
