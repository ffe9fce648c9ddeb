#include "cli/command_tree.hpp"

namespace jouletree::cli {

std::vector<const CLI::App*> shown_commands(const CLI::App& command) {
  return command.get_subcommands([](const CLI::App* inner) {
    return !inner->get_name().empty() && !inner->get_group().empty();
  });
}

std::vector<const CLI::Option*> shown_flags(const CLI::App& command) {
  return command.get_options([](const CLI::Option* option) {
    return !option->get_positional() && !option->get_group().empty();
  });
}

std::vector<const CLI::Option*> shown_positionals(const CLI::App& command) {
  return command.get_options([](const CLI::Option* option) {
    return option->get_positional() && !option->get_group().empty();
  });
}

std::vector<std::string> names_of(const CLI::Option& flag) {
  std::vector<std::string> names;
  for (const std::string& name : flag.get_snames()) names.push_back("-" + name);
  for (const std::string& name : flag.get_lnames()) names.push_back("--" + name);
  return names;
}

std::string value_name(const CLI::Option& option) {
  if (option.get_expected_max() == 0) return "";
  // Behind a colon stand the descriptions of checks.
  const std::string name = option.get_type_name();
  return name.empty() ? "VALUE" : name.substr(0, name.find(':'));
}

bool repeats(const CLI::Option& option) {
  return option.get_expected_max() >= CLI::detail::expected_max_vector_size;
}

}  // namespace jouletree::cli
