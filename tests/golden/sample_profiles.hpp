#pragma once

#include <filesystem>

namespace jouletree::test {

/// Folders of profiles that nobody measured, below `measured/`: one, one that is faster, and one as
/// an older program wrote it.
void write_sample_profiles(const std::filesystem::path& folder);

}  // namespace jouletree::test
