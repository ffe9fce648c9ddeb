#pragma once

#include <filesystem>

namespace jouletree::test {

/// Folders of studies that nobody measured, below `studies/`: a transformer whose time jumps
/// between 300 and 350 tokens, as AIPowerMeter's experiments would have left it, and damaged ones.
void write_sample_studies(const std::filesystem::path& folder);

}  // namespace jouletree::test
