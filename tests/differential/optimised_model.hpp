#pragma once

#include <filesystem>

namespace jouletree::test {

/// Blocks of channels are what the engine prefers on x86-64; on ARM it has none.
enum class Blocks { Yes, No };

/// Lets the engine optimise a model as it would before running it, with all its fusions and its own
/// memory layouts, and writes the graph that it would really run. Throws std::runtime_error if the
/// engine refuses the model.
void write_optimised_model(const std::filesystem::path& model, const std::filesystem::path& out,
                           Blocks blocks = Blocks::Yes);

}  // namespace jouletree::test
