#include <algorithm>
#include <iostream>
#include <memory>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/message.hpp"
#include "base/number_of.hpp"
#include "base/replaced_file.hpp"
#include "base/terminal.hpp"
#include "base/text_table.hpp"
#include "cli/command.hpp"
#include "cli/cost_options.hpp"
#include "cli/format_option.hpp"
#include "cli/output.hpp"
#include "cli/plugin_options.hpp"
#include "jouletree/error.hpp"
#include "jouletree/profile.hpp"
#include "report/compared_profile.hpp"
#include "report/derived_costs.hpp"
#include "report/profile_report.hpp"
#include "report/run_csv.hpp"
#include "report/show_report.hpp"
#include "report/tree_picture.hpp"
#include "store/command_recording.hpp"
#include "store/found_folders.hpp"
#include "store/profile_folder.hpp"
#include "store/profile_json.hpp"
#include "store/stored_run_json.hpp"

namespace jouletree::cli {
namespace {

struct ShowOptions {
  std::vector<std::string> folders;
  std::optional<int> run;
  bool plot = false;
  std::string svg;
  std::string graphviz;
  std::optional<int> depth;
  CostOptions costs;
  PluginOptions plugins;
  Format format = Format::Table;
};

constexpr const char* kShowFooter =
    "Examples:\n"
    "  jouletree show results --plot\n"
    "  jouletree show results --run 2 --svg power.svg\n"
    "  jouletree show experiment/   (a line for each folder below it, as input_onnx/run_1)\n"
    "  jouletree show before after --format csv > runs.csv\n"
    "  jouletree show profile --depth 2   (what 'jouletree profile -o profile' wrote)\n"
    "  jouletree show profile --svg tree.svg   (its tree as a picture)\n"
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

void write_svg(const ShowOptions& options, const store::Recording& recording,
               const std::vector<report::Plot>& plots) {
  std::ostringstream text;
  report::print_svg(recording.folder.string(), plots, text);
  replace_file(options.svg, text.str());
}

void show_one(const ShowOptions& options, const store::Recording& recording) {
  const report::DerivedCosts derived = report::derived_costs(options.costs.factors());
  const std::vector<report::Plot> plots = report::plots_of(recording.power.rows);
  if ((options.plot || !options.svg.empty()) && plots.empty()) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: has no curves to plot", recording.folder.string()));
  }
  if (options.format == Format::Json) {
    std::cout << store::summary_text(recording.runs, derived.metrics);
  } else {
    report::print_recording(recording, derived.lines, std::cout);
  }
  for (const report::Plot& plot : plots) {
    if (!options.plot) break;
    std::cout << '\n';
    report::print_plot(plot, columns_of_terminal(), std::cout);
  }
  if (!options.svg.empty()) write_svg(options, recording, plots);
}

using PrintTree = void (*)(const store::ProfileView&, std::optional<int>, std::ostream&);

void write_pictures(const ShowOptions& options, const store::ProfileView& view) {
  const auto write = [&](const std::string& file, PrintTree print) {
    if (file.empty()) return;
    std::ostringstream text;
    print(view, options.depth, text);
    replace_file(file, text.str());
  };
  write(options.svg, report::print_tree_svg);
  write(options.graphviz, report::print_tree_graphviz);
}

void show_one(const ShowOptions& options, const store::FolderProfile& profile) {
  const FootprintFactors factors = options.costs.factors();
  if (options.format == Format::Json) {
    std::cout << store::json_text(report::folder_json(profile, factors));
  } else {
    report::print_profile_table(profile.profile.view, options.depth, factors, std::cout);
  }
  write_pictures(options, profile.profile.view);
}

void show_csv(const ShowOptions& options, const std::vector<store::Recording>& recordings) {
  if (options.format == Format::CsvLines) {
    report::print_lines_csv(recordings, std::cout);
  } else {
    report::print_runs_csv(recordings, report::derived_costs(options.costs.factors()).metrics,
                           std::cout);
  }
}

void show_several(const ShowOptions& options, const store::FoundFolders& shown) {
  const FootprintFactors factors = options.costs.factors();
  if (options.format == Format::Json) {
    std::cout << store::json_text(report::folders_json(shown, factors));
    return;
  }
  const report::DerivedCosts derived = report::derived_costs(factors);
  const std::filesystem::path parent = options.folders.size() == 1 ? options.folders[0] : "";
  if (!shown.recordings.empty())
    report::print_recordings(parent, shown.recordings, derived.lines, std::cout);
  if (!shown.recordings.empty() && !shown.profiles.empty()) std::cout << '\n';
  if (!shown.profiles.empty()) report::print_profiles(parent, shown.profiles, std::cout);
}

/// A table has rows of one kind: runs, or the operators of one profile.
void check_rows_of_profiles(const ShowOptions& options, const store::FoundFolders& shown) {
  if (!options.plugins.files.empty()) refuse_unused_plugins(options.plugins, options.format);
  const bool alone = shown.profiles.size() == 1 && shown.recordings.empty();
  if (alone && options.format == Format::Csv) return;
  std::vector<std::string> files;
  for (const store::FolderProfile& profile : shown.profiles)
    files.push_back((profile.folder / store::kLayersFile).string());
  const std::string_view problem =
      alone ? "a profile has no recorded lines; --format csv prints its operators"
            : "name one profile, or recordings alone, for --format csv";
  throw Error(ErrorKind::BadInput,
              fmt::format("{}: {}; the operators of {} are in {}", fmt::join(options.folders, ", "),
                          problem, agreeing(files.size(), "the profile", "the profiles"),
                          fmt::join(files, ", ")));
}

/// Flags are for what the folders hold.
void check(const ShowOptions& options, const store::FoundFolders& shown) {
  const bool for_runs = options.run || options.plot;
  const bool pictures = !options.svg.empty() || !options.graphviz.empty();
  const bool csv = options.format == Format::Csv || options.format == Format::CsvLines;
  const std::size_t count = shown.recordings.size() + shown.profiles.size();
  if (csv && (options.plot || pictures)) {
    throw Error(ErrorKind::BadInput,
                "--format csv prints a table alone; leave --plot and --svg out");
  }
  if (csv && !shown.profiles.empty()) check_rows_of_profiles(options, shown);
  if (for_runs && !shown.profiles.empty() && count == 1) {
    throw Error(
        ErrorKind::BadInput,
        fmt::format("{}: holds a profile, which has no runs and curves; leave --run and --plot "
                    "out",
                    shown.profiles[0].folder.string()));
  }
  if (!options.graphviz.empty() && shown.profiles.empty()) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: holds no profile; leave --graphviz out", options.folders[0]));
  }
  if (options.depth && shown.profiles.empty()) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: holds no profile; leave --depth out", options.folders[0]));
  }
  if (!options.plugins.files.empty() && shown.profiles.empty()) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: holds no profile; leave --plugin out", options.folders[0]));
  }
  if (count > 1 && (for_runs || pictures || options.depth)) {
    const std::filesystem::path& first =
        shown.recordings.empty() ? shown.profiles[0].folder : shown.recordings[0].folder;
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: {} recordings and profiles; name one of them, such as {}",
                            fmt::join(options.folders, ", "), count, first.string()));
  }
}

