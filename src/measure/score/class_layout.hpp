#pragma once

#include <cstddef>

#include "measure/score/score_batch.hpp"

namespace jouletree::measure {

/// Where the classes stand in the outputs of a classifier, and what labels are.
struct ClassLayout {
  enum class Labels { Classes, Shares };

  std::size_t outer = 0;  ///< Rows before the axis of the classes,
  std::size_t classes = 0;
  std::size_t inner = 1;    ///< and behind it.
  bool predicted = false;   ///< The outputs are classes themselves.
  bool one_column = false;  ///< The score of class 1 of two alone.
  Labels labels = Labels::Classes;

  [[nodiscard]] std::size_t rows() const { return outer * inner; }
};

/// Throws Error(BadInput), with both shapes, where they do not fit each other.
[[nodiscard]] ClassLayout class_layout(const TensorView& outputs, const TensorView& labels,
                                       const ScoreReading& reading);

/// Throws Error(BadInput) that asks for the axis of the classes, because two of them fit.
[[noreturn]] void ask_for_axis(const Dims& outputs, const Dims& labels);

/// Throws Error(BadInput) unless both have as many examples, and at least one.
void check_same_examples(const Dims& outputs, const Dims& labels);
/// The shape without dimensions of 1 behind the first.
[[nodiscard]] Dims squeezed(const Dims& dims);

}  // namespace jouletree::measure
