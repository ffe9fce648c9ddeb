#include "campaign/slurm.hpp"

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <fstream>

#include <fmt/format.h>

#include "base/scratch_folder.hpp"
#include "jouletree/error.hpp"
#include "store/sql/location.hpp"

namespace jouletree::campaign {
namespace {

/// For the shell, whatever the text holds.
std::string shell_word(const std::string& text) {
  std::string word = "'";
  for (const char letter : text)
    word += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return word + "'";
}

/// Names of jobs are read by scripts: letters, digits and a few signs.
std::string job_name(const std::string& name) {
  std::string result = "jouletree-";
  for (const unsigned char letter : name)
    result += std::isalnum(letter) != 0 || letter == '-' || letter == '_'
                  ? static_cast<char>(letter)
                  : '_';
  return result;
}

}  // namespace

void check_shared(const std::string& database) {
  const store::sql::Location location = store::sql::parse_location(database);
  if (location.dialect == store::sql::Dialect::Sqlite) {
    throw Error(ErrorKind::BadInput,
                "workers on several nodes need a database that all of them reach: give --db "
                "postgresql://USER@HOST/NAME (a file of SQLite is for one machine)");
  }
  if (store::sql::without_password(location.target) != location.target) {
    throw Error(ErrorKind::BadInput,
                "--db: take the password out of the URL, because job scripts and process lists "
                "would show it; put it into a file that PGPASSFILE names on every node, or use a "
                "service (postgresql://?service=NAME)");
  }
}

std::string job_script(const Plan& plan, const SlurmJob& job) {
  std::string script =
      "#!/bin/bash\n# Workers of a campaign of JouleTree; each takes items until none is left.\n";
  const auto add = [&](const std::string& option) { script += "#SBATCH " + option + "\n"; };
  add("--job-name=" + job_name(plan.name));
  add(fmt::format("--array=1-{}", job.array));
  add("--ntasks=1");
  add(fmt::format("--cpus-per-task={}", job.cpus));
  add("--requeue");
  if (!job.partition.empty()) add("--partition=" + job.partition);
  if (!job.time.empty()) add("--time=" + job.time);
  script += fmt::format("exec {} campaign run {} --db {}", shell_word(job.program),
                        shell_word(std::filesystem::absolute(plan.file).string()),
                        shell_word(job.database));
  if (!job.max_load.empty()) script += " --max-load " + shell_word(job.max_load);
  if (job.retry) script += " --retry";
  script += "\n";
  return script;
}

std::string submit(const std::string& script) {
  const ScratchFolder scratch;
  const std::filesystem::path file = scratch.path() / "job.sh";
  std::ofstream(file) << script;
  FILE* const pipe = ::popen(fmt::format("sbatch {} 2>&1", shell_word(file.string())).c_str(), "r");
  if (pipe == nullptr) throw Error(ErrorKind::Missing, "sbatch cannot be started");
  std::string said;
  std::array<char, 512> piece{};
  while (std::fgets(piece.data(), static_cast<int>(piece.size()), pipe) != nullptr)
    said += piece.data();
  const int status = ::pclose(pipe);
  while (said.ends_with('\n')) said.pop_back();
  constexpr int kNoProgram = 127;
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNoProgram)
    throw Error(ErrorKind::Missing,
                "there is no sbatch on this machine: submit from a login node of the cluster");
  if (status != 0) throw Error(ErrorKind::Failed, fmt::format("sbatch refuses the job: {}", said));
  return said;
}

}  // namespace jouletree::campaign
