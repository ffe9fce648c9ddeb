#pragma once

#include <string>
#include <vector>

namespace jouletree::test {

struct SeedModel {
  std::string name;
  std::string bytes;
};

/// Small models to start fuzzing from: one per row of the operator table, so that every rule is
/// reached, and one per feature of the file format.
[[nodiscard]] std::vector<SeedModel> seed_models();

}  // namespace jouletree::test
