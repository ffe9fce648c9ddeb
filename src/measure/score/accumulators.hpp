#pragma once

#include <memory>
#include <optional>

#include "measure/score/score_batch.hpp"

namespace jouletree::measure {

/// Adds up what a metric of classes needs, batch by batch, in memory that does not grow with the
/// data (the area under a curve aside).
class ClassAccumulator {
 public:
  ClassAccumulator() = default;
  ClassAccumulator(const ClassAccumulator&) = delete;
  ClassAccumulator& operator=(const ClassAccumulator&) = delete;
  virtual ~ClassAccumulator() = default;
  /// Throws Error(BadInput) for what this metric cannot use.
  virtual void add(const ClassBatch& batch) = 0;
  [[nodiscard]] virtual double value() const = 0;
  /// Whether labels may be shares of several classes; others need the one that is right.
  [[nodiscard]] virtual bool takes_shares() const { return false; }
};

/// The same for numbers.
class NumberAccumulator {
 public:
  NumberAccumulator() = default;
  NumberAccumulator(const NumberAccumulator&) = delete;
  NumberAccumulator& operator=(const NumberAccumulator&) = delete;
  virtual ~NumberAccumulator() = default;
  virtual void add(const NumberBatch& batch) = 0;
  [[nodiscard]] virtual double value() const = 0;
};

// Values are not finite where nothing was added, or where what was added has none.

/// Share of rows with the right class among the best k. Of equal scores the lower class is the
/// better one.
[[nodiscard]] std::unique_ptr<ClassAccumulator> top_k(int k);
[[nodiscard]] std::unique_ptr<ClassAccumulator> error_rate();
/// Cross-entropy per row, in nats.
[[nodiscard]] std::unique_ptr<ClassAccumulator> cross_entropy();
[[nodiscard]] std::unique_ptr<ClassAccumulator> perplexity();
/// Of two classes.
[[nodiscard]] std::unique_ptr<ClassAccumulator> area_under_curve();

enum class ClassQuality { Precision, Recall, F1 };
/// Mean over the classes that are right or chosen somewhere; what would divide by 0 is 0.
[[nodiscard]] std::unique_ptr<ClassAccumulator> mean_quality(ClassQuality quality);
/// Of class 1 of two.
[[nodiscard]] std::unique_ptr<ClassAccumulator> binary_quality(ClassQuality quality);

[[nodiscard]] std::unique_ptr<NumberAccumulator> mean_squared_error();
[[nodiscard]] std::unique_ptr<NumberAccumulator> root_mean_squared_error();
[[nodiscard]] std::unique_ptr<NumberAccumulator> mean_absolute_error();
/// Mean over the columns; a column of equal targets has 1 if it is met exactly, else 0.
[[nodiscard]] std::unique_ptr<NumberAccumulator> r_squared();

}  // namespace jouletree::measure
