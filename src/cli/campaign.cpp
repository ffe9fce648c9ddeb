#include "cli/campaign.hpp"

#include <charconv>
#include <filesystem>
#include <iostream>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/duration_text.hpp"
#include "base/message.hpp"
#include "base/progress.hpp"
#include "base/wrapped_text.hpp"
#include "campaign/expansion.hpp"
#include "campaign/outlook.hpp"
#include "campaign/runner.hpp"
#include "campaign/trial.hpp"
#include "cli/command.hpp"
#include "cli/db_commands.hpp"
#include "cli/exit_status.hpp"
#include "cli/format_option.hpp"
#include "cli/interrupts.hpp"
#include "cli/meter_options.hpp"
#include "cli/output.hpp"
#include "measure/environment.hpp"
#include "report/campaign_report.hpp"

namespace jouletree::cli {
namespace {

using store::Database;
namespace sql = store::sql;

struct CampaignOptions {
  std::string plan;
  std::string database;
  Format format = Format::Table;
  bool retry = false;
  std::optional<std::int64_t> limit;
  std::string max_load = "0.5";
  std::string lease = "2m";
  MeterOptions meters;
};

constexpr const char* kCampaignRunFooter =
    "Examples:\n"
    "  jouletree campaign check plan.yml\n"
    "  jouletree campaign run plan.yml --db results.sqlite\n"
    "  jouletree campaign status --db results.sqlite\n"
    "\n"
    "Start it again after an interruption: finished items are kept and not measured again. "
    "Several\n"
    "workers may run the same plan on one database.";

/// Nothing where there is none yet: a campaign that never ran has no database.
std::unique_ptr<Database> open_known(const std::string& text) {
  const sql::Location location = sql::parse_location(text);
  std::error_code unreadable;
  if (location.dialect == sql::Dialect::Sqlite &&
      !std::filesystem::exists(location.target, unreadable))
    return nullptr;
  return std::make_unique<Database>(location, sql::Access::Read);
}

/// Where nothing is kept that one could go on from.
void check_stop() {
  if (const int signal = Interrupts::pending(); signal != 0) throw ExitStatus{128 + signal};
}

void run_check(const CampaignOptions& options) {
  const campaign::Plan plan = campaign::read_plan(options.plan);
  const campaign::Expansion expansion = campaign::expand(plan);
  const auto database = open_known(options.database);
  const Interrupts interrupts;
  campaign::Outlook outlook;
  {
    Progress progress("counting", static_cast<std::int64_t>(expansion.items.size()));
    outlook = campaign::outlook_of(plan, expansion, database.get(), measure::read_environment("/"),
                                   [&](std::size_t) { progress.add(1); });
  }
  for (std::string& problem : campaign::trial_of(plan, expansion, check_stop))
    outlook.failing.push_back(std::move(problem));
  if (options.format == Format::Json) {
    report::print_outlook_json(plan, expansion, outlook, std::cout);
  } else {
    const WrappedText wrapped(std::cout);
    report::print_outlook(plan, expansion, outlook, std::cout);
  }
  finish_output();
  if (!outlook.failing.empty()) throw ExitStatus{exit_code(ErrorKind::Failed)};
}

std::chrono::seconds lease_of(const std::string& text) {
  const auto lease =
      std::chrono::duration_cast<std::chrono::seconds>(duration_of_flag("--lease", text));
  if (lease < std::chrono::seconds(1))
    throw Error(ErrorKind::BadInput, "--lease: give a time of at least 1s");
  return lease;
}

void check_interrupt() {
  const int signal = Interrupts::pending();
  if (signal == 0) return;
  say("interrupted; finished items are kept, and 'jouletree campaign run' goes on from there");
  throw ExitStatus{128 + signal};
}

campaign::RunSettings run_settings(const CampaignOptions& options, StagedProgress& shown) {
  campaign::RunSettings settings;
  settings.database = options.database;
  settings.max_load = load_of(options.max_load);
  settings.limit = options.limit;
  settings.retry = options.retry;
  settings.lease = lease_of(options.lease);
  settings.meters = options.meters.probe_options();
  settings.check = check_interrupt;
  settings.tell = [&shown](const std::string& line) {
    shown.clear();
    say(line);
  };
  settings.progress = [&shown](const std::string& what, std::size_t done, std::size_t total) {
    shown.tell(what, done, total);
  };
  return settings;
}

std::optional<store::CampaignStatus> status_in(const std::string& database,
                                               const std::string& name) {
  const auto opened = open_known(database);
  return opened ? store::campaign_status(*opened, name) : std::nullopt;
}

void run_run(const CampaignOptions& options) {
  StagedProgress shown;
  const campaign::RunSettings settings = run_settings(options, shown);
  const campaign::Plan plan = campaign::read_plan(options.plan);
  const campaign::Expansion expansion = campaign::expand(plan);
  for (const std::string& note : expansion.notes) settings.tell(note);
  const Interrupts interrupts;
  const auto counts = campaign::run_campaign(plan, expansion, settings);
  shown.clear();
  if (const auto status = status_in(options.database, plan.name)) {
    if (options.format == Format::Json) {
      report::print_campaign_json(*status, std::cout);
    } else {
      report::print_campaign(*status, std::cout);
    }
  }
  finish_output();
  if (counts.failed > 0) throw ExitStatus{exit_code(ErrorKind::Failed)};
}

/// Of a plan that is there, else what the user calls it, else the only one.
std::string name_for(const std::string& given, Database& database) {
  std::error_code unreadable;
  if (!given.empty() && std::filesystem::exists(given, unreadable))
    return campaign::read_plan(given).name;
  if (!given.empty()) return given;
  const std::vector<std::string> names = store::campaign_names(database);
  if (names.size() == 1) return names.front();
  if (names.empty())
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: holds no campaign; 'jouletree campaign run PLAN' starts one",
                            database.place()));
  throw Error(ErrorKind::BadInput, fmt::format("{}: holds several campaigns; name one of {}",
                                               database.place(), fmt::join(names, ", ")));
}

