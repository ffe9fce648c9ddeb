#include <iostream>
#include <memory>

#include "cli/choice.hpp"
#include "cli/command.hpp"
#include "cli/meter_options.hpp"
#include "jouletree/error.hpp"
#include "report/doctor_report.hpp"

namespace jouletree::cli {
namespace {

enum class Format { Table, Json };

struct DoctorOptions {
  MeterOptions meters;
  Format format = Format::Table;
};

constexpr const char* kFooter =
    "Examples:\n"
    "  jouletree doctor\n"
    "  jouletree doctor --sysroot /host --format json\n"
    "\n"
    "Changes nothing: the commands that it names are for you to run. The exit code is 0 whatever\n"
    "the verdict is.";

void run(const DoctorOptions& options) {
  const MachineCheck check = check_machine(options.meters.probe_options());
  if (options.format == Format::Json) {
    print_doctor_json(check, std::cout);
  } else {
    print_doctor_table(check, std::cout);
  }
  if (!std::cout.flush()) throw Error(ErrorKind::Failed, "cannot write to standard output");
}

}  // namespace

void add_doctor(CLI::App& app) {
  const auto options = std::make_shared<DoctorOptions>();
  CLI::App* command = app.add_subcommand(
      "doctor", "Say what can be measured here, what is missing and how to enable it");
  command->footer(kFooter);
  options->meters.add_to(*command);
  add_choice<Format>(*command, "--format", options->format,
                     {{"table", Format::Table}, {"json", Format::Json}},
                     "What to print on standard output (default: table)");
  command->callback([options] { run(*options); });
}

}  // namespace jouletree::cli
