#include <iostream>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "base/duration_text.hpp"
#include "base/message.hpp"
#include "base/progress.hpp"
#include "base/replaced_file.hpp"
#include "campaign/calibration.hpp"
#include "cli/campaign.hpp"
#include "cli/command.hpp"
#include "cli/engine_flags.hpp"
#include "cli/interrupts.hpp"
#include "cli/meter_options.hpp"
#include "cli/output.hpp"
#include "jouletree/error.hpp"
#include "report/calibration_report.hpp"
#include "report/kept_calibrations.hpp"
#include "report/training.hpp"

namespace jouletree::cli {
namespace {

struct CalibrateCommand {
  EngineFlags engine;
  MeterOptions meters;
  std::string budget = "15m";
  std::string max_load = "0.5";
  std::string database;
  std::string file;
};

constexpr const char* kCalibrateFooter =
    "Examples:\n"
    "  jouletree calibrate\n"
    "  jouletree predict resnet50.onnx\n"
    "  jouletree calibrate --budget 1h --threads 2\n"
    "  jouletree calibrate -o machine.json\n"
    "\n"
    "Measures small models of all kinds of operators in ONNX Runtime, always of the kind that is\n"
    "predicted worst so far, and learns what operators cost here. 'jouletree predict' finds it by\n"
    "itself. Start it again for more: what was measured is kept in a database. Let nothing else "
    "run\n"
    "meanwhile.";

/// Where 'predict' looks is told of before the long work, too. Who names a file can do without.
bool can_keep(const CalibrateCommand& command) {
  try {
    report::prepare_calibrations();
    return true;
  } catch (const Error& error) {
    if (command.file.empty()) throw;
    say(fmt::format("warning: {}; the predictor is written to {} only", error.what(),
                    command.file));
    return false;
  }
}

void run(const CalibrateCommand& command) {
  StagedProgress shown;
  campaign::CalibrationSettings settings;
  settings.database = command.database;
  settings.budget = duration_of_flag("--budget", command.budget);
  if (settings.budget.count() <= 0)
    throw Error(ErrorKind::BadInput, "--budget: give a time above 0, like 15m");
  settings.max_load = load_of(command.max_load);
  command.engine.put_into(settings.engine);
  settings.engine.meters = command.meters.probe_options();
  settings.engine.check = Interrupts::check;
  settings.engine.progress = [&shown](const std::string& what, std::size_t done,
                                      std::size_t total) { shown.tell(what, done, total); };
  settings.tell = [&shown](const std::string& line) {
    shown.clear();
    std::cerr << "jouletree: " << line << '\n';
  };
  // A file that cannot be written is told of before the long work.
  std::optional<ReplacedFile> file;
  if (!command.file.empty()) file.emplace(command.file);
  const bool is_kept = can_keep(command);
  const Interrupts interrupts;
  const campaign::Calibration calibration = campaign::calibrate(settings);
  shown.clear();
  report::KeptPlace kept;
  write_and_show(
      [&] {
        if (file) {
          file->write(calibration.predictor.text());
          file->commit();
        }
        if (is_kept) kept = report::keep_calibration(calibration.predictor);
      },
      [&](Written written) {
        report::print_calibration(calibration, std::cout);
        std::cout << '\n';
        const std::string text = report::training_text(calibration.predictor.info());
        for (const std::string& one : {command.file, kept.stays.empty() ? kept.file.string() : ""})
          if (!one.empty() && written == Written::Yes)
            std::cout << fmt::format("{}: {}\n", one, text);
        finish_output();
      });
  if (!kept.stays.empty()) say(fmt::format("warning: {}: {}", kept.file.string(), kept.stays));
}

}  // namespace

void add_calibrate(CLI::App& app) {
  const auto options = std::make_shared<CalibrateCommand>();
  CLI::App* command = app.add_subcommand(
      "calibrate", "Measure what operators cost on this machine, to predict models that never ran");
  command->footer(kCalibrateFooter);
  command
      ->add_option("-o,--output", options->file,
                   "Write the predictor to this file as well (it is always kept where 'jouletree "
                   "predict' finds it: in jouletree/calibrations in $XDG_DATA_HOME or "
                   "~/.local/share)")
      ->type_name("PREDICTOR");
  command->add_option("--budget", options->budget, "How long it may take, e.g. 1h (default: 15m)")
      ->type_name("TIME");
  add_max_load(*command, options->max_load);
  add_database(*command, options->database);
  options->engine.add_to(*command);
  options->meters.add_to(*command);
  command->callback([options] { run(*options); });
}

}  // namespace jouletree::cli
