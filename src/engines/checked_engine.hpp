#pragma once

#include <functional>
#include <memory>

#include "engines/engine.hpp"

namespace jouletree::engines {

/// The same engine, with `check` called before each request: what that throws ends the work.
[[nodiscard]] std::unique_ptr<Engine> checked_engine(std::unique_ptr<Engine> engine,
                                                     std::function<void()> check);

}  // namespace jouletree::engines
