#include "measure/score/class_layout.hpp"

#include <fmt/format.h>

#include "jouletree/error.hpp"

namespace jouletree::measure {
namespace {

[[noreturn]] void refuse_shapes(const Dims& outputs, const Dims& labels, const char* advice) {
  throw Error(ErrorKind::BadInput, fmt::format("the model returns {} and the labels are {}: {}",
                                               to_string(outputs), to_string(labels), advice));
}

constexpr const char* kWanted =
    "classes need outputs of examples x classes, and labels of examples or one-hot ones";

std::size_t product(const Dims& dims, std::size_t first, std::size_t last) {
  return static_cast<std::size_t>(elements_of(dims, first, last).value());
}

Dims without(const Dims& dims, std::size_t axis) {
  Dims others = dims;
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(axis));
  return others;
}

ClassLayout layout_along(const Dims& dims, std::size_t axis, ClassLayout::Labels labels) {
  ClassLayout layout;
  layout.outer = product(dims, 0, axis);
  layout.classes = static_cast<std::size_t>(dims[axis]);
  layout.inner = product(dims, axis + 1, dims.size());
  layout.labels = labels;
  return layout;
}

ClassLayout rows_only(const Dims& dims) {
  ClassLayout layout;
  layout.outer = product(dims, 0, dims.size());
  return layout;
}

/// Of an axis that the user names.
std::size_t named_axis(int axis, const Dims& outputs) {
  const int rank = static_cast<int>(outputs.size());
  const int counted = axis < 0 ? axis + rank : axis;
  if (counted < 1 || counted >= rank) {
    throw Error(ErrorKind::BadInput,
                fmt::format("there is no axis {} of classes in outputs of {}: give 1 to {}, or -1 "
                            "for the last",
                            axis, to_string(outputs), rank - 1));
  }
  return static_cast<std::size_t>(counted);
}

}  // namespace

// The wrong axis gives a score that looks like one.
void ask_for_axis(const Dims& outputs, const Dims& labels) {
  refuse_shapes(outputs, labels,
                "the classes may be axis 1, as in N x C x T (--class-axis 1), or the last one, as "
                "in N x T x C (--class-axis -1); say which");
}

Dims squeezed(const Dims& dims) {
  Dims result;
  for (std::size_t i = 0; i < dims.size(); ++i)
    if (i == 0 || dims[i] != 1) result.push_back(dims[i]);
  return result;
}

void check_same_examples(const Dims& outputs, const Dims& labels) {
  if (labels.empty())
    throw Error(ErrorKind::BadInput, "the labels are a single number; give one for each example");
  if (outputs.empty())
    throw Error(ErrorKind::BadInput, "the model returns a single number for all examples together");
  if (outputs[0] != labels[0]) {
    throw Error(ErrorKind::BadInput,
                fmt::format("the model returns {} rows for {} examples ({} for labels of {})",
                            outputs[0], labels[0], to_string(outputs), to_string(labels)));
  }
}

ClassLayout class_layout(const TensorView& outputs, const TensorView& labels,
                         const ScoreReading& reading) {
  using Labels = ClassLayout::Labels;
  check_same_examples(outputs.dims, labels.dims);
  const Dims& given = outputs.dims;
  if (product(given, 0, given.size()) == 0) refuse_shapes(given, labels.dims, kWanted);
  const Dims answers = squeezed(labels.dims);
  const bool same_shape = squeezed(given) == answers;
  if (same_shape && !is_floating(outputs.type)) {
    ClassLayout layout = rows_only(given);
    layout.predicted = true;
    return layout;
  }
  if (reading.class_axis) {
    const std::size_t axis = named_axis(*reading.class_axis, given);
    if (squeezed(without(given, axis)) == answers)
      return layout_along(given, axis, Labels::Classes);
    if (given == labels.dims) return layout_along(given, axis, Labels::Shares);
    refuse_shapes(given, labels.dims, "without the axis of the classes they must be the same");
  }
  // One number for each answer: of the second of two classes, unless labels are one-hot.
  const bool has_one =
      given.size() == 1 || given[1] == 1 || (given.back() == 1 && given[given.size() - 2] != 1);
  if (same_shape && has_one) {
    ClassLayout layout = rows_only(given);
    layout.one_column = true;
    return layout;
  }
  if (same_shape) return layout_along(given, 1, Labels::Shares);
  if (given.size() < 2) refuse_shapes(given, labels.dims, kWanted);
  const std::size_t last = given.size() - 1;
  const bool second_fits = squeezed(without(given, 1)) == answers;
  const bool last_fits = squeezed(without(given, last)) == answers;
  if (second_fits && last_fits && last != 1) {
    // Dimensions of 1 may tell them apart, where the labels have them, too.
    const bool is_second = without(given, 1) == labels.dims;
    if (is_second == (without(given, last) == labels.dims)) ask_for_axis(given, labels.dims);
    return layout_along(given, is_second ? 1 : last, Labels::Classes);
  }
  if (second_fits) return layout_along(given, 1, Labels::Classes);
  if (last_fits) return layout_along(given, last, Labels::Classes);
  refuse_shapes(given, labels.dims, kWanted);
}

}  // namespace jouletree::measure
