#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace jouletree::runtime {

struct IsolatedAnswer {
  bool ok = false;
  std::string text;  ///< What the question returned, else one clause that says what happened.
};

/// Asks a question in a process of its own, for what may crash or hang: loading a library that
/// somebody else made. What it prints is dropped. Call it while there is one thread only.
[[nodiscard]] IsolatedAnswer call_isolated(
    const std::function<std::string()>& question,
    std::chrono::milliseconds limit = std::chrono::seconds(5));

}  // namespace jouletree::runtime
