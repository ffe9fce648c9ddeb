#pragma once

#include <memory>

#include "engines/engine.hpp"

namespace jouletree::python {

/// An engine that works in another process, where no Python notices a signal: looks for signals
/// before each piece of work, which takes a second at most, and then throws Interrupted.
[[nodiscard]] std::unique_ptr<engines::Engine> interruptible(
    std::unique_ptr<engines::Engine> engine);

}  // namespace jouletree::python
