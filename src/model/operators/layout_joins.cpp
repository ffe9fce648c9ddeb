#include "model/operators/layout_joins.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/number_of.hpp"
#include "model/operators/moves.hpp"
#include "model/operators/shape_math.hpp"

namespace jouletree::model {
namespace {

bool is_empty(const Dims& dims) { return elements_of(dims) == Count(0); }

/// The input that the others must fit: the first that is not empty, else the first of known rank.
const Dims* concat_reference(const Call& call) {
  const Dims* reference = nullptr;
  for (std::size_t i = 0; i < call.input_count(); ++i) {
    const Dims* dims = call.dims(i);
    if (dims == nullptr) continue;
    if (!is_empty(*dims)) return dims;
    if (reference == nullptr) reference = dims;
  }
  return reference;
}

/// Takes what `dims` tells about the axes that are not joined.
void fit_other_axes(const Call& call, const Dims& dims, std::size_t axis, Dims& output) {
  if (dims.size() != output.size())
    call.fail(fmt::format("cannot concatenate {} with {}", to_string(output), to_string(dims)));
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (i != axis)
      output[i] = same_dim(call, output[i], dims[i], "dimensions beside the joined axis");
  }
}

Dims concat_dims(const Call& call, const Dims& reference, std::size_t axis) {
  Dims output = reference;
  Count joined = 0;
  for (std::size_t i = 0; i < call.input_count(); ++i) {
    const Dims* dims = call.dims(i);
    if (dims == nullptr) {
      joined = Count::unknown();
      continue;
    }
    // An empty tensor need not fit: ONNX Runtime accepts what loops without iterations leave.
    if (!is_empty(*dims)) fit_other_axes(call, *dims, axis, output);
    if (axis < dims->size()) joined += count_of((*dims)[axis]);
  }
  output[axis] = dim_of(joined);
  return output;
}

/// One input of a Concat: `length` elements in a row of each outer index.
struct Piece {
  const Elements* content;
  std::int64_t length;
};

std::vector<Piece> concat_pieces(const Call& call, std::size_t axis) {
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < call.input_count(); ++i) {
    const Dims* dims = call.dims(i);
    if (dims == nullptr || is_empty(*dims)) continue;
    pieces.push_back(
        {followed_content(call, i), elements_of(*dims, axis, dims->size()).value_or(0)});
  }
  return pieces;
}

/// Elements of inputs whose content is unknown are unknown.
Elements concat_content(const Call& call, const Dims& output, std::size_t axis) {
  Elements result;
  const Count count = elements_of(output);
  if (count == Count(0)) return result;
  result.reserve(static_cast<std::size_t>(count.value()));
  const std::vector<Piece> pieces = concat_pieces(call, axis);
  const std::int64_t rows = elements_of(output, 0, axis).value();
  for (std::int64_t row = 0; row < rows; ++row) {
    for (const Piece& piece : pieces) {
      const bool known = piece.content != nullptr &&
                         static_cast<std::int64_t>(piece.content->size()) == rows * piece.length;
      if (known) {
        const Scalar* const from = piece.content->data() + row * piece.length;
        for (std::int64_t i = 0; i < piece.length; ++i) result.push_back(from[i]);
      } else {
        result.resize(result.size() + static_cast<std::size_t>(piece.length));
      }
    }
  }
  return result;
}

bool any_content(const Call& call) {
  for (std::size_t i = 0; i < call.input_count(); ++i)
    if (followed_content(call, i) != nullptr) return true;
  return false;
}

/// Sizes along the split axis as the call lists them, or unknown ones.
std::vector<Dim> listed_sizes(const Call& call, std::span<const Scalar> listed, Dim whole) {
  if (listed.size() != call.output_count()) {
    call.fail(fmt::format("lists {} for {}", number_of(listed.size(), "size"),
                          number_of(call.output_count(), "output")));
  }
  std::vector<Dim> sizes;
  Count sum = 0;
  std::size_t unknown = 0;
  std::size_t at = 0;
  for (const Scalar& size : listed) {
    if (!size.known()) {
      ++unknown;
      at = sizes.size();
      sizes.push_back(kUnknownDim);
      continue;
    }
    if (size.as_integer() < 0) call.fail(fmt::format("lists the size {}", size.as_integer()));
    sizes.push_back(size.as_integer());
    sum += size.as_integer();
  }
  if (whole == kUnknownDim) return sizes;
  if (sum.value() > whole || (unknown == 0 && sum.value() != whole))
    call.fail(fmt::format("lists sizes of together {} for an axis of {}", sum.value(), whole));
  if (unknown == 1) sizes[at] = whole - sum.value();
  return sizes;
}

std::vector<Dim> even_sizes(const Call& call, Dim whole) {
  const auto parts = static_cast<std::int64_t>(call.output_count());
  if (whole == kUnknownDim) return std::vector<Dim>(call.output_count(), kUnknownDim);
  // Since opset 18 the last part may be smaller.
  if (call.opset() < 18 && whole % parts != 0)
    call.fail(fmt::format("cannot split an axis of {} into {} equal parts", whole, parts));
  const Dim size = whole / parts + (whole % parts == 0 ? 0 : 1);
  std::vector<Dim> sizes(call.output_count(), size);
  const Count last = Count(whole) - Count(size) * Count(parts - 1);
  if (last.value() < 0)
    call.fail(fmt::format("an axis of {} is too short for {} parts of {}", whole, parts, size));
  sizes.back() = last.value();
  return sizes;
}

}  // namespace

void concat(Call& call) {
  if (call.input_count() == 0) call.fail("it has no inputs");
  const Dims* reference = concat_reference(call);
  if (reference == nullptr) return call.set_unknown(0, call.type(0));
  const std::size_t axis =
      normal_axis(call, call.attribute("axis", std::int64_t{1}), reference->size());
  const Dims output = concat_dims(call, *reference, axis);
  const bool content = can_hold_content(output) && any_content(call);
  Elements elements = content ? concat_content(call, output, axis) : Elements();
  call.set(0, call.type(0), output);
  if (content) call.set_content(0, std::move(elements));
}

void split(Call& call) {
  if (call.output_count() == 0) return;
  const ListArgument listed = list_argument(call, "split", 1);
  const Dims* input = call.dims(0);
  if (input == nullptr) {
    for (std::size_t i = 0; i < call.output_count(); ++i) call.set_unknown(i, call.type(0));
    return;
  }
  const std::size_t axis =
      normal_axis(call, call.attribute("axis", std::int64_t{0}), input->size());
  const Dim whole = (*input)[axis];
  std::vector<Dim> sizes(call.output_count(), kUnknownDim);
  if (listed.elements && !(listed.elements->empty() && call.has_attribute("split"))) {
    sizes = listed_sizes(call, *listed.elements, whole);
  } else if (!listed.given || listed.elements) {
    sizes = even_sizes(call, whole);
  }

  const Elements* content = followed_content(call, 0);
  const auto strides = content_strides(*input);
  Count start = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    Dims output = *input;
    output[axis] = sizes[i];
    call.set(i, call.type(0), output);
    if (content != nullptr && start.known()) {
      const std::int64_t first = start.value() * strides[axis];
      call.set_content(i, picked(*content, output, first, strides));
    }
    start += count_of(sizes[i]);
  }
}

}  // namespace jouletree::model
