#pragma once

#include <filesystem>

namespace jouletree {

/// A file that campaigns write, by which PyTorch makes a model, trains it, or both. It names code
/// of the user, which then runs: never take one from others.
struct ModelRecipe {
  std::filesystem::path file;
  bool constructs = false;  ///< A function makes the model, which is in no file.
};

}  // namespace jouletree
