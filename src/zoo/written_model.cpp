#include "zoo/written_model.hpp"

#include <algorithm>
#include <vector>

#include "zoo/catalogue.hpp"

namespace jouletree::zoo {
namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t begin = text.find_first_not_of(' '); begin != std::string::npos;) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(' ', end);
  }
  return words;
}

}  // namespace

std::string written_name(const std::string& text) {
  const std::vector<std::string> words = words_of(text);
  if (words.empty()) return "";
  const bool are_settings = std::all_of(words.begin() + 1, words.end(), [](const auto& word) {
    return word.find('=') != std::string::npos;
  });
  return are_settings ? words.front() : "";
}

WrittenModel written_model(const std::string& text) {
  const std::vector<std::string> words = words_of(text);
  const Architecture& architecture = find_architecture(words.empty() ? text : words.front());
  WrittenModel model{&architecture, architecture.settings};
  for (std::size_t i = 1; i < words.size(); ++i) {
    const auto [key, value] = key_and_value(words[i]);
    model.settings.set_written(key, value);
  }
  return model;
}

}  // namespace jouletree::zoo
