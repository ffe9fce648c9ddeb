#include "cli/completion.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/command_tree.hpp"

namespace jouletree::cli {
namespace {

/// By command, or by command and flag or place: "jouletree zoo build --set".
struct Tables {
  std::map<std::string, std::string> commands;
  std::map<std::string, std::string> flags;
  std::map<std::string, std::string> values;
};

/// '@' marks a kind of value; completion.bash knows these kinds.
std::string suggestions(const CLI::Option& option, const KnownWords& known) {
  std::string name = value_name(option);
  if (const auto words = known.find(name); words != known.end())
    return fmt::format("{}", fmt::join(words->second, " "));
  if (name == "MODEL") return "@model";
  if (name == "FOLDER") return "@folder";
  if (name == "N" || name.find('=') != std::string::npos) return "@none";
  // Words to choose from are written as they are typed; capitals stand for something.
  const bool stands_for_something = std::none_of(
      name.begin(), name.end(), [](unsigned char letter) { return std::islower(letter) != 0; });
  if (stands_for_something) return "@file";
  std::replace(name.begin(), name.end(), '|', ' ');
  return name;
}

void collect(const CLI::App& command, const std::string& path, const KnownWords& known,
             Tables& tables) {
  std::vector<std::string> commands;
  for (const CLI::App* inner : shown_commands(command)) {
    commands.push_back(inner->get_name());
    collect(*inner, path + " " + inner->get_name(), known, tables);
  }
  std::vector<std::string> flags;
  for (const CLI::Option* flag : shown_flags(command)) {
    for (const std::string& name : names_of(*flag)) {
      flags.push_back(name);
      if (!value_name(*flag).empty())
        tables.values[fmt::format("{} {}", path, name)] = suggestions(*flag, known);
    }
  }
  int place = 0;
  for (const CLI::Option* positional : shown_positionals(command)) {
    const std::string key = repeats(*positional) ? "*" : std::to_string(++place);
    tables.values[fmt::format("{} {}", path, key)] = suggestions(*positional, known);
  }
  if (!commands.empty()) tables.commands[path] = fmt::format("{}", fmt::join(commands, " "));
  tables.flags[path] = fmt::format("{}", fmt::join(flags, " "));
}

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char letter : text)
    result += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return result + "'";
}

std::string table(const std::string& name, const std::map<std::string, std::string>& rows) {
  std::string text = fmt::format("declare -gA _jouletree_{}=(\n", name);
  for (const auto& [key, words] : rows)
    text += fmt::format("  [{}]={}\n", quoted(key), quoted(words));
  return text + ")\n";
}

}  // namespace

std::string completion_tables(const CLI::App& app, const KnownWords& known) {
  Tables tables;
  collect(app, app.get_name(), known, tables);
  return table("commands", tables.commands) + table("flags", tables.flags) +
         table("values", tables.values);
}

}  // namespace jouletree::cli
