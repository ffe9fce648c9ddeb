#pragma once

#include <iosfwd>
#include <optional>
#include <vector>

#include "report/plot.hpp"
#include "report/run_report.hpp"
#include "store/recording.hpp"

namespace jouletree {

/// Power, CPUs, memory and graphics cards over the time that was recorded: runs one after the
/// other, without the pauses between them. Those without any value are left out.
[[nodiscard]] std::vector<Plot> plots_of(const std::vector<PowerRow>& rows);

/// One folder; of several runs one line each and their sum.
void print_recording(const Recording& recording, const DeriveLines& derive, std::ostream& out);
/// One line per folder, and the sum.
void print_recordings(const std::filesystem::path& parent, const std::vector<Recording>& recordings,
                      std::ostream& out);

}  // namespace jouletree
