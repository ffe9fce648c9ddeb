#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "jouletree/score.hpp"
#include "measure/score/score_batch.hpp"

namespace jouletree::measure {

/// Names of metrics as people give them: "top1", "top5", "top3" …, "loss".
[[nodiscard]] std::vector<std::string> score_metric_names();
/// What results call a metric, also of its other names: "top1" for "accuracy". Nothing for a name
/// that is none.
[[nodiscard]] std::optional<std::string> score_metric_named(const std::string& given);

/// Scores a model batch by batch, by several metrics at once.
class Scorer {
 public:
  /// The first metric is the primary one; each counts once. Throws Error(BadInput) for a name that
  /// is none, with the one that may be meant.
  Scorer(const std::vector<std::string>& metrics, ScoreReading reading);
  Scorer(Scorer&&) noexcept;
  Scorer& operator=(Scorer&&) noexcept;
  ~Scorer();

  /// Throws Error(BadInput) for labels that do not fit, Error(Failed) for outputs that are NaN.
  void add(const TensorView& outputs, const TensorView& labels);
  [[nodiscard]] std::int64_t examples() const { return examples_; }

  /// Sets metrics, examples, error, hash and notes. Throws Error(BadInput) without examples or
  /// where all labels are ignored, and Error(Failed) for a metric that is no finite number.
  void finish(Score& score) const;

 private:
  struct Part;

  BatchReader reader_;
  std::vector<Part> parts_;
  std::int64_t examples_ = 0;
  std::size_t classes_ = 0;  ///< Of the model; 0 where it returns no scores for them.
  std::uint64_t hash_;
};

}  // namespace jouletree::measure
