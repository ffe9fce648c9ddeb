#include "cli/format_option.hpp"

#include <fmt/format.h>

#include "cli/choice.hpp"

namespace jouletree::cli {
namespace {

std::string word_of(Format format) {
  switch (format) {
    case Format::Table: return "table";
    case Format::Text: return "text";
    case Format::Json: return "json";
    case Format::Csv: return "csv";
    case Format::CsvLines: return "csv-lines";
    case Format::Jsonl: return "jsonl";
    case Format::Markdown: return "markdown";
  }
  return "";
}

}  // namespace

CLI::Option* add_format(CLI::App& command, Format& target, const std::vector<Format>& offered,
                        const std::string& more) {
  std::vector<std::pair<std::string, Format>> choices;
  choices.reserve(offered.size());
  for (const Format format : offered) choices.emplace_back(word_of(format), format);
  return add_choice<Format>(
      command, "--format", target, choices,
      fmt::format("What to print on standard output (default: {}){}", word_of(target), more));
}

}  // namespace jouletree::cli
