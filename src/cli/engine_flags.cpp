#include "cli/engine_flags.hpp"

#include <fmt/format.h>

#include "base/text_table.hpp"
#include "cli/choice.hpp"
#include "jouletree/error.hpp"

namespace jouletree::cli {

void EngineFlags::add_to(CLI::App& command) {
  command.add_option("--threads", threads, "Threads of the engine (default: 1)")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  add_all_but_threads(command);
}

void EngineFlags::add_all_but_threads(CLI::App& command) {
  add_choice<std::string>(
      command, "--level", level,
      {{"none", "none"}, {"basic", "basic"}, {"extended", "extended"}, {"all", "all"}},
      "How far the engine optimises the graph (default: all)");
  add_choice<std::string>(command, "--execution", execution,
                          {{"sequential", "sequential"}, {"parallel", "parallel"}},
                          "One operator at a time, or branches of the graph at the same time "
                          "(default: sequential)");
  command
      .add_option("--device", device,
                  "Where the engine runs: cpu, cuda:0, or a provider that your library has "
                  "(default: cpu)")
      ->type_name("DEVICE");
  command
      .add_option("--provider-option", provider_options,
                  "An option of the device's provider (repeatable)")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command
      .add_option("--python", python,
                  "The Python that runs PyTorch's files (default: JOULETREE_PYTHON, an active "
                  "environment, or python3 on PATH, whichever has PyTorch)")
      ->type_name("PROGRAM");
}

std::map<std::string, std::string> EngineFlags::device_options() const {
  std::map<std::string, std::string> pairs;
  for (const std::string& word : provider_options) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw Error(ErrorKind::BadInput,
                  fmt::format("--provider-option {}: give NAME=VALUE", printable(word)));
    }
    pairs[word.substr(0, equals)] = word.substr(equals + 1);
  }
  return pairs;
}

}  // namespace jouletree::cli
