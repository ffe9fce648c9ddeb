#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "zoo/model_writer.hpp"

namespace jouletree::zoo {

/// A model that nobody uses, made to be measured: a chain of operators of one kind in many sizes,
/// or a well-known architecture in sizes that nobody publishes.
struct CalibrationModel {
  std::string_view family;  ///< "convolutions", of calibration_families().
  int variant = 1;          ///< Decides the sizes; there is no last one.

  /// "calibration convolutions 1". The same name is the same model, always and everywhere.
  [[nodiscard]] std::string name() const;
  /// Returns the sizes of the dimensions that the model leaves open.
  std::map<std::string, Dim, std::less<>> write(ModelWriter& model) const;
};

/// The kinds of work that models are made of, those that take most time in most models first.
[[nodiscard]] const std::vector<std::string_view>& calibration_families();
/// How much an error of this kind of work matters beside one of another kind.
[[nodiscard]] double weight_of_family(std::string_view family);

}  // namespace jouletree::zoo
