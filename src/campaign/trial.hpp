#pragma once

#include <functional>
#include <string>
#include <vector>

#include "campaign/expansion.hpp"
#include "campaign/plan.hpp"

namespace jouletree::campaign {

/// Tries what cannot be seen from the plan, and measures nothing: devices other than the CPU, with
/// a model of one operator; functions of Python, each called once, with its first arguments.
/// Returns why items would fail here, a sentence each. `check` is called meanwhile; what it throws
/// ends it.
[[nodiscard]] std::vector<std::string> trial_of(const Plan& plan, const Expansion& expansion,
                                                const std::function<void()>& check);

}  // namespace jouletree::campaign
