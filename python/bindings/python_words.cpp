#include "bindings/python_words.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nanobind/stl/string.h>

#include "bindings/bindings.hpp"

namespace jouletree::python {
namespace {

/// How the value behind a flag is written in Python.
enum class Form {
  Sizes,   ///< NAME=SIZE
  Shapes,  ///< NAME=1x3x224x224
  Values,  ///< NAME=1,2 or NAME=true
  Files,   ///< NAME=FILE or FILE
  Text,    ///< One of the words below, or a number with a unit.
  Number,
  Nothing,
};

struct Spoken {
  std::string_view flag;
  std::string_view argument;
  Form form;
  std::vector<std::string_view> words{};  ///< Of Form::Text; numbers are texts of any such flag.
};

const std::vector<Spoken>& spoken_flags() {
  static const std::vector<Spoken> flags = {
      {"--against", "against", Form::Nothing},
      {"--allow-other-machine", "allow_other_machine=True", Form::Nothing},
      {"--baseline", "baseline", Form::Text},
      {"--budget", "budget", Form::Text},
      {"--class-axis", "class_axis", Form::Number},
      {"--config", "config", Form::Nothing},
      {"--data", "data", Form::Files},
      {"--depth", "depth", Form::Number},
      {"--dim", "dims", Form::Sizes},
      {"--engine", "engine", Form::Nothing},
      {"--execution", "execution", Form::Text, {"sequential", "parallel"}},
      {"--features", "features", Form::Text, {"all", "leaves", "specs"}},
      {"--fresh", "fresh=True", Form::Nothing},
      {"--input", "x", Form::Shapes},
      {"--leave-out", "leave_out", Form::Text, {"model", "family", "seq", "batch", "device"}},
      {"--level", "level", Form::Text, {"none", "basic", "extended", "all"}},
      {"--machine", "machine", Form::Nothing},
      {"--max-energy", "max_energy", Form::Text},
      {"--max-macs", "max_macs", Form::Text},
      {"--max-time", "max_time", Form::Text},
      {"--method", "method", Form::Text, {"ledger", "irene", "neuralpower", "forest"}},
      {"--precision", "precision", Form::Text},
      {"--provider-option", "provider_options", Form::Nothing},
      {"--replace", "replace=True", Form::Nothing},
      {"--target", "target", Form::Text},
      {"--update", "update=True", Form::Nothing},
      {"--value", "values", Form::Values}};
  return flags;
}

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

std::vector<std::string> split_at(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::string shape_in_python(std::string_view shape) {
  const std::string_view sizes = shape.substr(0, shape.find(':'));
  if (sizes == "scalar") return "()";
  if (sizes.empty() || !is_digit(sizes.front())) return std::string(sizes);
  const std::vector<std::string> parts = split_at(sizes, 'x');
  return fmt::format("({}{})", fmt::join(parts, ", "), parts.size() == 1 ? "," : "");
}

std::string value_in_python(std::string_view value) {
  if (value == "true") return "True";
  if (value == "false") return "False";
  const std::vector<std::string> parts = split_at(value, ',');
  return parts.size() == 1 ? parts.front() : fmt::format("[{}]", fmt::join(parts, ", "));
}

std::string pair_in_python(const Spoken& spoken, std::string_view name, std::string_view value) {
  std::string written(value);
  if (spoken.form == Form::Shapes) written = shape_in_python(value);
  if (spoken.form == Form::Values) written = value_in_python(value);
  if (spoken.form == Form::Files) written = fmt::format("'{}'", value);
  return fmt::format("{}={{'{}': {}}}", spoken.argument, name, written);
}

/// The flag with the word behind it; nothing where that word is no value of the flag.
std::optional<std::string> with_value(const Spoken& spoken, std::string_view word,
                                      bool before_colon) {
  switch (spoken.form) {
    case Form::Nothing: return std::nullopt;
    case Form::Number: {
      const std::string_view digits = word.substr(word.starts_with('-') ? 1 : 0);
      if (digits.empty() || !std::all_of(digits.begin(), digits.end(), is_digit))
        return std::nullopt;
      return fmt::format("{}={}", spoken.argument, word);
    }
    case Form::Text: {
      const auto& known = spoken.words;
      const bool is_value =
          !word.empty() && (is_digit(word.front()) || word.front() == '+' ||
                            std::find(known.begin(), known.end(), word) != known.end());
      if (!is_value) return std::nullopt;
      return fmt::format("{}='{}'", spoken.argument, word);
    }
    default: break;
  }
  if (const std::size_t equals = word.rfind('='); equals != std::string_view::npos && equals > 0)
    return pair_in_python(spoken, word.substr(0, equals), word.substr(equals + 1));
  if (!before_colon) return std::nullopt;
  if (spoken.form == Form::Files) return fmt::format("{}=['{}']", spoken.argument, word);
  return fmt::format("{}['{}']", spoken.argument, word);
}

const Spoken* spoken_at(std::string_view text) {
  std::size_t end = 2;
  while (end < text.size() && (text[end] == '-' || (text[end] >= 'a' && text[end] <= 'z'))) ++end;
  const auto& flags = spoken_flags();
  const auto found = std::find_if(flags.begin(), flags.end(), [&](const Spoken& spoken) {
    return spoken.flag == text.substr(0, end);
  });
  return found == flags.end() ? nullptr : &*found;
}

/// The next word, without what ends a sentence or a part of it.
std::string_view word_at(std::string_view text) {
  std::string_view word = text.substr(0, text.find_first_of(" \n"));
  while (!word.empty() && std::string_view(":;,.)'").find(word.back()) != std::string_view::npos)
    word.remove_suffix(1);
  return word;
}

/// Writes what stands at a flag of ours, and returns how long that is.
std::size_t speak(const Spoken& spoken, std::string_view text, std::string& into) {
  const std::size_t flag = spoken.flag.size();
  if (flag < text.size() && text[flag] == ' ') {
    const std::string_view word = word_at(text.substr(flag + 1));
    const std::size_t end = flag + 1 + word.size();
    if (const auto spelt = with_value(spoken, word, end < text.size() && text[end] == ':')) {
      into += *spelt;
      return end;
    }
  }
  into += spoken.argument;
  return flag;
}

}  // namespace

std::string python_words(std::string_view text) {
  // Whole commands that are advised for models in Python's hands.
  constexpr std::string_view kCommand = "jouletree profile MODEL --data ";
  constexpr std::string_view kPairs = "jouletree gate MODEL --against MODEL";
  std::string spelt;
  spelt.reserve(text.size());
  std::size_t at = 0;
  while (at < text.size()) {
    const std::string_view rest = text.substr(at);
    if (rest.substr(0, kCommand.size()) == kCommand) {
      const std::string_view file = word_at(rest.substr(kCommand.size()));
      spelt += fmt::format("jouletree.profile(MODEL, data=['{}'])", file);
      at += kCommand.size() + file.size();
      continue;
    }
    if (rest.substr(0, kPairs.size()) == kPairs) {
      spelt += "jouletree.gate(MODEL, against=MODEL)";
      at += kPairs.size();
      continue;
    }
    const bool begins = rest.substr(0, 2) == "--" && (at == 0 || text[at - 1] != '-');
    if (const Spoken* spoken = begins ? spoken_at(rest) : nullptr) {
      at += speak(*spoken, rest, spelt);
    } else {
      spelt += text[at++];
    }
  }
  return spelt;
}

void bind_python_words(nanobind::module_& module) {
  module.def(
      "python_words", [](const std::string& text) { return python_words(text); },
      nanobind::arg("text"));
}

}  // namespace jouletree::python