void add_plugin_metrics(tree::NotedMetrics& metrics, store::FolderProfile& profile) {
  store::ProfileView& view = profile.profile.view;
  report::complete_counts(profile.folder, view);
  view.metrics = metrics.of(store::measured_model(view), view.model);
}

void run(const ShowOptions& options) {
  store::FoundFolders shown = store::read_folders(options.folders);
  check(options, shown);
  for (const std::string& note : shown.notes) say(note);
  if (options.run) store::keep_run(*options.run, shown.recordings[0]);
  tree::NotedMetrics metrics = options.plugins.metrics();
  if (!options.plugins.files.empty())
    for (store::FolderProfile& profile : shown.profiles) add_plugin_metrics(metrics, profile);
  if (options.format == Format::Csv && !shown.profiles.empty()) {
    std::cout << read_profile(shown.profiles[0].folder).layers();
  } else if (options.format == Format::Csv || options.format == Format::CsvLines) {
    show_csv(options, shown.recordings);
  } else if (shown.recordings.size() + shown.profiles.size() > 1) {
    show_several(options, shown);
  } else if (shown.profiles.empty()) {
    show_one(options, shown.recordings[0]);
  } else {
    show_one(options, shown.profiles[0]);
  }
  finish_output();
  throw_problems(metrics);
}

}  // namespace

void add_show(CLI::App& app) {
  const auto options = std::make_shared<ShowOptions>();
  CLI::App* command = app.add_subcommand("show", "Show what was recorded in folders");
  command->footer(kShowFooter);
  command
      ->add_option("folder", options->folders,
                   "Folders of recordings and profiles, or folders above them")
      ->required()
      ->type_name("FOLDER");
  command->add_option("--run", options->run, "Only this run of several")->type_name("N");
  command->add_flag("--plot", options->plot, "Also draw curves in the terminal");
  command
      ->add_option("--svg", options->svg,
                   "Write a picture to this SVG file: the curves, or the tree of a profile")
      ->type_name("FILE");
  command
      ->add_option("--graphviz", options->graphviz,
                   "Write the tree of a profile to this file, for Graphviz")
      ->type_name("FILE");
  add_format(*command, options->format,
             {Format::Table, Format::Json, Format::Csv, Format::CsvLines},
             "; json is as summary.json or profile.json; csv has one row per run, or per operator "
             "of a profile, csv-lines one per recorded line");
  command->add_option("--depth", options->depth, "Levels of the tree to show of a profile")
      ->type_name("N")
      ->check([](const std::string& text) {
        return text.starts_with('-') ? "give a number of levels, 0 or more" : "";
      });
  options->costs.add_to(*command);
  options->plugins.add_to(*command);
  command->callback([options] { run(*options); });
}

}  // namespace jouletree::cli
