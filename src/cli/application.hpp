#pragma once

#include <memory>
#include <string_view>

#include <CLI/CLI.hpp>

namespace jouletree::cli {

/// The program with all its commands, ready to parse. Man pages and completion are made from the
/// same object, so a command that is added here is in all of them.
[[nodiscard]] std::unique_ptr<CLI::App> make_application();
/// The same with one command only, which must be one: making all takes longer than counting many a
/// model. Help and complaints about the command line may speak of the others.
[[nodiscard]] std::unique_ptr<CLI::App> make_application(std::string_view command);
[[nodiscard]] bool is_command(std::string_view name);

}  // namespace jouletree::cli
