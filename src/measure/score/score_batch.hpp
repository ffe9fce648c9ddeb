#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "measure/score/tensor_numbers.hpp"

namespace jouletree::measure {

struct ClassLayout;

/// What the outputs of a classifier are.
enum class ScoreKind { Auto, Logits, Probabilities };

/// How outputs and labels are read. What is not said follows from their shapes and contents.
struct ScoreReading {
  ScoreKind outputs = ScoreKind::Auto;
  std::optional<int> class_axis{};  ///< Of the outputs; negative: from the end.
  std::int64_t ignored_label = -100;
};

/// Answers of a classifier beside the right ones; a row is an example, or a pixel or token of one.
struct ClassBatch {
  std::size_t rows = 0;
  std::size_t classes = 0;              ///< 0 where the model returns classes and no scores.
  std::vector<double> scores;           ///< rows × classes.
  bool probabilities = false;           ///< Else they are logits.
  double smallest = 0;                  ///< A probability below this counts as this.
  std::vector<std::int64_t> predicted;  ///< The best class of each row.
  std::vector<std::int64_t> labels;     ///< The right one.
  std::vector<double> shares;           ///< rows × classes, where labels are shares; else empty.
  /// The first example whose shares name no single class.
  std::optional<std::int64_t> divided_example{};
};

/// Numbers beside the right ones: rows × columns.
struct NumberBatch {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> outputs;
  std::vector<double> targets;
};

/// Turns what a model returns and what it should into one of the above, batch by batch. What the
/// first batch shows holds for all. Throws Error(BadInput) for labels that do not fit the outputs,
/// Error(Failed) for outputs that are no numbers.
class BatchReader {
 public:
  explicit BatchReader(ScoreReading reading) : reading_(reading) {}

  /// `first` is the number of the first example, for messages.
  [[nodiscard]] ClassBatch classes_of(const TensorView& outputs, const TensorView& labels,
                                      std::int64_t first);
  [[nodiscard]] static NumberBatch numbers_of(const TensorView& outputs, const TensorView& labels,
                                              std::int64_t first);
  /// Throws Error(BadInput) where there were classes to score, and all of them are ignored.
  void check_any_counted() const;
  /// How outputs were read, one sentence each.
  [[nodiscard]] std::vector<std::string> notes() const;

 private:
  [[nodiscard]] bool are_probabilities(const ClassBatch& batch, bool one_column,
                                       std::int64_t first);
  void set_shares(const ClassLayout& layout, const Dims& outputs, const Dims& labels,
                  std::int64_t first, ClassBatch& batch);

  ScoreReading reading_;
  std::optional<bool> probabilities_;
  bool one_column_ = false;
  bool settled_shares_ = false;  ///< Shares stand along the second axis, and no other.
  std::int64_t ignored_ = 0;     ///< Labels that were not scored,
  std::int64_t counted_ = 0;     ///< and those that were.
};

}  // namespace jouletree::measure
