// Writes two profiles in turns into one folder until it is killed, for replace_test.py.
//
//   rewrite_profile FOLDER ONE OTHER
//
// ONE and OTHER are folders that get each of the two profiles first, to compare with.

#include <cstdio>
#include <exception>
#include <filesystem>

#include "measure/ledger.hpp"
#include "store/profile_folder.hpp"
#include "support/sample_profile.hpp"

namespace {

using jouletree::measure::Profile;
using jouletree::test::SampleProfile;

void write(const Profile& profile, const std::filesystem::path& folder) {
  jouletree::store::write_profile_folder(profile, jouletree::store::view_of(profile, std::nullopt),
                                         folder, jouletree::OlderProfile::Replace);
}

/// Differs from the other sample in every file.
void make_other(Profile& profile) {
  profile.tree.name = "other";
  profile.whole = SampleProfile::measured(0, 9.6);
  profile.ledger = ledger_of(profile);
  profile.environment.cpu = "Other CPU";
  profile.latencies_s = {0.5};
  for (auto& slice : profile.timeline) slice.name += " of the other";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  try {
    const SampleProfile one;
    SampleProfile other;
    make_other(other.profile);
    write(one.profile, argv[2]);
    write(other.profile, argv[3]);
    write(one.profile, argv[1]);
    std::puts("ready");
    std::fflush(stdout);
    for (;;) {
      write(other.profile, argv[1]);
      write(one.profile, argv[1]);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
