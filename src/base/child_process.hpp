#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace jouletree {

/// How a child process ended and what it wrote.
struct ChildOutcome {
  std::string output;
  std::string complaints;  ///< The last few kilobytes of its standard error.
  int exit_code = 0;       ///< Meaningful where `signal` is 0.
  int signal = 0;          ///< That ended it; 0 if it ended by itself.
};

/// Runs a program to its end, with `input` on its standard input. `while_waiting` is called several
/// times a second. Throws Error(Missing) if the program cannot be started.
[[nodiscard]] ChildOutcome run_child(const std::filesystem::path& program,
                                     const std::vector<std::string>& arguments,
                                     std::string_view input,
                                     const std::function<void()>& while_waiting);

}  // namespace jouletree
