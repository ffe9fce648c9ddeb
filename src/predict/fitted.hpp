#pragma once

#include <memory>
#include <vector>

#include <nlohmann/json.hpp>

#include "jouletree/predict.hpp"
#include "predict/loaded_run.hpp"

namespace jouletree::predict {

enum class Target { Energy, Time };
[[nodiscard]] std::string_view name_of(Target target);
/// The measured value of a node.
[[nodiscard]] const std::optional<double>& truth(const RunNode& node, Target target);

/// A method that has been fitted to data, for one target. Immutable, so threads may share it.
class Fitted {
 public:
  Fitted() = default;
  Fitted(const Fitted&) = delete;
  Fitted& operator=(const Fitted&) = delete;
  virtual ~Fitted() = default;
  /// Joules or seconds of each node; NaN where it cannot tell.
  [[nodiscard]] virtual std::vector<double> predict(const LoadedRun& loaded,
                                                    FeatureSet features) const = 0;
  /// What it has learned, for people. The caller fills in the target.
  [[nodiscard]] virtual std::vector<Explanation> terms() const = 0;
  /// What its prediction of one node is made of; costs add up to it.
  [[nodiscard]] virtual std::vector<Explanation> parts(const TreeRun& run, std::size_t node,
                                                       FeatureSet features) const = 0;
  [[nodiscard]] virtual nlohmann::ordered_json to_json() const = 0;
};

/// Says for each run of the data whether it is used.
using RunMask = std::vector<char>;

/// A method and the data it may be fitted to, prepared once for many fits to parts of it.
class Trainer {
 public:
  Trainer() = default;
  Trainer(const Trainer&) = delete;
  Trainer& operator=(const Trainer&) = delete;
  virtual ~Trainer() = default;
  /// Thread-safe.
  [[nodiscard]] virtual std::unique_ptr<Fitted> fit(const RunMask& used) const = 0;
};

/// Nothing where the method knows nothing of the target. The runs must outlive the trainer. Throws
/// Error(BadInput) for an unknown method and a configuration that the method does not know.
[[nodiscard]] std::unique_ptr<Trainer> make_trainer(const std::vector<TreeRun>& runs, Target target,
                                                    const TrainOptions& options);

/// The counterpart of Fitted::to_json. Throws nlohmann's exceptions for what is missing.
[[nodiscard]] std::unique_ptr<Fitted> fitted_from_json(std::string_view method, Target target,
                                                       const nlohmann::ordered_json& json);

/// A node whose children are beyond the training data is so, too.
void spread_to_parents(const TreeRun& run, std::vector<char>& marks);

}  // namespace jouletree::predict
