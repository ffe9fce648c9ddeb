#pragma once

#include <filesystem>

namespace jouletree::test {

/// `fake_machine`, the root of a machine; its calibrations for one and for two threads below
/// `home`, where the program looks that runs with HOME=home; `elsewhere.json`, a predictor of
/// another machine; and `places`, profiles that say where they were measured.
void write_sample_calibrations(const std::filesystem::path& folder);

}  // namespace jouletree::test
