#include <algorithm>
#include <iostream>
#include <memory>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/replaced_file.hpp"
#include "base/terminal.hpp"
#include "cli/choice.hpp"
#include "cli/command.hpp"
#include "cli/cost_options.hpp"
#include "jouletree/error.hpp"
#include "report/derived_costs.hpp"
#include "report/profile_folder.hpp"
#include "report/profile_report.hpp"
#include "report/show_report.hpp"
#include "store/recording.hpp"
#include "store/stored_run_json.hpp"

namespace jouletree::cli {
namespace {

enum class Format { Table, Json };

struct ShowOptions {
  std::string folder;
  std::optional<int> run;
  bool plot = false;
  std::string svg;
  std::optional<int> depth;
  CostOptions costs;
  Format format = Format::Table;
};

constexpr const char* kFooter =
    "Examples:\n"
    "  jouletree show results --plot\n"
    "  jouletree show results --run 2 --svg power.svg\n"
    "  jouletree show experiment/   (a line for each folder below it, as input_onnx/run_1)\n"
    "  jouletree show profile --depth 2   (what 'jouletree profile -o profile' wrote)\n"
    "\n"
    "Reads what 'jouletree run -o', 'jouletree profile -o' and AIPowerMeter wrote. Curves show\n"
    "recorded time: runs one after the other, without the pauses between them.";

/// Width of the terminal that standard output is, else what fits everywhere.
int columns_of_terminal() {
  constexpr std::size_t kUsual = 80;
  constexpr std::size_t kLeast = 40;
  constexpr std::size_t kMost = 160;
  return static_cast<int>(std::clamp(terminal_columns(std::cout).value_or(kUsual), kLeast, kMost));
}

void keep_run(int number, Recording& recording) {
  std::erase_if(recording.runs.runs, [&](const StoredRun& run) { return run.number != number; });
  std::erase_if(recording.power.rows, [&](const PowerRow& row) { return row.run != number; });
  if (recording.runs.runs.empty()) {
    throw Error(ErrorKind::BadInput, fmt::format("{}: has no run {}; leave --run out to see all",
                                                 recording.folder.string(), number));
  }
}

void write_svg(const ShowOptions& options, const std::vector<Plot>& plots) {
  std::ostringstream text;
  print_svg(options.folder, plots, text);
  ReplacedFile file(options.svg);
  file.write(text.str());
  file.commit();
}

void show_one(const ShowOptions& options, Recording recording) {
  if (options.run) keep_run(*options.run, recording);
  const DerivedCosts derived = derived_costs(options.costs.factors());
  const std::vector<Plot> plots = plots_of(recording.power.rows);
  if ((options.plot || !options.svg.empty()) && plots.empty()) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: has no curves to plot", recording.folder.string()));
  }
  if (options.format == Format::Json) {
    std::cout << summary_json(recording.runs, derived.metrics).dump(2) << '\n';
  } else {
    print_recording(recording, derived.lines, std::cout);
  }
  for (const Plot& plot : plots) {
    if (!options.plot) break;
    std::cout << '\n';
    print_plot(plot, columns_of_terminal(), std::cout);
  }
  if (!options.svg.empty()) write_svg(options, plots);
}

void show_profile(const ShowOptions& options) {
  if (options.run || options.plot || !options.svg.empty()) {
    throw Error(
        ErrorKind::BadInput,
        fmt::format("{}: holds a profile, which has no runs and curves; leave --run, --plot "
                    "and --svg out",
                    options.folder));
  }
  const FootprintFactors factors = options.costs.factors();
  StoredProfile stored = read_profile_folder(options.folder);
  if (options.format == Format::Json) {
    stored.json["metrics"].update(footprint_json(footprint_energy(stored.view), factors));
    std::cout << json_text(stored.json);
  } else {
    print_profile_table(stored.view, options.depth, factors, std::cout);
  }
}

void show_recordings(const ShowOptions& options) {
  if (options.depth) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: holds no profile; leave --depth out", options.folder));
  }
  const std::vector<std::filesystem::path> folders = find_recordings(options.folder);
  if (folders.size() == 1) {
    show_one(options, read_recording(folders[0]));
  } else {
    if (options.run || options.plot || !options.svg.empty() || options.format == Format::Json) {
      throw Error(ErrorKind::BadInput,
                  fmt::format("{}: holds {} recordings; name one of them, such as {}",
                              options.folder, folders.size(), folders[0].string()));
    }
    std::vector<Recording> recordings;
    recordings.reserve(folders.size());
    for (const auto& folder : folders) recordings.push_back(read_recording(folder));
    print_recordings(options.folder, recordings, std::cout);
  }
}

void run(const ShowOptions& options) {
  if (holds_profile(options.folder)) {
    show_profile(options);
  } else {
    show_recordings(options);
  }
  if (!std::cout.flush()) throw Error(ErrorKind::Failed, "cannot write to standard output");
}

}  // namespace

void add_show(CLI::App& app) {
  const auto options = std::make_shared<ShowOptions>();
  CLI::App* command = app.add_subcommand("show", "Show what was recorded in a folder");
  command->footer(kFooter);
  command
      ->add_option("folder", options->folder,
                   "Folder of a recording or a profile, or one above several recordings")
      ->required()
      ->type_name("FOLDER");
  command->add_option("--run", options->run, "Only this run of several")->type_name("N");
  command->add_flag("--plot", options->plot, "Also draw curves in the terminal");
  command->add_option("--svg", options->svg, "Write curves to this SVG file")->type_name("FILE");
  add_choice<Format>(
      *command, "--format", options->format, {{"table", Format::Table}, {"json", Format::Json}},
      "What to print on standard output (default: table); json is as summary.json or "
      "profile.json");
  command->add_option("--depth", options->depth, "Levels of the tree to show of a profile")
      ->type_name("N")
      ->check([](const std::string& text) {
        return text.starts_with('-') ? "give a number of levels, 0 or more" : "";
      });
  options->costs.add_to(*command);
  command->callback([options] { run(*options); });
}

}  // namespace jouletree::cli
