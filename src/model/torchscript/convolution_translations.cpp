#include "model/torchscript/list_attributes.hpp"
#include "model/torchscript/translations.hpp"

namespace jouletree::model::torchscript {
namespace {

std::size_t spatial_axes(const NodeDraft& draft, const runtime::Argument& weight) {
  const std::size_t rank = weight.is_tensor() ? weight.tensor.dims.size() : draft.dims(0).size();
  return rank > 2 ? rank - 2 : 0;
}

struct ConvolutionArguments {
  const runtime::Argument& weight;
  const runtime::Argument& stride;
  const runtime::Argument& padding;
  const runtime::Argument& dilation;
  const runtime::Argument& groups;
};

void set_convolution(NodeDraft& draft, const ConvolutionArguments& given) {
  const std::size_t axes = spatial_axes(draft, given.weight);
  if (given.weight.is_tensor() && given.weight.tensor.dims.size() > 2) {
    const Dims& dims = given.weight.tensor.dims;
    draft.set("kernel_shape", std::vector<std::int64_t>(dims.begin() + 2, dims.end()));
  }
  set_list(draft, "strides", given.stride, axes);
  set_padding(draft, given.padding, axes);
  set_list(draft, "dilations", given.dilation, axes);
  if (given.groups.kind == runtime::Argument::Kind::Integer)
    draft.set("group", given.groups.integer);
}

const runtime::Argument& packed_item(const NodeDraft& draft, std::size_t packed, std::size_t item) {
  static const runtime::Argument nothing;
  const runtime::Argument& argument = draft.argument(packed);
  return item < argument.items.size() ? argument.items[item] : nothing;
}

/// Weight, bias, stride and padding come first.
void set_packed_convolution(NodeDraft& draft, std::size_t dilation, std::size_t groups) {
  const auto item = [&draft](std::size_t at) -> const runtime::Argument& {
    return packed_item(draft, 1, at);
  };
  draft.take(draft.argument(0));
  draft.take(item(0));
  draft.take(item(1));
  set_convolution(draft, {item(0), item(2), item(3), item(dilation), item(groups)});
}

}  // namespace

void convolution(NodeDraft& draft) {
  draft.take({0, 1, 2});
  set_convolution(draft, {draft.argument(1), draft.argument(3), draft.argument(4),
                          draft.argument(5), draft.argument(6)});
}

void any_convolution(NodeDraft& draft) {
  draft.take({0, 1, 2});
  if (draft.argument(6).integer != 0) draft.op = "ConvTranspose";
  set_convolution(draft, {draft.argument(1), draft.argument(3), draft.argument(4),
                          draft.argument(5), draft.argument(8)});
}

void transposed_convolution(NodeDraft& draft) {
  draft.take({0, 1, 2});
  set_convolution(draft, {draft.argument(1), draft.argument(3), draft.argument(4),
                          draft.argument(7), draft.argument(6)});
}

void packed_convolution(NodeDraft& draft) { set_packed_convolution(draft, 4, 5); }
void packed_transposed_convolution(NodeDraft& draft) { set_packed_convolution(draft, 5, 6); }

void padding_first_convolution(NodeDraft& draft) {
  draft.take({0, 1, 2});
  set_convolution(draft, {draft.argument(1), draft.argument(4), draft.argument(3),
                          draft.argument(5), draft.argument(6)});
}

void bare_convolution(NodeDraft& draft) {
  draft.take({0, 1});
  set_convolution(draft, {draft.argument(1), draft.argument(3), draft.argument(2),
                          draft.argument(4), draft.argument(5)});
}

void kernel_convolution(NodeDraft& draft) {
  static const runtime::Argument nothing;
  draft.take({0, 1, 3});
  set_convolution(
      draft, {draft.argument(1), draft.argument(4), draft.argument(5), draft.argument(6), nothing});
}

void deformed_convolution(NodeDraft& draft) { draft.take({0, 1, 2, 4, 3}); }

void convolution_gradient(NodeDraft& draft) {
  draft.take({0, 1, 2});
  set_convolution(draft, {draft.argument(2), draft.argument(4), draft.argument(5),
                          draft.argument(6), draft.argument(9)});
  draft.set("transposed", draft.argument(7).integer);
  std::int64_t wanted[3] = {1, 1, 1};
  const std::vector<runtime::Argument>& mask = draft.argument(10).items;
  for (std::size_t i = 0; i < mask.size() && i < 3; ++i) wanted[i] = mask[i].integer;
  draft.set("products", wanted[0] + wanted[1]);
  draft.set("bias", wanted[2]);
}

}  // namespace jouletree::model::torchscript
