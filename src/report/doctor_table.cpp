#include <algorithm>
#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/number_of.hpp"
#include "base/text_table.hpp"
#include "base/wrapped_text.hpp"
#include "report/doctor_report.hpp"
#include "report/si_text.hpp"

namespace jouletree::report {
namespace {

using measure::MachineCheck;

std::string resolution_text(const MeterInfo& meter) {
  if (!meter.resolution) return "";
  return si_text(*meter.resolution, meter.kind == MeterKind::Power ? "W" : "J");
}

void print_meters(const MachineCheck& check, std::ostream& out) {
  using Align = TextTable::Align;
  const bool resolutions =
      std::any_of(check.meters.begin(), check.meters.end(),
                  [](const MeterInfo& meter) { return meter.resolution.has_value(); });
  std::vector<TextTable::Column> columns = {{"meter", Align::Left, TextTable::Fit::Whole},
                                            {"level", Align::Left, TextTable::Fit::Whole, 1},
                                            {"in total", Align::Left, TextTable::Fit::Whole},
                                            {"period", Align::Right, TextTable::Fit::Whole, 2}};
  if (resolutions) columns.push_back({"resolution", Align::Right, TextTable::Fit::Whole, 3});
  columns.push_back({"how", Align::Left});
  TextTable table(columns);
  for (const MeterInfo& meter : check.meters) {
    const bool summed =
        std::find(check.summed.begin(), check.summed.end(), meter.name) != check.summed.end();
    std::vector<std::string> row = {meter.name, std::string(name_of(meter.level)),
                                    summed ? "yes" : "",
                                    si_text(Seconds(meter.update_period).count(), "s")};
    if (resolutions) row.push_back(resolution_text(meter));
    row.push_back(fmt::format("{}, {}", name_of(meter.provenance), meter.method));
    table.add_row(std::move(row));
  }
  table.print(out);
}

void print_item(const std::string& topic, const std::string& what, const std::string& fix,
                std::ostream& out) {
  {
    const WrappedText wrapped(out);
    out << "  " << printable(topic) << ": " << printable(what) << '\n';
  }
  // Commands stay in one line, so that people can copy them.
  if (!fix.empty()) out << "    → " << printable(fix) << '\n';
}

bool opens_meters(const MachineCheck& check, const std::string& source) {
  return std::any_of(check.meters.begin(), check.meters.end(),
                     [&](const MeterInfo& meter) { return meter.source == source; });
}

/// The second way to the counters of the CPU does not matter while the first one is open.
bool matters(const MachineCheck& check, const Missing& missing) {
  return !(missing.source == "rapl-perf" && opens_meters(check, "rapl"));
}

void print_missing(const MachineCheck& check, std::ostream& out) {
  std::vector<std::string> without_fix;
  out << "\nNot measured\n";
  for (const Missing& missing : check.missing) {
    if (!matters(check, missing)) continue;
    if (missing.fix.empty()) {
      without_fix.push_back(missing.what);
    } else {
      print_item(missing.source, missing.what, missing.fix, out);
    }
  }
  const WrappedText wrapped(out);
  for (const std::string& what : without_fix) out << "  " << printable(what) << '\n';
}

void print_findings(const MachineCheck& check, std::ostream& out) {
  if (check.findings.empty()) return;
  out << "\nThe machine\n";
  for (const measure::Finding& finding : check.findings)
    print_item(finding.topic, finding.what, finding.fix, out);
}

/// Where nothing is measured, they would say what the verdict says.
void print_notes(const MachineCheck& check, std::ostream& out) {
  const WrappedText wrapped(out);
  if (!check.notes.empty()) out << '\n';
  for (const std::string& note : check.notes) out << "Note: " << printable(note) << '\n';
}

}  // namespace

void print_doctor_table(const MachineCheck& check, std::ostream& out) {
  out << fmt::format("{}, {}\n\n",
                     check.cpu_model.empty() ? "Unknown CPU" : printable(check.cpu_model),
                     number_of(check.cpus, "CPU"));
  if (!check.meters.empty()) print_meters(check, out);
  print_missing(check, out);
  print_findings(check, out);
  if (check.verdict == MachineCheck::Verdict::Measured) print_notes(check, out);
  const WrappedText wrapped(out);
  out << "\nVerdict: " << printable(check.verdict_text) << '\n';
}

}  // namespace jouletree::report
