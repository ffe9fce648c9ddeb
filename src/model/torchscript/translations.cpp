#include "model/torchscript/translations.hpp"

#include <algorithm>

#include "model/operators/table.hpp"
#include "model/torchscript/list_attributes.hpp"

namespace jouletree::model::torchscript {
namespace {

using Kind = runtime::Argument::Kind;

/// A tensor without a batch has one dimension less.
std::size_t window_axes(const NodeDraft& draft, std::size_t kernel_position) {
  const runtime::Argument& kernel = draft.argument(kernel_position);
  if (kernel.kind == Kind::List && kernel.items.size() > 1) return kernel.items.size();
  const std::size_t rank = draft.dims(0).size();
  return rank > 2 ? rank - 2 : 0;
}

/// The weights among what was packed: the tensor of the highest rank; the bias has one dimension.
void take_packed_weights(NodeDraft& draft) {
  std::vector<const runtime::Argument*> open;
  const runtime::Argument* weight = nullptr;
  const runtime::Argument* bias = nullptr;
  for (const runtime::Argument& argument : draft.call().arguments)
    if (argument.kind == Kind::Packed) open.push_back(&argument);
  while (!open.empty()) {
    const runtime::Argument* argument = open.back();
    open.pop_back();
    for (const runtime::Argument& item : argument->items) open.push_back(&item);
    if (!argument->is_tensor()) continue;
    const std::size_t rank = argument->tensor.dims.size();
    if (rank > 1 && (weight == nullptr || rank > weight->tensor.dims.size())) weight = argument;
    if (rank == 1 && is_floating(argument->tensor.type)) bias = argument;
  }
  draft.take(draft.argument(0));
  draft.inputs.push_back(weight);
  draft.inputs.push_back(bias);
}

void resize(NodeDraft& draft, const char* mode) {
  draft.take({0});
  draft.set("mode", std::string(mode));
}

}  // namespace

void all_tensors(NodeDraft& draft) { draft.take_all_tensors(); }
void first_tensor(NodeDraft& draft) { draft.take({0}); }

void quantized_convolution(NodeDraft& draft) { take_packed_weights(draft); }
void packed_linear(NodeDraft& draft) { take_packed_weights(draft); }

void linear(NodeDraft& draft) {
  draft.take({0, 1, 2});
  if (draft.dims(0).size() != 2) return;
  draft.domain = kOnnx;
  draft.op = "Gemm";
  draft.set("transB", std::int64_t{1});
}

void matrices_then_addend(NodeDraft& draft) {
  draft.take({1, 2, 0});
  // Factors of 1 need no multiplication.
  if (draft.argument(3).kind == Kind::Real || draft.argument(3).kind == Kind::Integer)
    draft.set("beta", draft.argument(3).real);
  if (draft.argument(4).kind == Kind::Real || draft.argument(4).kind == Kind::Integer)
    draft.set("alpha", draft.argument(4).real);
}

void einsum_of_list(NodeDraft& draft) {
  draft.take_all_tensors();
  draft.set("equation", draft.argument(0).text);
}

void two_matrices(NodeDraft& draft) { draft.take({0, 1}); }

void max_pool(NodeDraft& draft) {
  draft.take({0});
  const std::size_t axes = window_axes(draft, 1);
  set_list(draft, "kernel_shape", draft.argument(1), axes);
  // No stride means that of the kernel.
  const bool given = draft.argument(2).kind == Kind::List && !draft.argument(2).items.empty();
  set_list(draft, "strides", draft.argument(given ? 2 : 1), axes);
  set_padding(draft, draft.argument(3), axes);
  if (draft.op == "MaxPool") {
    set_list(draft, "dilations", draft.argument(4), axes);
    draft.set("ceil_mode", draft.argument(5).integer);
  } else {
    draft.set("ceil_mode", draft.argument(4).integer);
  }
}

void average_pool(NodeDraft& draft) { max_pool(draft); }

namespace {

/// Where the output divides the input this is a pooling with a fixed window.
void adaptive_pool(NodeDraft& draft, std::string_view global, std::string_view windowed,
                   std::string_view uneven) {
  draft.take({0});
  const Dims& input = draft.dims(0);
  const Dims& output = draft.output_dims();
  const runtime::Argument& sizes = draft.argument(1);
  const std::size_t axes = sizes.kind == Kind::List ? sizes.items.size() : 1;
  if (input.size() != output.size() || input.size() < axes) return;
  std::vector<std::int64_t> window;
  bool whole = true;
  for (std::size_t i = input.size() - axes; i < input.size(); ++i) {
    whole = whole && output[i] == 1;
    const bool divides = output[i] > 0 && input[i] % output[i] == 0;
    window.push_back(divides ? input[i] / output[i] : 0);
  }
  if (whole) {
    draft.op = global;
  } else if (std::find(window.begin(), window.end(), 0) == window.end()) {
    draft.op = windowed;
    draft.set("kernel_shape", window);
    draft.set("strides", window);
  } else {
    draft.domain = kTorch;
    draft.op = uneven;
  }
}

}  // namespace

void adaptive_average_pool(NodeDraft& draft) {
  adaptive_pool(draft, "GlobalAveragePool", "AveragePool", "AdaptiveAveragePool");
}

void adaptive_max_pool(NodeDraft& draft) {
  adaptive_pool(draft, "GlobalMaxPool", "MaxPool", "AdaptiveMaxPool");
}

void batch_norm(NodeDraft& draft) {
  draft.take({0, 1, 2, 3, 4});
  draft.set("training_mode", draft.argument(5).integer);
}

void clamp(NodeDraft& draft) {
  draft.take({0});
  for (const auto& [name, position] : {std::pair("min", 1), std::pair("max", 2)}) {
    const runtime::Argument& bound = draft.argument(static_cast<std::size_t>(position));
    if (bound.kind != Kind::None) draft.set(name, bound.real);
  }
}

void clamp_below(NodeDraft& draft) {
  draft.take({0});
  draft.set("min", draft.argument(1).real);
}

void clamp_above(NodeDraft& draft) {
  draft.take({0});
  draft.set("max", draft.argument(1).real);
}

void gelu(NodeDraft& draft) {
  draft.take({0});
  if (draft.argument(1).kind == Kind::Text) draft.set("approximate", draft.argument(1).text);
}

void resize_nearest(NodeDraft& draft) { resize(draft, "nearest"); }
void resize_linear(NodeDraft& draft) { resize(draft, "linear"); }
void resize_cubic(NodeDraft& draft) { resize(draft, "cubic"); }

void masked_choice(NodeDraft& draft) { draft.take({1, 2, 0}); }

void legit_batch_norm(NodeDraft& draft) {
  if (draft.call().overload != "no_stats") return batch_norm(draft);
  draft.take({0, 1, 2});
  draft.set("training_mode", draft.argument(3).integer);
}

void idle_batch_norm(NodeDraft& draft) { draft.take({0, 1, 2, 3, 4}); }

void updating_batch_norm(NodeDraft& draft) {
  draft.take({0, 1, 2, 3, 4});
  draft.set("training_mode", std::int64_t{1});
}

namespace {

/// How many points one transform has: those of all its dimensions together.
void set_transform(NodeDraft& draft, const Dims& dims, bool real) {
  draft.take({0});
  std::int64_t length = 1;
  for (const runtime::Argument& axis : draft.argument(1).items) {
    const std::int64_t at =
        axis.integer < 0 ? axis.integer + static_cast<std::int64_t>(dims.size()) : axis.integer;
    if (at >= 0 && at < static_cast<std::int64_t>(dims.size()))
      length *= std::max<std::int64_t>(dims[static_cast<std::size_t>(at)], 1);
  }
  draft.set("length", length);
  draft.set("real", std::int64_t{real ? 1 : 0});
}

}  // namespace

void fourier(NodeDraft& draft) { set_transform(draft, draft.dims(0), false); }
void real_fourier(NodeDraft& draft) { set_transform(draft, draft.dims(0), true); }
void fourier_to_real(NodeDraft& draft) { set_transform(draft, draft.output_dims(), true); }

void bag_of_rows(NodeDraft& draft) { draft.take({0, 1, 2, 6}); }
void boundaries_first(NodeDraft& draft) { draft.take({1, 0}); }

}  // namespace jouletree::model::torchscript
