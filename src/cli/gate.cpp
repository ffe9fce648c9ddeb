#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/message.hpp"
#include "base/text_table.hpp"
#include "cli/command.hpp"
#include "cli/exit_status.hpp"
#include "cli/format_option.hpp"
#include "cli/gate_pairs.hpp"
#include "cli/output.hpp"
#include "cli/whole_number.hpp"
#include "jouletree/error.hpp"
#include "jouletree/profile.hpp"
#include "report/compared_profile.hpp"
#include "report/gate_checks.hpp"
#include "report/gate_history.hpp"
#include "report/gate_limits.hpp"
#include "report/gate_subjects.hpp"
#include "store/database/model_history.hpp"

namespace jouletree::cli {
namespace {

struct GateOptions {
  std::string subject;
  std::string baseline;
  std::string against;
  std::vector<std::string> limits = std::vector<std::string>(report::gate_limit_kinds().size());
  bool other_machine = false;
  bool update = false;
  PairOptions pairs;
  Format format = Format::Table;
};

constexpr const char* kGateFooter =
    "Examples:\n"
    "  jouletree gate profiles/new --baseline profiles/main --max-time +5% --max-energy +5%\n"
    "  jouletree gate profiles/new --baseline lab.sqlite#resnet-18 --max-time +5%\n"
    "  jouletree gate new.onnx --against old.onnx --max-time +5% --max-macs +0%\n"
    "\n"
    "Exit code 1 only where a metric grew by at least its limit and, if it was measured, by more\n"
    "than the noise; 0 where not; 2 where baseline and profile cannot be compared. --against runs\n"
    "both models by turns, which tells small differences on a busy machine, too.";

std::string flag_of(const report::GateLimitKind& kind) {
  return fmt::format("--max-{}", kind.name);
}

std::vector<report::GateLimit> limits_of(const GateOptions& options) {
  std::vector<report::GateLimit> limits;
  for (std::size_t i = 0; i < options.limits.size(); ++i) {
    const std::string& text = options.limits[i];
    if (text.empty()) continue;
    const report::GateLimitKind& kind = report::gate_limit_kinds()[i];
    const auto share = report::share_of_limit(text);
    if (!share) {
      throw Error(ErrorKind::BadInput, fmt::format("{} {}: give per cent of 0 or more, like +5%",
                                                   flag_of(kind), printable(text)));
    }
    limits.push_back({kind.metric, *share});
  }
  return limits;
}

void refuse_update(const GateOptions& options) {
  if (!options.update) return;
  if (!options.against.empty()) {
    throw Error(
        ErrorKind::BadInput,
        "--update writes a baseline of profiles; --against has none: leave one of them out");
  }
  report::refuse_update_of(options.baseline);
  report::refuse_update_of(options.subject);
}

void update_baseline(const GateOptions& options) {
  const std::string folder = report::folder_of_gated(options.subject, "profile");
  write_profile(read_profile(folder), options.baseline, OlderProfile::Replace);
  say(fmt::format("{} is the baseline in {} now", options.subject, options.baseline));
}

report::GateResult gate_against_baseline(const GateOptions& options,
                                         const std::vector<report::GateLimit>& limits) {
  const report::ComparedProfile now = report::gated_profile(options.subject, "profile");
  const report::ComparedProfile baseline = report::gated_profile(options.baseline, "baseline");
  report::GateResult gate = report::gate_of_profiles(baseline, now, limits, options.other_machine);
  if (const auto history = store::history_of_entry(options.baseline))
    gate.history = report::gate_history(*history);
  return gate;
}

void print(const report::GateResult& gate, Format format) {
  switch (format) {
    case Format::Json: report::print_gate_json(gate, std::cout); break;
    case Format::Markdown: report::print_gate_markdown(gate, std::cout); break;
    default: report::print_gate(gate, std::cout); break;
  }
  finish_output();
}

void run(const GateOptions& options) {
  const std::vector<report::GateLimit> limits = limits_of(options);
  if (options.baseline.empty() == options.against.empty()) {
    throw Error(ErrorKind::BadInput,
                "gate needs something to compare with: --baseline FOLDER or DATABASE#MODEL for a "
                "profile, or --against MODEL for a model; one of them");
  }
  if (limits.empty() && !options.update) {
    throw Error(ErrorKind::BadInput,
                "gate needs a limit, such as --max-time +5% or --max-macs +0%");
  }
  refuse_update(options);
  if (options.update && report::is_missing_baseline(options.baseline)) {
    update_baseline(options);
    return;
  }
  const report::GateResult gate =
      options.against.empty()
          ? gate_against_baseline(options, limits)
          : gate_in_pairs(options.subject, options.against, options.pairs, limits);
  print(gate, options.format);
  if (gate.failed()) throw ExitStatus{exit_code(ErrorKind::Failed)};
  if (options.update) update_baseline(options);
}

void add_pair_options(CLI::App& gate, GateOptions& options) {
  gate.add_option("--against", options.against,
                  "The model to compare with, where both are at hand: both run by turns")
      ->type_name("MODEL");
  gate.add_option("--time", options.pairs.time,
                  "With --against: how long both run together (default: 30s)")
      ->type_name("TIME");
  options.pairs.inputs.add_to(gate);
  gate.add_option("--data", options.pairs.data,
                  "Real data for inputs, as 'jouletree profile' takes them (repeatable)")
      ->type_name("PATH")
      ->allow_extra_args(false);
  options.pairs.engine.add_to(gate);
  gate.add_option("--seed", options.pairs.seed, "Seed of the random inputs (default: 1)")
      ->type_name("N")
      ->check(whole_number_problem);
}

}  // namespace

void add_gate(CLI::App& app) {
  const auto options = std::make_shared<GateOptions>();
  CLI::App* const gate = app.add_subcommand(
      "gate", "Fail if a model became hungrier or slower than its baseline, and not by chance");
  gate->footer(kGateFooter);
  gate->add_option("profile", options->subject,
                   "Folder of a profile, a model of a database (DATABASE#MODEL), or with --against "
                   "a model")
      ->required()
      ->type_name("PROFILE");
  gate->add_option("--baseline", options->baseline,
                   "What to compare with: folder of a profile, or DATABASE#MODEL for its newest "
                   "measurement; of a database, the history is searched for lasting changes, too")
      ->type_name("BASELINE");
  for (std::size_t i = 0; i < options->limits.size(); ++i) {
    const report::GateLimitKind& kind = report::gate_limit_kinds()[i];
    gate->add_option(flag_of(kind), options->limits[i], kind.help)->type_name("PERCENT");
  }
  gate->add_flag("--allow-other-machine", options->other_machine,
                 "Compare counts with a baseline of another machine or engine, too");
  gate->add_flag("--update", options->update,
                 "If nothing fails, make the profile the baseline; also where there is none yet");
  add_pair_options(*gate, *options);
  options->pairs.meters.add_to(*gate);
  add_format(*gate, options->format, {Format::Table, Format::Json, Format::Markdown});
  gate->callback([options] { run(*options); });
}

}  // namespace jouletree::cli
