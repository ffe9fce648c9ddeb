#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace jouletree::runtime {

/// A variable of the environment; nothing where it is not set or empty.
using Environment = std::function<std::optional<std::string>(const char* name)>;
[[nodiscard]] std::optional<std::string> environment_variable(const char* name);

/// Which Python programs to try, in this order: `chosen` alone if somebody chose one, else the one
/// that JOULETREE_PYTHON names alone, else that of the Python package, of an active environment
/// (venv, conda), and those on PATH. Throws Error(Missing) where the one that was named is not
/// there.
[[nodiscard]] std::vector<std::filesystem::path> python_programs(
    const std::string& chosen, const Environment& environment = environment_variable);

/// Where the Python files of JouleTree are: the folder that holds `jouletree/torch`. Nothing where
/// this installation has none.
[[nodiscard]] std::optional<std::filesystem::path> python_files();

}  // namespace jouletree::runtime