std::unique_ptr<Database> database_of_campaigns(const CampaignOptions& options) {
  auto database = open_known(options.database);
  if (!database)
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: there is no such database; 'jouletree campaign run PLAN' makes it",
                            sql::text_of(sql::parse_location(options.database))));
  return database;
}

store::CampaignStatus wanted_status(const CampaignOptions& options) {
  const auto database = database_of_campaigns(options);
  const std::string name = name_for(options.plan, *database);
  auto status = store::campaign_status(*database, name);
  if (status) return std::move(*status);
  const std::vector<std::string> names = store::campaign_names(*database);
  throw Error(ErrorKind::BadInput,
              fmt::format("{}: there is no campaign {}{}{}", database->place(), name,
                          names.empty() ? "" : "; there are ", fmt::join(names, ", ")));
}

/// All of a database that has several; nothing where it has fewer, or one is named.
std::vector<store::CampaignStatus> all_campaigns(const CampaignOptions& options) {
  std::vector<store::CampaignStatus> all;
  if (!options.plan.empty()) return all;
  const auto database = database_of_campaigns(options);
  const std::vector<std::string> names = store::campaign_names(*database);
  if (names.size() < 2) return all;
  for (const std::string& name : names)
    if (auto status = store::campaign_status(*database, name)) all.push_back(std::move(*status));
  return all;
}

void run_status(const CampaignOptions& options) {
  if (const auto all = all_campaigns(options); !all.empty()) {
    if (options.format == Format::Json) {
      report::print_statuses_json(all, std::cout);
    } else {
      for (const store::CampaignStatus& status : all) report::print_status(status, std::cout);
    }
    return finish_output();
  }
  const store::CampaignStatus status = wanted_status(options);
  options.format == Format::Json ? report::print_status_json(status, std::cout)
                                 : report::print_status(status, std::cout);
  finish_output();
}

