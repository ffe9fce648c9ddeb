#include "measure/machine_check.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "meters/cpu_times.hpp"
#include "meters/machine_facts.hpp"
#include "meters/total_choice.hpp"

namespace jouletree::measure {
namespace {

using Verdict = MachineCheck::Verdict;

bool is_measured(const MeterInfo& meter) { return meter.provenance == Provenance::Measured; }

/// Whether a meter covers at least the CPUs.
bool covers_cpus(const MeterInfo& meter) {
  switch (meter.level) {
    case Level::Wall:
    case Level::Battery:
    case Level::Board:
    case Level::Psys:
    case Level::Package: return is_measured(meter);
    default: return false;
  }
}

bool has(const std::vector<MeterInfo>& meters, bool (*holds)(const MeterInfo&)) {
  return std::any_of(meters.begin(), meters.end(), holds);
}

/// What would help most: the first thing that is missing and can be mended.
std::string first_fix(const MachineCheck& check) {
  for (const Missing& missing : check.missing)
    if (!missing.fix.empty()) return missing.fix;
  return "";
}

/// Of what is summed: a sensor that is only shown does not make the total a measured one.
Verdict verdict_of(const std::vector<MeterInfo>& summed) {
  if (summed.empty()) return Verdict::Nothing;
  if (!has(summed, is_measured)) return Verdict::Estimated;
  return has(summed, covers_cpus) ? Verdict::Measured : Verdict::Partly;
}

std::string verdict_text(const MachineCheck& check) {
  const std::string fix = first_fix(check);
  const std::string first = fix.empty() ? "" : fmt::format(" Try first: {}", fix);
  switch (check.verdict) {
    case Verdict::Measured: {
      const auto disturbs = [](const Finding& finding) {
        return finding.weight == Finding::Weight::Disturbs;
      };
      const auto count = std::count_if(check.findings.begin(), check.findings.end(), disturbs);
      return fmt::format("Energy is measured: {} ({}).{}", check.rule,
                         fmt::join(check.summed, ", "),
                         count == 0 ? "" : " See above for what disturbs it.");
    }
    case Verdict::Partly:
      return fmt::format("The energy of the CPUs cannot be measured here. The total is {} ({}).{}",
                         check.rule, fmt::join(check.summed, ", "), first);
    case Verdict::Estimated:
      return fmt::format(
          "Energy cannot be measured here. That of the CPUs is estimated from their utilisation, "
          "and every result says so; give better watts with --cpu-watts IDLE:FULL. Times are "
          "measured.{}",
          first);
    case Verdict::Nothing:
      return fmt::format("Energy can neither be measured nor estimated here; times are measured.{}",
                         first);
  }
  return "";
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::Measured: return "measured";
    case Verdict::Partly: return "partly";
    case Verdict::Estimated: return "estimated";
    case Verdict::Nothing: return "nothing";
  }
  return "";
}

MachineCheck check_machine(const ProbeOptions& options) {
  MachineCheck check;
  Probe probe = open_probe(options);
  for (const auto& meter : probe.meters) check.meters.push_back(meter->info());
  check.missing = std::move(probe.missing);
  check.notes = std::move(probe.notes);
  check.cpu_model = meters::cpu_model(options.root);
  check.cpus = meters::cpu_count(options.root);
  const meters::TotalChoice total = meters::choose_total(check.meters, std::nullopt);
  std::vector<MeterInfo> summed;
  for (const std::size_t meter : total.meters) {
    summed.push_back(check.meters[meter]);
    check.summed.push_back(check.meters[meter].name);
  }
  check.rule = total.rule;
  check.findings = machine_findings(options.root);
  check.verdict = verdict_of(summed);
  check.verdict_text = verdict_text(check);
  return check;
}

}  // namespace jouletree::measure
