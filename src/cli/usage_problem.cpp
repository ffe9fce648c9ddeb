#include "cli/usage_problem.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/display_width.hpp"
#include "cli/command_tree.hpp"

namespace jouletree::cli {
namespace {

/// The innermost command that was given, and the words that lead to it.
struct GivenCommand {
  const CLI::App* command;
  std::string words;
};

GivenCommand given_command(const CLI::App& app) {
  GivenCommand given{&app, app.get_name()};
  for (auto used = app.get_subcommands(); !used.empty(); used = used[0]->get_subcommands())
    given = {used[0], given.words + " " + used[0]->get_name()};
  return given;
}

/// The words without the program's name, which stands before every message.
std::string own_words(const GivenCommand& given) {
  return given.words.substr(std::min(given.words.find(' ') + 1, given.words.size()));
}

/// "COMMAND" of "COMMAND...".
std::string plain_name(const CLI::Option& option) {
  const std::string name = value_name(option);
  return name.substr(0, name.find("..."));
}

/// What must be given and was not: "DATA", "-o FILE".
std::vector<std::string> missing_arguments(const CLI::App& command) {
  std::vector<std::string> missing;
  const auto lacks = [](const CLI::Option* option) {
    return option->get_required() && option->count() == 0;
  };
  for (const CLI::Option* positional : shown_positionals(command))
    if (lacks(positional)) missing.push_back(plain_name(*positional));
  for (const CLI::Option* flag : shown_flags(command))
    if (lacks(flag)) missing.push_back(names_of(*flag)[0] + " " + plain_name(*flag));
  return missing;
}

/// The first example of the help that uses this command.
std::string example_of(const GivenCommand& given) {
  std::istringstream lines(given.command->get_footer());
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("  " + given.words + " ")) return line.substr(2);
  return "";
}

}  // namespace

bool asks_for_help(const CLI::App& app, const CLI::ParseError& error) {
  const bool lacks = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  return lacks && !shown_commands(*given_command(app).command).empty() &&
         app.remaining_size(true) == 0;
}

std::string usage_problem(const CLI::App& app, const CLI::ParseError& error) {
  const GivenCommand given = given_command(app);
  const std::string see = fmt::format(" (see {} --help)", given.words);
  const bool lacks = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  const bool has_more = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  std::vector<std::string> unknown = app.remaining(true);
  std::erase(unknown, "--");
  // What stands behind a command that passes its arguments on is not for us to know.
  const bool takes_all = given.command->get_prefix_command();
  if ((lacks || has_more) && !takes_all && !unknown.empty()) {
    return given.command == &app
               ? fmt::format("there is no flag '{}'{}", printable(unknown[0]), see)
               : fmt::format("{} does not know '{}'{}", own_words(given), printable(unknown[0]),
                             see);
  }
  const std::vector<std::string> missing = missing_arguments(*given.command);
  if (!lacks || missing.empty()) return printable(error.what()) + see;
  const std::string example = example_of(given);
  return fmt::format("{} needs {}{}{}{}", own_words(given), fmt::join(missing, " and "),
                     example.empty() ? "" : ", for example: ", example, see);
}

std::string unknown_command(const CLI::App& app, int argc, const char* const* argv) {
  const CLI::App* parent = &app;
  for (int i = 1; i < argc && argv[i][0] != '-' && argv[i][0] != '\0'; ++i) {
    const auto commands = parent->get_subcommands([](const CLI::App*) { return true; });
    if (commands.empty()) return "";
    const auto found = std::find_if(commands.begin(), commands.end(), [&](const CLI::App* command) {
      return command->get_name() == argv[i];
    });
    if (found == commands.end()) {
      std::vector<std::string> names;
      names.reserve(commands.size());
      for (const CLI::App* command : commands) names.push_back(command->get_name());
      return fmt::format("there is no command '{}'; there are: {}", printable(argv[i]),
                         fmt::join(names, ", "));
    }
    parent = *found;
  }
  return "";
}

}  // namespace jouletree::cli
