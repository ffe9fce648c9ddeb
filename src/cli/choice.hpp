#pragma once

#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace jouletree::cli {

/// A flag that takes one of a few words. The help shows the words; a wrong one is answered with
/// them.
template <class Value>
CLI::Option* add_choice(CLI::App& command, const std::string& flag, Value& target,
                        const std::vector<std::pair<std::string, Value>>& choices,
                        const std::string& description) {
  std::string words;
  for (const auto& [word, value] : choices) words += (words.empty() ? "" : "|") + word;
  const auto parse = [flag, words, choices, &target](const std::string& text) {
    for (const auto& [word, value] : choices) {
      if (word != text) continue;
      target = value;
      return;
    }
    throw CLI::ValidationError(flag, fmt::format("'{}' is none of {}", text, words));
  };
  return command.add_option_function<std::string>(flag, parse, description)->type_name(words);
}

}  // namespace jouletree::cli
