#include "cli/usage_problem.hpp"

#include <algorithm>
#include <optional>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/display_width.hpp"
#include "base/name_distance.hpp"
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

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("+-.0123456789") == std::string::npos;
}

/// "0.5 to 0.999" of "0.500000 to 0.999000".
std::string without_zeros(const std::string& text) {
  std::string result;
  bool has_point = false;
  const auto trim = [&] {
    while (has_point && result.ends_with('0')) result.pop_back();
    if (has_point && result.ends_with('.')) result.pop_back();
    has_point = false;
  };
  for (const char letter : text) {
    if (letter != '.' && (letter < '0' || letter > '9')) trim();
    if (letter == '.') has_point = true;
    result += letter;
  }
  trim();
  return result;
}

/// "--depth" and "x" of CLI11's "Could not convert: --depth = x".
std::optional<std::string> bad_number(const CLI::App& command, const std::string& told) {
  static constexpr std::string_view kBefore = "Could not convert: ";
  static constexpr std::string_view kBetween = " = ";
  const std::size_t between = told.find(kBetween);
  if (!told.starts_with(kBefore) || between == std::string::npos) return std::nullopt;
  const std::string flag = told.substr(kBefore.size(), between - kBefore.size());
  const std::string value = told.substr(between + kBetween.size());
  const CLI::Option* const option = command.get_option_no_throw(flag);
  return fmt::format(
      "{}: '{}' is {}{}", flag, value,
      is_number(value) ? "not a whole number that fits here" : "not a number",
      option == nullptr ? "" : fmt::format("; give {} {}", flag, value_name(*option)));
}

/// Of CLI11's "--threads: Value 0 not in range [1 - 1024]" or "in range 1 to 1024".
std::optional<std::string> out_of_range(const std::string& told) {
  static constexpr std::string_view kValue = ": Value ";
  const std::size_t value = told.find(kValue);
  const std::size_t range = told.find(" not in range ");
  if (value == std::string::npos || range == std::string::npos) return std::nullopt;
  std::string limits = told.substr(range + std::string_view(" not in range ").size());
  std::erase_if(limits, [](char letter) { return letter == '[' || letter == ']'; });
  if (const std::size_t dash = limits.find(" - "); dash != std::string::npos)
    limits.replace(dash, 3, " to ");
  const std::string given = told.substr(value + kValue.size(), range - value - kValue.size());
  return fmt::format("{}: '{}' is {}; give a number from {}", told.substr(0, value), given,
                     is_number(given) ? "out of range" : "not a number", without_zeros(limits));
}

std::string plain_words(const CLI::App& command, const std::string& told) {
  if (const auto number = bad_number(command, told)) return *number;
  if (const auto range = out_of_range(told)) return *range;
  return told;
}

/// One model too many may be meant for another command.
std::string one_too_many(const GivenCommand& given, const std::string& word) {
  const auto positionals = shown_positionals(*given.command);
  if (positionals.size() != 1 || word.starts_with('-') || positionals[0]->count() == 0) return "";
  const std::string first = positionals[0]->as<std::string>();
  const std::string what = value_name(*positionals[0]);
  if (what != "MODEL") return "";
  return fmt::format(
      "{} takes one model, and '{}' is another; 'jouletree compare {} {}' shows "
      "models side by side",
      own_words(given), printable(word), printable(first), printable(word));
}

/// "; did you mean --depth?", or nothing.
std::string meant(const std::string& word, const std::vector<std::string>& names) {
  const std::string name = likely_name(word, names);
  return name.empty() ? "" : fmt::format("; did you mean {}?", name);
}

std::string meant_flag(const CLI::App& command, const std::string& word) {
  if (!word.starts_with('-')) return "";
  std::vector<std::string> names;
  for (const CLI::Option* flag : shown_flags(command))
    for (const std::string& name : names_of(*flag)) names.push_back(name);
  return meant(word.substr(0, word.find('=')), names);
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
    if (const std::string more = one_too_many(given, unknown[0]); !more.empty()) return more + see;
    const std::string hint = meant_flag(*given.command, unknown[0]);
    return given.command == &app
               ? fmt::format("there is no flag '{}'{}{}", printable(unknown[0]), hint, see)
               : fmt::format("{} does not know '{}'{}{}", own_words(given), printable(unknown[0]),
                             hint, see);
  }
  const std::vector<std::string> missing = missing_arguments(*given.command);
  if (!lacks || missing.empty()) return printable(plain_words(*given.command, error.what())) + see;
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
      // It is an argument of a command that works without any below it.
      if (parent->get_require_subcommand_min() == 0) return "";
      std::vector<std::string> names;
      names.reserve(commands.size());
      for (const CLI::App* command : commands) names.push_back(command->get_name());
      const std::string hint = meant(argv[i], names);
      return fmt::format("there is no command '{}'{} are: {}", printable(argv[i]),
                         hint.empty() ? "; there" : hint + " There", fmt::join(names, ", "));
    }
    parent = *found;
  }
  return "";
}

}  // namespace jouletree::cli
