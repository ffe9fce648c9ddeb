#include "measure/score/score_batch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/number_format.hpp"
#include "base/number_of.hpp"
#include "jouletree/error.hpp"
#include "measure/score/class_layout.hpp"

namespace jouletree::measure {
namespace {

/// How far the probabilities of a row may be from 1 together: more than rounding of short floats.
constexpr double kRounding = 0.01;

std::int64_t example_of(std::size_t row, std::size_t rows, const Dims& labels, std::int64_t first) {
  const auto examples = static_cast<std::size_t>(labels[0]);
  return first + static_cast<std::int64_t>(row / std::max<std::size_t>(rows / examples, 1));
}

void refuse_nan(const std::vector<double>& numbers, const Dims& dims, std::int64_t first,
                bool of_model) {
  const auto found =
      std::find_if(numbers.begin(), numbers.end(), [](double one) { return std::isnan(one); });
  if (found == numbers.end()) return;
  const auto place = static_cast<std::size_t>(found - numbers.begin());
  const std::int64_t example = example_of(place, numbers.size(), dims, first);
  if (of_model) {
    throw Error(ErrorKind::Failed,
                fmt::format("the model returns NaN for example {}; there is no score", example));
  }
  throw Error(ErrorKind::BadInput, fmt::format("the label of example {} is NaN", example));
}

/// rows × classes, whichever axis the classes are.
std::vector<double> by_rows(std::vector<double> numbers, const ClassLayout& layout) {
  if (layout.inner == 1) return numbers;
  std::vector<double> sorted(numbers.size());
  for (std::size_t outer = 0; outer < layout.outer; ++outer) {
    for (std::size_t k = 0; k < layout.classes; ++k) {
      const double* const from = numbers.data() + (outer * layout.classes + k) * layout.inner;
      for (std::size_t inner = 0; inner < layout.inner; ++inner)
        sorted[(outer * layout.inner + inner) * layout.classes + k] = from[inner];
    }
  }
  return sorted;
}

std::size_t best_of(const double* row, std::size_t classes) {
  return static_cast<std::size_t>(std::max_element(row, row + classes) - row);
}

/// Whole numbers; others are no classes.
std::vector<std::int64_t> classes_in(const std::vector<double>& numbers, const char* what,
                                     const Dims& dims, std::int64_t first) {
  std::vector<std::int64_t> classes;
  classes.reserve(numbers.size());
  for (const double one : numbers) {
    if (one != std::floor(one) || std::abs(one) > 9e15) {
      throw Error(ErrorKind::BadInput,
                  fmt::format("{} {} of example {} is no class: give whole numbers, or a metric of "
                              "numbers such as mse",
                              what, one, example_of(classes.size(), numbers.size(), dims, first)));
    }
    classes.push_back(static_cast<std::int64_t>(one));
  }
  return classes;
}

double smallest_probability(DataType type) {
  if (type == DataType::Float64) return std::numeric_limits<double>::epsilon();
  return std::numeric_limits<float>::epsilon();
}

/// Where no row shows anything else.
bool look_like_probabilities(const std::vector<double>& scores, std::size_t classes) {
  for (std::size_t begin = 0; begin < scores.size(); begin += classes) {
    double sum = 0;
    for (std::size_t k = 0; k < classes; ++k) {
      const double one = scores[begin + k];
      if (!(one >= 0) || one > 1 + kRounding) return false;
      sum += one;
    }
    if (classes > 1 && std::abs(sum - 1) > kRounding) return false;
  }
  return true;
}

/// The score of class 1 of two, as scores of both.
std::vector<double> of_two_classes(const std::vector<double>& column, bool probabilities) {
  std::vector<double> both;
  both.reserve(column.size() * 2);
  for (const double one : column) {
    both.push_back(probabilities ? 1 - one : 0);
    both.push_back(one);
  }
  return both;
}

void check_label(std::int64_t label, std::size_t classes, std::int64_t example,
                 std::int64_t ignored) {
  const bool fits = label >= 0 && (classes == 0 || static_cast<std::size_t>(label) < classes);
  if (fits) return;
  const std::string classes_are =
      classes == 0 ? "is no class" : fmt::format("is none of the classes 0 to {}", classes - 1);
  throw Error(ErrorKind::BadInput,
              fmt::format("the label {} of example {} {}; {} marks what is not scored", label,
                          example, classes_are, ignored));
}

/// The first row that is no shares of a whole; as many as there are rows where all are.
std::size_t first_without_shares(const std::vector<double>& shares, std::size_t classes) {
  const std::size_t rows = shares.size() / classes;
  for (std::size_t row = 0; row < rows; ++row) {
    double sum = 0;
    bool fits = true;
    for (std::size_t k = 0; k < classes; ++k) {
      const double one = shares[row * classes + k];
      fits = fits && one >= 0;
      sum += one;
    }
    if (!fits || !(std::abs(sum - 1) <= kRounding)) return row;
  }
  return rows;
}

[[noreturn]] void refuse_shares(const std::vector<double>& shares, std::size_t row,
                                std::size_t classes, bool fit_last, std::int64_t example) {
  double sum = 0;
  for (std::size_t k = 0; k < classes; ++k) sum += shares[row * classes + k];
  throw Error(
      ErrorKind::BadInput,
      fmt::format("the labels of example {} are as many as its outputs, but not one-hot: {} up to "
                  "{:g}, not to 1; {}",
                  example, fit_last ? "along axis 1 they add" : "they add", sum,
                  fit_last ? "they are along the last axis: say --class-axis -1"
                           : "for numbers take a metric such as mse"));
}

/// Takes out rows that are not scored.
void drop_ignored(ClassBatch& batch, std::int64_t ignored) {
  std::size_t kept = 0;
  for (std::size_t row = 0; row < batch.rows; ++row) {
    if (batch.labels[row] == ignored) continue;
    if (kept != row) {
      batch.labels[kept] = batch.labels[row];
      if (!batch.predicted.empty()) batch.predicted[kept] = batch.predicted[row];
      const auto from = batch.scores.begin() + static_cast<std::ptrdiff_t>(row * batch.classes);
      std::copy_n(from, batch.classes,
                  batch.scores.begin() + static_cast<std::ptrdiff_t>(kept * batch.classes));
    }
    ++kept;
  }
  batch.rows = kept;
  batch.labels.resize(kept);
  if (!batch.predicted.empty()) batch.predicted.resize(kept);
  batch.scores.resize(kept * batch.classes);
}

}  // namespace

bool BatchReader::are_probabilities(const ClassBatch& batch, bool one_column, std::int64_t first) {
  const std::size_t columns = one_column ? 1 : batch.classes;
  if (reading_.outputs == ScoreKind::Logits) return false;
  const bool look_so = look_like_probabilities(batch.scores, columns);
  if (!probabilities_) {
    if (reading_.outputs == ScoreKind::Probabilities && !look_so) {
      throw Error(ErrorKind::BadInput,
                  "the outputs are no probabilities: they are not between 0 and 1, or do not add "
                  "up to 1");
    }
    probabilities_ = look_so;
  }
  if (*probabilities_ && !look_so) {
    throw Error(ErrorKind::BadInput,
                fmt::format("the outputs look like probabilities up to example {}, and then no "
                            "longer do; say which they are: logits or probabilities",
                            first - 1));
  }
  return *probabilities_;
}

ClassBatch BatchReader::classes_of(const TensorView& outputs, const TensorView& labels,
                                   std::int64_t first) {
  const ClassLayout layout = class_layout(outputs, labels, reading_);
  std::vector<double> returned = measure::numbers_of(outputs, "the outputs");
  std::vector<double> answers = measure::numbers_of(labels, "the labels");
  refuse_nan(returned, outputs.dims, first, true);
  refuse_nan(answers, labels.dims, first, false);
  ClassBatch batch;
  batch.rows = layout.rows();
  batch.classes = layout.classes;
  batch.smallest = smallest_probability(outputs.type);
  if (layout.predicted) {
    batch.predicted = classes_in(returned, "the answer", outputs.dims, first);
  } else {
    batch.scores = layout.one_column ? std::move(returned) : by_rows(std::move(returned), layout);
  }
  if (layout.labels == ClassLayout::Labels::Shares) {
    batch.shares = std::move(answers);
    set_shares(layout, outputs.dims, labels.dims, first, batch);
  } else {
    batch.labels = classes_in(answers, "the label", labels.dims, first);
  }
  if (layout.one_column) batch.classes = 1;
  const std::size_t all_rows = batch.rows;
  for (std::size_t row = 0; row < all_rows; ++row) {
    if (batch.shares.empty() && batch.labels[row] == reading_.ignored_label) continue;
    check_label(batch.labels[row], layout.one_column ? 2 : batch.classes,
                example_of(row, all_rows, labels.dims, first), reading_.ignored_label);
  }
  if (batch.shares.empty()) drop_ignored(batch, reading_.ignored_label);
  ignored_ += static_cast<std::int64_t>(all_rows - batch.rows);
  counted_ += static_cast<std::int64_t>(batch.rows);
  if (!layout.predicted && batch.rows > 0)
    batch.probabilities = are_probabilities(batch, layout.one_column, first);
  if (layout.one_column) {
    one_column_ = true;
    batch.scores = of_two_classes(batch.scores, batch.probabilities);
    batch.classes = 2;
  }
  if (!layout.predicted) {
    for (std::size_t row = 0; row < batch.rows; ++row) {
      batch.predicted.push_back(static_cast<std::int64_t>(
          best_of(batch.scores.data() + row * batch.classes, batch.classes)));
    }
  }
  return batch;
}

/// Labels of as many axes as the outputs may be one-hot along the second or the last; what they
/// hold shows along which.
void BatchReader::set_shares(const ClassLayout& layout, const Dims& outputs, const Dims& labels,
                             std::int64_t first, ClassBatch& batch) {
  const std::size_t classes = layout.classes;
  const bool two_ways = layout.inner > 1 && !reading_.class_axis && !settled_shares_;
  const auto last = static_cast<std::size_t>(outputs.back());
  const bool fit_last =
      two_ways && first_without_shares(batch.shares, last) == batch.shares.size() / last;
  batch.shares = by_rows(std::move(batch.shares), layout);
  const std::size_t wrong = first_without_shares(batch.shares, classes);
  const auto example = [&](std::size_t row) { return example_of(row, batch.rows, labels, first); };
  if (wrong < batch.rows) refuse_shares(batch.shares, wrong, classes, fit_last, example(wrong));
  if (fit_last) ask_for_axis(outputs, labels);
  settled_shares_ = true;
  for (std::size_t row = 0; row < batch.rows; ++row) {
    const double* const shares = batch.shares.data() + row * classes;
    const std::size_t best = best_of(shares, classes);
    batch.labels.push_back(static_cast<std::int64_t>(best));
    if (!batch.divided_example && shares[best] < 1 - kRounding)
      batch.divided_example = example(row);
  }
}

NumberBatch BatchReader::numbers_of(const TensorView& outputs, const TensorView& labels,
                                    std::int64_t first) {
  check_same_examples(outputs.dims, labels.dims);
  if (squeezed(outputs.dims) != squeezed(labels.dims)) {
    throw Error(ErrorKind::BadInput,
                fmt::format("the model returns {} and the labels are {}: numbers are compared one "
                            "by one, so both must have the same shape",
                            to_string(outputs.dims), to_string(labels.dims)));
  }
  NumberBatch batch;
  batch.outputs = measure::numbers_of(outputs, "the outputs");
  batch.targets = measure::numbers_of(labels, "the labels");
  refuse_nan(batch.outputs, outputs.dims, first, true);
  refuse_nan(batch.targets, labels.dims, first, false);
  batch.rows = static_cast<std::size_t>(labels.dims[0]);
  batch.columns = batch.rows == 0 ? 0 : batch.outputs.size() / batch.rows;
  return batch;
}

void BatchReader::check_any_counted() const {
  if (counted_ > 0 || ignored_ == 0) return;
  throw Error(ErrorKind::BadInput,
              fmt::format("all labels are {}, which marks what is not scored: there is nothing to "
                          "score",
                          reading_.ignored_label));
}

std::vector<std::string> BatchReader::notes() const {
  std::vector<std::string> notes;
  if (one_column_) {
    const bool probabilities = probabilities_.value_or(false);
    notes.push_back(fmt::format(
        "outputs of one column are the {} of class 1 of two; class 1 is chosen above {}",
        probabilities ? "probability" : "logit", probabilities ? "0.5" : "0"));
  } else if (probabilities_) {
    notes.push_back(
        fmt::format("outputs were read as {}", *probabilities_ ? "probabilities" : "logits"));
  }
  if (ignored_ > 0) {
    notes.push_back(fmt::format("{} of {} {} {} and {} not scored; the score is of the other {}",
                                with_separators(ignored_), number_of(ignored_ + counted_, "label"),
                                agreeing(ignored_, "is", "are"), reading_.ignored_label,
                                agreeing(ignored_, "was", "were"), with_separators(counted_)));
  }
  return notes;
}

}  // namespace jouletree::measure
