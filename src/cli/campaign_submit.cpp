#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

#include "campaign/expansion.hpp"
#include "campaign/slurm.hpp"
#include "cli/campaign.hpp"
#include "cli/output.hpp"

namespace jouletree::cli {
namespace {

struct SubmitOptions {
  std::string plan;
  bool slurm = false;
  bool script_only = false;
  campaign::SlurmJob job;
};

constexpr const char* kSubmitFooter =
    "Example:\n"
    "  jouletree campaign submit plan.yml --slurm --array 8 --db "
    "postgresql://me@db.example/joules\n"
    "\n"
    "Passwords belong into the file that PGPASSFILE names, or into a service file.";

void run_submit(SubmitOptions options) {
  if (!options.slurm)
    throw Error(ErrorKind::BadInput, "say which cluster: --slurm is the only one there is");
  campaign::check_shared(options.job.database);
  const campaign::Plan plan = campaign::read_plan(options.plan);
  const campaign::Expansion expansion = campaign::expand(plan);
  options.job.cpus = *std::max_element(plan.threads.begin(), plan.threads.end());
  options.job.program = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string script = campaign::job_script(plan, options.job);
  if (options.script_only) {
    std::cout << script;
  } else {
    std::cout << campaign::submit(script) << '\n';
  }
  finish_output();
}

}  // namespace

void add_campaign_submit(CLI::App& campaign) {
  const auto options = std::make_shared<SubmitOptions>();
  CLI::App* command =
      campaign.add_subcommand("submit", "Run a plan on a cluster, as a job array of workers");
  command->footer(kSubmitFooter);
  add_plan(*command, options->plan);
  command->add_flag("--slurm", options->slurm, "As a job array of Slurm, with sbatch");
  command
      ->add_option("--db", options->job.database,
                   "Database of PostgreSQL that all nodes reach: postgresql://USER@HOST/NAME")
      ->required()
      ->type_name("DATABASE");
  command->add_option("--array", options->job.array, "Workers (default: 1)")
      ->type_name("N")
      ->check(CLI::Range(1, 100000));
  command->add_option("--partition", options->job.partition, "Partition of the cluster")
      ->type_name("NAME");
  command->add_option("--time", options->job.time, "Time limit of each worker, as sbatch takes it")
      ->type_name("TIME");
  command->add_flag("--retry", options->job.retry, "Measure items that failed again");
  command
      ->add_option("--max-load", options->job.max_load,
                   "Of each worker, as in 'campaign run': CPUs of others, or none (default: 0.5)")
      ->type_name("CPUS");
  command->add_flag("--script", options->script_only, "Print the job script; submit nothing");
  command->callback([options] { run_submit(*options); });
}

}  // namespace jouletree::cli
