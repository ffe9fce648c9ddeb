#include "campaign/slurm.hpp"

#include <gmock/gmock.h>

#include "jouletree/error.hpp"

namespace jouletree::campaign {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string refusal_of(const std::string& database) {
  try {
    check_shared(database);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(Slurm, RefusesADatabaseThatNodesCannotShare) {
  EXPECT_THAT(refusal_of("here.sqlite"), HasSubstr("a file of SQLite is for one machine"));
  EXPECT_EQ(refusal_of("postgresql://me@host/name"), "none");
  EXPECT_EQ(refusal_of("postgresql://?service=joules"), "none");
}

TEST(Slurm, RefusesPasswordsAndDoesNotRepeatThem) {
  for (const char* url :
       {"postgresql://me:secret@host/name", "postgresql://host/name?password=secret"}) {
    EXPECT_THAT(refusal_of(url), HasSubstr("PGPASSFILE"));
    EXPECT_THAT(refusal_of(url), Not(HasSubstr("secret")));
  }
}

TEST(Slurm, WritesAJobArrayOfWorkers) {
  Plan plan;
  plan.name = "it's a plan";
  plan.file = "/plans/it's.yml";
  SlurmJob job;
  job.partition = "cpu";
  job.time = "01:00:00";
  job.array = 4;
  job.cpus = 2;
  job.database = "postgresql://me@host/name";
  job.program = "/usr/bin/jouletree";

  EXPECT_EQ(
      job_script(plan, job),
      "#!/bin/bash\n# Workers of a campaign of JouleTree; each takes items until none is left.\n"
      "#SBATCH --job-name=jouletree-it_s_a_plan\n#SBATCH --array=1-4\n#SBATCH --ntasks=1\n"
      "#SBATCH --cpus-per-task=2\n#SBATCH --requeue\n#SBATCH --partition=cpu\n"
      "#SBATCH --time=01:00:00\nexec '/usr/bin/jouletree' campaign run '/plans/it'\\''s.yml' "
      "--db 'postgresql://me@host/name'\n");
}

}  // namespace
}  // namespace jouletree::campaign
