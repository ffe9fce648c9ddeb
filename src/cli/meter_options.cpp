#include "cli/meter_options.hpp"

#include <filesystem>
#include <iostream>
#include <sstream>

#include <fmt/format.h>

#include "base/duration_text.hpp"
#include "base/message.hpp"
#include "base/text_table.hpp"
#include "jouletree/error.hpp"

namespace jouletree::cli {
namespace {

std::string source_names() {
  std::string names;
  for (const Source& source : meter_sources())
    names += fmt::format("{}{}", names.empty() ? "" : ", ", source.name);
  return names;
}

std::chrono::nanoseconds parse_offset(const std::string& text) {
  if (text.empty()) return {};
  const bool negative = text.starts_with("-");
  const auto size =
      duration_of_flag("--external-offset", std::string_view(text).substr(negative ? 1 : 0));
  return negative ? -size : size;
}

/// "plug.csv", "plug.csv:activepow1,activepow3", "smi.csv:3,by=2". A colon in the name of a file
/// that exists is part of the name.
ExternalFile parse_external(const std::string& text, std::chrono::nanoseconds offset) {
  ExternalFile file;
  file.path = text;
  file.offset = offset;
  std::error_code error;
  const auto colon = text.rfind(':');
  const bool plain = colon == std::string::npos || std::filesystem::exists(text, error) ||
                     !std::filesystem::exists(text.substr(0, colon), error);
  if (plain) return file;
  file.path = text.substr(0, colon);
  std::istringstream words(text.substr(colon + 1));
  for (std::string word; std::getline(words, word, ',');) {
    constexpr std::string_view kBy = "by=";
    if (word.starts_with(kBy)) {
      file.device_column = word.substr(kBy.size());
    } else if (!word.empty()) {
      file.columns.push_back(word);
    }
  }
  if (file.columns.empty() && file.device_column.empty()) {
    throw Error(
        ErrorKind::BadInput,
        fmt::format("--external {}: name columns behind the colon, by title or number, such "
                    "as {}:3",
                    text, file.path.string()));
  }
  return file;
}

}  // namespace

void MeterOptions::add_to(CLI::App& command) {
  command
      .add_option("--sysroot", sysroot,
                  "Folder that holds sys and proc of the machine to measure (default: /)")
      ->type_name("FOLDER");
  command
      .add_option("--source", sources,
                  fmt::format("Read only this source (repeatable): {}", source_names()))
      ->type_name("NAME")
      ->allow_extra_args(false);
  command
      .add_option("--cpu-watts", cpu_watts,
                  "Power of the CPUs doing nothing and with all cores busy, for the estimate, e.g. "
                  "20:95")
      ->type_name("IDLE:FULL");
  command
      .add_option("--machine-file", machine_file,
                  "The same from a file: {\"cpu_watts\": {\"idle\": 20, \"full\": 95}}")
      ->type_name("FILE");
  command
      .add_option("--external", external,
                  "CSV file of time stamps and watts that a meter beside the machine writes "
                  "(repeatable); FILE:activepow1,activepow3 or FILE:3 chooses columns")
      ->type_name("FILE")
      ->allow_extra_args(false);
  command
      .add_option("--external-offset", external_offset,
                  "Added to the time stamps of --external, e.g. -1h or 250ms")
      ->type_name("TIME");
  command
      .add_option("--nvml", nvml,
                  "NVIDIA's library (default: what JOULETREE_NVML says, else libnvidia-ml.so.1)")
      ->type_name("FILE");
  if (interval.empty()) return;
  command
      .add_option("--interval", interval,
                  fmt::format("How often meters are read, e.g. 10ms or 1s (default: {})", interval))
      ->type_name("TIME");
}

ProbeOptions MeterOptions::probe_options() const {
  std::error_code error;
  if (!std::filesystem::is_directory(sysroot, error)) {
    throw Error(ErrorKind::BadInput, fmt::format("--sysroot {}: there is no such folder", sysroot));
  }
  ProbeOptions options;
  options.root = sysroot;
  options.sources = sources;
  options.nvml_library = nvml;
  options.machine_file = machine_file;
  if (!cpu_watts.empty()) options.cpu_watts = parse_cpu_watts(cpu_watts);
  const std::chrono::nanoseconds offset = parse_offset(external_offset);
  for (const std::string& file : external) options.external.push_back(parse_external(file, offset));
  return options;
}

std::chrono::nanoseconds MeterOptions::sampling_interval() const {
  const auto parsed = duration_of_flag("--interval", interval);
  if (parsed >= std::chrono::milliseconds(1)) return parsed;
  throw Error(ErrorKind::BadInput,
              fmt::format("--interval {}: give 1ms or more, like 100ms or 1s", interval));
}

void tell_of_meters(const std::string& sentence) { say(sentence); }

}  // namespace jouletree::cli
