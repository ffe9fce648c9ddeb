#include <algorithm>
#include <limits>

#include "model/torchscript/translations.hpp"

namespace jouletree::model::torchscript {
namespace {

using Kind = runtime::Argument::Kind;

/// Of an operator with packed sequences, whose lengths stand behind them.
constexpr std::string_view kPackedOverload = "data";

std::int64_t size_at(const Dims& dims, std::int64_t axis) {
  const std::int64_t at = axis < 0 ? axis + static_cast<std::int64_t>(dims.size()) : axis;
  const bool is_there = at >= 0 && at < static_cast<std::int64_t>(dims.size());
  return is_there ? dims[static_cast<std::size_t>(at)] : 1;
}

/// Nothing (0) where a size is unknown or the product is too large for any tensor.
std::int64_t product_at(const Dims& dims, const std::vector<std::int64_t>& axes) {
  constexpr std::int64_t kLargest = std::int64_t{1} << 48U;
  std::int64_t product = 1;
  for (const std::int64_t axis : axes) {
    const std::int64_t size = size_at(dims, axis);
    if (size < 0 || (size > 0 && product > kLargest / size)) return 0;
    product *= size;
  }
  return product;
}

void set_length(NodeDraft& draft, std::int64_t length) {
  // Left out, it is unknown.
  if (length > 0) draft.set("length", length);
}

std::vector<std::int64_t> listed(const runtime::Argument& argument) {
  std::vector<std::int64_t> numbers;
  if (argument.kind == Kind::Integer) numbers.push_back(argument.integer);
  for (const runtime::Argument& item : argument.items)
    if (item.kind == Kind::Integer) numbers.push_back(item.integer);
  return numbers;
}

}  // namespace

void whole_recurrent_stack(NodeDraft& draft) {
  const std::size_t weights = draft.call().overload == kPackedOverload ? 3 : 2;
  draft.take({0});
  draft.take_tensors(draft.argument(weights), [](const runtime::RecordedTensor&) { return true; });
  draft.set("weights", static_cast<std::int64_t>(draft.inputs.size()) - 1);
}

void recurrent_cell(NodeDraft& draft) {
  draft.take({0, 2, 3, 4, 5});
  draft.set("weights", std::int64_t{4});
}

void contraction(NodeDraft& draft) {
  draft.take({0, 1});
  set_length(draft, product_at(draft.dims(0), listed(draft.argument(2))));
}

void time_first_convolution(NodeDraft& draft) {
  draft.take({0, 1, 2});
  set_length(draft, product_at(draft.dims(1), {0, 1}));
}

void named_fourier(NodeDraft& draft) {
  draft.take({0});
  const std::string& op = draft.call().op;
  const bool to_real =
      op.find("irfft") != std::string::npos || op.find("_hfft") != std::string::npos;
  const bool real =
      to_real || op.find("rfft") != std::string::npos || op.find("ihfft") != std::string::npos;
  const Dims& dims = to_real ? draft.output_dims() : draft.dims(0);
  std::vector<std::int64_t> axes = listed(draft.argument(2));
  if (axes.empty() && op.ends_with('2')) axes = {-2, -1};
  if (axes.empty() && op.ends_with('n'))
    for (std::size_t i = 0; i < dims.size(); ++i) axes.push_back(static_cast<std::int64_t>(i));
  if (axes.empty()) axes = {-1};
  set_length(draft, product_at(dims, axes));
  draft.set("real", std::int64_t{real ? 1 : 0});
}

void windowed_fourier(NodeDraft& draft) {
  draft.take({0});
  set_length(draft, draft.argument(1).integer);
  draft.set("real", std::int64_t{1});
}

}  // namespace jouletree::model::torchscript
