#pragma once

#include <memory>

#include <CLI/CLI.hpp>

namespace jouletree::cli {

/// The program with all its commands, ready to parse. Man pages and completion are made from the
/// same object, so a command that is added here is in all of them.
[[nodiscard]] std::unique_ptr<CLI::App> make_application();

}  // namespace jouletree::cli