void run_report(const CampaignOptions& options) {
  const store::CampaignStatus status = wanted_status(options);
  options.format == Format::Json ? report::print_campaign_json(status, std::cout)
                                 : report::print_campaign(status, std::cout);
  finish_output();
}

void add_check(CLI::App& campaign) {
  const auto options = std::make_shared<CampaignOptions>();
  CLI::App* command = campaign.add_subcommand(
      "check", "Say how many items and operators a plan has, which are new, and how long it takes");
  add_plan(*command, options->plan);
  add_database(*command, options->database);
  add_format(*command, options->format);
  command->callback([options] { run_check(*options); });
}

void add_run_command(CLI::App& campaign) {
  const auto options = std::make_shared<CampaignOptions>();
  CLI::App* command =
      campaign.add_subcommand("run", "Measure what is missing, and resume after an interruption");
  command->footer(kCampaignRunFooter);
  add_plan(*command, options->plan);
  add_database(*command, options->database);
  command->add_flag("--retry", options->retry, "Measure items that failed again");
  command->add_option("--limit", options->limit, "Stop after N items (default: none)")
      ->type_name("N")
      ->check([](const std::string& text) {
        return text == "0" || text.starts_with('-') ? "give a number of items, 1 or more" : "";
      });
  add_max_load(*command, options->max_load);
  command
      ->add_option("--lease", options->lease,
                   "When a worker on another machine counts as lost, and its item returns to the "
                   "queue (default: 2m)")
      ->type_name("TIME");
  options->meters.add_to(*command);
  add_format(*command, options->format, kTableOrJson, "; for the report at the end");
  command->callback([options] { run_run(*options); });
}

void add_question(CLI::App& campaign, const char* name, const char* what, const char* usually,
                  void (*run)(const CampaignOptions&)) {
  const auto options = std::make_shared<CampaignOptions>();
  CLI::App* command = campaign.add_subcommand(name, what);
  command
      ->add_option(
          "plan", options->plan,
          fmt::format("Plan file or name of a campaign (default: {} of the database)", usually))
      ->type_name("PLAN");
  add_database(*command, options->database);
  add_format(*command, options->format);
  command->callback([options, run] { run(*options); });
}

}  // namespace

void add_plan(CLI::App& command, std::string& plan) {
  command
      .add_option("plan", plan,
                  "Plan file (YAML), or a summary.yml of ml-operator-profiling, or a folder of "
                  "these")
      ->required()
      ->type_name("PLAN");
}

void add_database(CLI::App& command, std::string& database) {
  command
      .add_option("--db", database,
                  "Database: a file of SQLite, or postgresql://USER@HOST/NAME (default: "
                  "jouletree/jouletree.sqlite in your data folder)")
      ->type_name("DATABASE")
      ->check(refuse_empty_location);
}

void add_max_load(CLI::App& command, std::string& max_load) {
  command
      .add_option("--max-load", max_load,
                  "Pause while other processes use more CPUs than this; 'none' never pauses "
                  "(default: 0.5)")
      ->type_name("CPUS");
}

std::optional<double> load_of(const std::string& text) {
  if (text == "none") return std::nullopt;
  double cpus = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, cpus);
  if (parsed.ec != std::errc() || parsed.ptr != end || !(cpus >= 0))
    throw Error(ErrorKind::BadInput,
                fmt::format("--max-load {}: give a number of CPUs like 0.5, or none", text));
  return cpus;
}

void add_campaign(CLI::App& app) {
  CLI::App* campaign =
      app.add_subcommand("campaign", "Measure many models as a plan says, and resume at any time");
  campaign->require_subcommand(1);
  campaign->footer(kCampaignRunFooter);
  add_check(*campaign);
  add_run_command(*campaign);
  add_question(*campaign, "status", "Say how far a campaign is, from another terminal", "all",
               run_status);
  add_question(*campaign, "report",
               "Show which operator types each model needed, and what they explain", "the only one",
               run_report);
  add_campaign_submit(*campaign);
}

}  // namespace jouletree::cli
