#include "model/pt2/shared_memory.hpp"

#include <algorithm>
#include <array>

namespace jouletree::model::pt2 {
namespace {

/// Always views.
constexpr std::array<std::string_view, 58> kViews = {"_reshape_alias",
                                                     "_unsafe_view",
                                                     "adjoint",
                                                     "alias",
                                                     "as_strided",
                                                     "atleast_1d",
                                                     "atleast_2d",
                                                     "atleast_3d",
                                                     "broadcast_tensors",
                                                     "broadcast_to",
                                                     "chunk",
                                                     "conj",
                                                     "detach",
                                                     "diagonal",
                                                     "dsplit",
                                                     "expand",
                                                     "expand_as",
                                                     "hsplit",
                                                     "imag",
                                                     "lift_fresh",
                                                     "linalg_diagonal",
                                                     "mH",
                                                     "mT",
                                                     "matrix_H",
                                                     "moveaxis",
                                                     "movedim",
                                                     "narrow",
                                                     "numpy_T",
                                                     "permute",
                                                     "positive",
                                                     "real",
                                                     "select",
                                                     "slice",
                                                     "split",
                                                     "split_with_sizes",
                                                     "squeeze",
                                                     "swapaxes",
                                                     "swapdims",
                                                     "t",
                                                     "tensor_split",
                                                     "transpose",
                                                     "unbind",
                                                     "unfold",
                                                     "unsafe_chunk",
                                                     "unsafe_split",
                                                     "unsafe_split_with_sizes",
                                                     "unsqueeze",
                                                     "view",
                                                     "view_as",
                                                     "view_as_complex",
                                                     "view_as_real",
                                                     "vsplit",
                                                     "values",
                                                     "indices",
                                                     "crow_indices",
                                                     "col_indices",
                                                     "resolve_conj",
                                                     "resolve_neg"};

/// Views wherever the strides allow it.
constexpr std::array<std::string_view, 5> kReshapes = {"flatten", "ravel", "reshape", "reshape_as",
                                                       "unflatten"};

/// The same tensor where it is as it should be already.
constexpr std::array<std::string_view, 9> kConversions = {"contiguous",
                                                          "to",
                                                          "type_as",
                                                          "_autocast_to_reduced_precision",
                                                          "_autocast_to_full_precision",
                                                          "float",
                                                          "half",
                                                          "double",
                                                          "bfloat16"};

template <std::size_t Size>
bool lists(const std::array<std::string_view, Size>& names, std::string_view op) {
  return std::find(names.begin(), names.end(), op) != names.end();
}

}  // namespace

bool can_be_viewed(const TensorFacts& tensor, const Dims& as) {
  if (tensor.strides.size() != tensor.dims.size()) return false;
  const auto is_known = [](const Dims& dims) {
    return std::all_of(dims.begin(), dims.end(), [](Dim dim) { return dim >= 0; });
  };
  if (!is_known(tensor.dims) || !is_known(tensor.strides) || !is_known(as)) return false;
  // From the last dimension on: runs of dimensions whose elements follow each other evenly must
  // split into whole dimensions of the new shape.
  auto left = static_cast<std::ptrdiff_t>(as.size()) - 1;
  Count run = 1;
  Count seen = 1;
  for (std::size_t i = tensor.dims.size(); i-- > 0;) {
    run = run * Count(tensor.dims[i]);
    const bool goes_on =
        i > 0 && (tensor.dims[i - 1] == 1 ||
                  Count(tensor.strides[i - 1]) == Count(tensor.strides[i]) * Count(tensor.dims[i]));
    if (goes_on) continue;
    while (left >= 0 && (seen.value() < run.value() || as[static_cast<std::size_t>(left)] == 1))
      seen = seen * Count(as[static_cast<std::size_t>(left--)]);
    if (!(seen == run)) return false;
    run = 1;
    seen = 1;
  }
  return left < 0;
}

ResultIn result_in(std::string_view op, const TensorFacts& first_input, const TensorFacts& result,
                   bool asks_for_copy) {
  if (lists(kViews, op)) return ResultIn::FirstInput;
  if (lists(kReshapes, op))
    return can_be_viewed(first_input, result.dims) ? ResultIn::FirstInput : ResultIn::OwnMemory;
  const bool is_same = first_input.type == result.type && first_input.dims == result.dims &&
                       first_input.strides == result.strides;
  if (lists(kConversions, op) && is_same && !asks_for_copy) return ResultIn::FirstInputSame;
  return ResultIn::OwnMemory;
}

bool writes_in_place(std::string_view op) { return op.ends_with('_') && !op.ends_with("__"); }

}  // namespace jouletree::model::pt2
