#include <iostream>
#include <memory>

#include "cli/command.hpp"
#include "cli/format_option.hpp"
#include "cli/meter_options.hpp"
#include "cli/output.hpp"
#include "jouletree/error.hpp"
#include "report/doctor_report.hpp"

namespace jouletree::cli {
namespace {

struct DoctorOptions {
  MeterOptions meters;
  Format format = Format::Table;
};

constexpr const char* kDoctorFooter =
    "Examples:\n"
    "  jouletree doctor\n"
    "  jouletree doctor --sysroot /host --format json\n"
    "\n"
    "Changes nothing: the commands that it names are for you to run. The exit code is 0 whatever\n"
    "the verdict is.";

void run(const DoctorOptions& options) {
  const measure::MachineCheck check = measure::check_machine(options.meters.probe_options());
  if (options.format == Format::Json) {
    report::print_doctor_json(check, std::cout);
  } else {
    report::print_doctor_table(check, std::cout);
  }
  finish_output();
}

}  // namespace

void add_doctor(CLI::App& app) {
  const auto options = std::make_shared<DoctorOptions>();
  CLI::App* command = app.add_subcommand(
      "doctor", "Say what can be measured here, what is missing and how to enable it");
  command->footer(kDoctorFooter);
  options->meters.add_to(*command);
  add_format(*command, options->format);
  command->callback([options] { run(*options); });
}

}  // namespace jouletree::cli
