#pragma once

#include <string>
#include <vector>

namespace jouletree::report {

/// What a model may be called, the shortest first.
struct ModelNames {
  std::string name;
  std::string longer;
  std::string whole;  ///< As it was given.
};
/// Of a file, a folder or a name of the zoo: its name without ending, with it, the whole path.
[[nodiscard]] ModelNames names_of_model(const std::string& given);

/// The shortest that tell all models apart. What was given twice gets a number.
[[nodiscard]] std::vector<std::string> distinct_labels(const std::vector<ModelNames>& models);

}  // namespace jouletree::report
