#pragma once

#include <span>
#include <string_view>

#include "predict/fitted.hpp"

namespace jouletree::predict {

/// One way to predict. What stands behind a row is in files of the method's own.
struct Method {
  std::string_view name;  ///< Stored in predictor files, so it must never change.
  /// See make_trainer.
  std::unique_ptr<Trainer> (*trainer)(const std::vector<TreeRun>& runs, Target target,
                                      const TrainOptions& options);
  /// See fitted_from_json.
  std::unique_ptr<Fitted> (*reader)(Target target, const nlohmann::ordered_json& json);
  /// Whatever an operator is called and however large it is; else names and sizes must be alike.
  bool prices_work = false;
  /// Learns what operators cost from models of which only the whole was measured.
  bool learns_wholes = false;
};

/// The default first.
[[nodiscard]] std::span<const Method> methods();
/// Null where there is none.
[[nodiscard]] const Method* find_method(std::string_view name);
/// Throws Error(BadInput) where there is none.
[[nodiscard]] const Method& method_named(std::string_view name);

}  // namespace jouletree::predict
