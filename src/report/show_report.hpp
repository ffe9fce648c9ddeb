#pragma once

#include <iosfwd>
#include <optional>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/footprint.hpp"
#include "report/plot.hpp"
#include "report/run_report.hpp"
#include "store/found_folders.hpp"

namespace jouletree::report {

/// Power, CPUs, memory and graphics cards over the time that was recorded: runs one after the
/// other, without the pauses between them. Those without any value are left out.
[[nodiscard]] std::vector<Plot> plots_of(const std::vector<store::PowerRow>& rows);

/// One folder; of several runs one line each and their sum.
void print_recording(const store::Recording& recording, const DeriveLines& derive,
                     std::ostream& out);
/// One line per folder, and the sum. Folders are named as seen from `parent`, or as they are if it
/// is empty.
void print_recordings(const std::filesystem::path& parent,
                      const std::vector<store::Recording>& recordings, const DeriveLines& derive,
                      std::ostream& out);

/// One line per profile: what one run of the model takes.
void print_profiles(const std::filesystem::path& parent,
                    const std::vector<store::FolderProfile>& profiles, std::ostream& out);

/// What stands in profile.json, with the metrics of plug-ins and what is derived from energy.
[[nodiscard]] nlohmann::ordered_json folder_json(const store::FolderProfile& profile,
                                                 const FootprintFactors& factors);
/// {"recordings": [{"folder": …}, …], "profiles": [{"folder": …}, …]}
[[nodiscard]] nlohmann::ordered_json folders_json(const store::FoundFolders& found,
                                                  const FootprintFactors& factors);

}  // namespace jouletree::report
