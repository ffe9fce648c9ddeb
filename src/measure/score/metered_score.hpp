#pragma once

#include <functional>
#include <string>

#include "jouletree/probe.hpp"
#include "jouletree/score.hpp"
#include "jouletree/session.hpp"

namespace jouletree::measure {

/// Puts time and energy of a window into a score.
void add_costs(const WindowResult& window, Score& score);

/// Runs `evaluate` with meters open, and puts what it took into the score. Without a meter the
/// energy is unknown, and a note says why.
void with_costs(const ProbeOptions& meters, const std::function<void(const std::string&)>& tell,
                const std::function<void()>& evaluate, Score& score);

}  // namespace jouletree::measure
