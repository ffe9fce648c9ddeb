#include <algorithm>

#include <fmt/format.h>

#include "base/number_of.hpp"
#include "model/operators/activation_flops.hpp"
#include "model/operators/blocked_layout.hpp"
#include "model/operators/causal_convolution.hpp"
#include "model/operators/common_facts.hpp"
#include "model/operators/cost_math.hpp"
#include "model/operators/families.hpp"
#include "model/operators/layout_domains.hpp"
#include "model/operators/quantization_flops.hpp"
#include "model/operators/shape_math.hpp"
#include "model/operators/window.hpp"

namespace jouletree::model {
namespace {

enum class Layout : std::uint8_t {
  ChannelsFirst,
  ChannelsLast,
  Blocked,  ///< Channels first and filled up to whole blocks.
};

std::int64_t groups_of(const Call& call) {
  const std::int64_t groups = call.attribute("group", std::int64_t{1});
  if (groups <= 0) call.fail("its attribute 'group' should be positive");
  return groups;
}

/// Weights are MxCxK… in every layout, but NhwcConv may have them as MxK…xC.
Dims kernel_of(const Call& call, const Dims* weight, const Image& input, bool channels_last) {
  const std::size_t axes = input.spatial.size();
  const auto given = call.attribute_integers("kernel_shape");
  if (given && !given->empty()) {
    if (given->size() != axes) {
      call.fail(
          fmt::format("its attribute 'kernel_shape' should have {}", number_of(axes, "element")));
    }
    if (std::any_of(given->begin(), given->end(), [](std::int64_t size) { return size <= 0; }))
      call.fail("its attribute 'kernel_shape' should be positive");
    return {given->begin(), given->end()};
  }
  if (weight == nullptr) return Dims(axes, kUnknownDim);
  const bool trails =
      channels_last && (*weight)[1] != input.channels && weight->back() == input.channels;
  const auto first = weight->begin() + (trails ? 1 : 2);
  return {first, first + static_cast<std::ptrdiff_t>(axes)};
}

void check_channels(const Call& call, const Dims& weight, const Image& input) {
  const Count wanted = count_of(weight[1]) * groups_of(call);
  if (wanted.known() && input.channels != kUnknownDim && wanted.value() != input.channels) {
    call.fail(fmt::format("its weights of shape {} need an input of {}, not {}", to_string(weight),
                          number_of(wanted.value(), "channel"), input.channels));
  }
}

void convolve(Call& call, DataType type, std::size_t weight_slot, Layout layout) {
  const Dims* dims = call.dims(0);
  if (dims == nullptr) return call.set_unknown(0, type);
  const bool channels_last = layout == Layout::ChannelsLast;
  const Image input = image_of(call, *dims, channels_last);
  const Dims* weight = call.dims(weight_slot);
  if (weight != nullptr && weight->size() != dims->size()) {
    call.fail(fmt::format("its weights of shape {} do not fit an input of shape {}",
                          to_string(*weight), to_string(*dims)));
  }
  if (weight != nullptr && layout == Layout::ChannelsFirst) check_channels(call, *weight, input);
  const KernelWindow window = read_window(call, kernel_of(call, weight, input, channels_last));
  Image output{input.batch, weight == nullptr ? kUnknownDim : weight->front(), {}};
  for (std::size_t i = 0; i < input.spatial.size(); ++i)
    output.spatial.push_back(convolved_dim(call, window, i, input.spatial[i]));
  call.set(0, type, dims_of(output, channels_last));
}

void conv(Call& call) { convolve(call, call.type(0), 1, Layout::ChannelsFirst); }
void conv_channels_last(Call& call) { convolve(call, call.type(0), 1, Layout::ChannelsLast); }
void conv_blocked(Call& call) { convolve(call, call.type(0), 1, Layout::Blocked); }
void conv_integer(Call& call) { convolve(call, DataType::Int32, 1, Layout::ChannelsFirst); }

void qlinear_conv(Call& call) {
  const bool channels_last = call.attribute("channels_last", std::int64_t{0}) != 0;
  convolve(call, call.has_input(7) ? call.type(7) : call.type(0), 3,
           channels_last ? Layout::ChannelsLast : Layout::ChannelsFirst);
}

void qlinear_conv_channels_last(Call& call) {
  convolve(call, call.has_input(7) ? call.type(7) : call.type(0), 3, Layout::ChannelsLast);
}

/// Sizes that the attribute output_shape asks for; empty where it does not.
Dims wanted_sizes(const Call& call, std::size_t axes) {
  auto wanted = call.attribute_integers("output_shape").value_or(std::vector<std::int64_t>());
  if (wanted.size() == axes + 2) wanted.erase(wanted.begin(), wanted.begin() + 2);
  if (!wanted.empty() && wanted.size() != axes) {
    call.fail(
        fmt::format("its attribute 'output_shape' should have {}", number_of(axes, "element")));
  }
  if (std::any_of(wanted.begin(), wanted.end(), [](std::int64_t size) { return size <= 0; }))
    call.fail("its attribute 'output_shape' should be positive");
  return wanted;
}

/// `pads` replaces those of the attribute; nothing where they depend on data.
void transpose(Call& call, bool channels_last, std::optional<std::vector<std::int64_t>> pads) {
  const Dims* dims = call.dims(0);
  if (dims == nullptr) return call.set_unknown(0, call.type(0));
  const Image input = image_of(call, *dims, channels_last);
  const std::size_t axes = input.spatial.size();
  const Dims* weight = call.dims(1);
  if (weight != nullptr && weight->size() != dims->size()) {
    call.fail(fmt::format("its weights of shape {} do not fit an input of shape {}",
                          to_string(*weight), to_string(*dims)));
  }
  KernelWindow window = read_window(call, kernel_of(call, weight, input, false));
  if (pads && pads->size() != 2 * axes)
    call.fail(fmt::format("its pads should have {} elements", 2 * axes));
  if (pads && window.auto_pad == AutoPad::NotSet) window.pads = *pads;
  const Dims wanted = wanted_sizes(call, axes);
  const auto extra = list_attribute(call, "output_padding", axes, 0);
  Image output{input.batch, kUnknownDim, {}};
  if (weight != nullptr) {
    (void)same_dim(call, weight->front(), input.channels, "channels of the input and the weights");
    output.channels = dim_of(count_of((*weight)[1]) * groups_of(call));
  }
  for (std::size_t i = 0; i < axes; ++i) {
    const Dim size = pads ? input.spatial[i] : kUnknownDim;
    output.spatial.push_back(wanted.empty() ? transposed_dim(call, window, i, size, extra[i])
                                            : wanted[i]);
  }
  call.set(0, call.type(0), dims_of(output, channels_last));
}

std::vector<std::int64_t> pads_attribute(const Call& call, std::size_t rank) {
  return list_attribute(call, "pads", rank < 2 ? 0 : 2 * (rank - 2), 0);
}

void conv_transpose(Call& call) {
  const Dims* dims = call.dims(0);
  transpose(call, false, pads_attribute(call, dims == nullptr ? 0 : dims->size()));
}

void conv_transpose_channels_last(Call& call) {
  const Dims* dims = call.dims(0);
  transpose(call, true, pads_attribute(call, dims == nullptr ? 0 : dims->size()));
}

void conv_transpose_with_pads(Call& call) {
  const Dims* dims = call.dims(0);
  const bool given = call.has_input(2);
  transpose(call, false,
            given ? call.integers(2) : pads_attribute(call, dims == nullptr ? 0 : dims->size()));
}

/// Multiply-accumulates of one output element: the channels of a group and the kernel.
Count taps_of(const Call& call, std::size_t weight_slot) {
  const Dims* weight = call.dims(weight_slot);
  if (weight == nullptr || weight->empty()) return Count::unknown();
  return elements_of(*weight, 1, weight->size());
}

/// Additions, activation and whatever else every output element takes.
Count finish_flops(const Call& call, std::size_t bias_slot, std::size_t sum_slot) {
  const int additions = (call.has_input(bias_slot) ? 1 : 0) + (call.has_input(sum_slot) ? 1 : 0);
  const std::int64_t activation = fused_activation_flops(call.attribute("activation", ""));
  return call.output(0).elements() * Count(additions + activation);
}

constexpr std::size_t kNowhere = 99;

OperatorWork conv_work(const Call& call) {
  return multiply_accumulates(call.output(0).elements() * taps_of(call, 1),
                              finish_flops(call, 2, 3));
}

OperatorWork conv_integer_work(const Call& call) {
  return multiply_accumulates(call.output(0).elements() * taps_of(call, 1));
}

OperatorWork qlinear_conv_work(const Call& call) {
  const Count elements = call.output(0).elements();
  return multiply_accumulates(elements * taps_of(call, 3),
                              finish_flops(call, 8, kNowhere) + elements * Count(kQuantizeFlops));
}

template <std::size_t Bias>
OperatorWork conv_transpose_work(const Call& call) {
  return multiply_accumulates(call.input(0).elements() * taps_of(call, 1),
                              finish_flops(call, Bias, kNowhere));
}

/// Every tap of every channel is interpolated from four neighbours and, with a mask, weighted.
OperatorWork deform_conv_work(const Call& call) {
  constexpr std::int64_t kBilinearFlops = 7;
  const Dims* weight = call.dims(1);
  const Dims* output = call.output_dims(0);
  if (weight == nullptr || output == nullptr || weight->size() < 2 || output->size() < 2)
    return {Count::unknown(), Count::unknown()};
  const Count samples = count_of(output->front()) * count_of(dim_at(call, 0, 1)) *
                        elements_of(*output, 2, output->size()) *
                        elements_of(*weight, 2, weight->size());
  const std::int64_t per_sample = kBilinearFlops + (call.has_input(4) ? 1 : 0);
  return multiply_accumulates(call.output(0).elements() * taps_of(call, 1),
                              finish_flops(call, 3, kNowhere) + samples * Count(per_sample));
}

/// How far the channels are filled up depends on the machine: to whole blocks of 8 or of 16.
Dim blocked_channels(const Call& call, Dim channels) {
  const Count up_to_8 = (count_of(channels) + 7) / 8 * 8;
  const Count up_to_16 = (count_of(channels) + 15) / 16 * 16;
  if (up_to_8 == up_to_16) return dim_of(up_to_16);
  call.note(fmt::format("its {} channels are taken to be filled up as on this machine", channels));
  return dim_of(engine_block_size() == 8 ? up_to_8 : up_to_16);
}

void reorder_input(Call& call) {
  const Dims* dims = call.dims(0);
  if (dims == nullptr) return call.set_unknown(0, call.type(0));
  Image image = image_of(call, *dims, call.attribute("channels_last", std::int64_t{0}) != 0);
  image.channels = blocked_channels(call, image.channels);
  call.set(0, call.type(0), dims_of(image));
}

void reorder_output(Call& call) {
  const Dims* dims = call.dims(0);
  if (dims == nullptr) return call.set_unknown(0, call.type(0));
  Image image = image_of(call, *dims);
  image.channels = call.attribute("channels", std::int64_t{0});
  if (image.channels <= 0) call.fail("its attribute 'channels' should be positive");
  call.set(0, call.type(0), dims_of(image, call.attribute("channels_last", std::int64_t{0}) != 0));
}

constexpr ConstantRoles kConvRoles = {.weights = slots(1, 2)};
constexpr ConstantRoles kIntegerRoles = {.weights = slots(1), .settings = slots(2, 3)};
constexpr ConstantRoles kQLinearRoles = {.weights = slots(3, 8),
                                         .settings = slots(1, 2, 4, 5, 6, 7)};
constexpr ConstantRoles kDeformRoles = {.weights = slots(1, 3)};
constexpr ConstantRoles kDynamicPadsRoles = {.weights = slots(1, 3), .settings = slots(2)};
constexpr ConstantRoles kCausalRoles = {.weights = slots(1, 2), .settings = slots(3)};
constexpr ConstantRoles kVarlenCausalRoles = {.weights = slots(1, 3), .settings = slots(2, 4, 5)};

/// Weights are [made, taken ÷ group, …], and channels come second.
constexpr OperatorFacts kConvolutions = {
    .work = WorkKind::Convolution, .axes = AxisFlow::Convolution, .windows = true};
constexpr OperatorFacts kOtherLayout = {.work = WorkKind::Convolution, .windows = true};
constexpr OperatorFacts kNarrowConvolutions = {
    .work = WorkKind::Convolution, .axes = AxisFlow::Convolution, .windows = true, .narrow = true};
constexpr OperatorFacts kNarrowOtherLayout = {
    .work = WorkKind::Convolution, .windows = true, .narrow = true};
constexpr OperatorFacts kConvolvesBack = {
    .work = WorkKind::WeightedProduct, .axes = AxisFlow::ConvolutionBack, .windows = true};
constexpr OperatorFacts kConvolvesBackOtherwise = {.work = WorkKind::WeightedProduct,
                                                   .windows = true};
/// The sum that a convolution adds to lies where its result shall be.
constexpr OperatorFacts kOtherLayoutWithSum = {
    .overwrites = slots(3), .work = WorkKind::Convolution, .windows = true};
constexpr OperatorFacts kFusedConvolution = {.overwrites = slots(3),
                                             .work = WorkKind::Convolution,
                                             .costs_like = "Conv",
                                             .axes = AxisFlow::Convolution,
                                             .windows = true};

constexpr OperatorRow kConvolutionRows[] = {
    {kOnnx, "Conv", conv, conv_work, kConvRoles, kConvolutions},
    {kOnnx, "ConvTranspose", conv_transpose, conv_transpose_work<2>, kConvRoles, kConvolvesBack},
    {kOnnx, "ConvInteger", conv_integer, conv_integer_work, kIntegerRoles, kNarrowConvolutions},
    {kOnnx, "QLinearConv", qlinear_conv, qlinear_conv_work, kQLinearRoles, kNarrowConvolutions},
    {kOnnx, "DeformConv", conv, deform_conv_work, kDeformRoles, kConvolutions},
    {kOnnx, "CausalConvWithState", causal_conv, causal_conv_work<2>, kCausalRoles, kOtherLayout},
    {kMicrosoft, "FusedConv", conv, conv_work, kConvRoles, kFusedConvolution},
    {kMicrosoft, "NhwcConv", conv_channels_last, conv_work, kConvRoles, kOtherLayout},
    {kMicrosoft, "NhwcFusedConv", conv_channels_last, conv_work, kConvRoles, kOtherLayoutWithSum},
    {kMicrosoft, "QLinearConv", qlinear_conv, qlinear_conv_work, kQLinearRoles,
     kNarrowConvolutions},
    {kMicrosoft, "ConvTransposeWithDynamicPads", conv_transpose_with_pads, conv_transpose_work<3>,
     kDynamicPadsRoles, kConvolvesBack},
    {kMicrosoft, "CausalConvWithState", causal_conv, causal_conv_work<2>, kCausalRoles,
     kOtherLayout},
    {kMicrosoft, "VarlenCausalConvWithState", varlen_causal_conv, causal_conv_work<3>,
     kVarlenCausalRoles, kOtherLayout},
    {kBlockedLayout, "Conv", conv_blocked, conv_work, kConvRoles, kOtherLayoutWithSum},
    {kBlockedLayout, "ReorderInput", reorder_input, only_moves},
    {kBlockedLayout, "ReorderOutput", reorder_output, only_moves},
    {kChannelsLastLayout, "Conv", conv_channels_last, conv_work, kConvRoles, kOtherLayout},
    {kChannelsLastLayout, "ConvTranspose", conv_transpose_channels_last, conv_transpose_work<2>,
     kConvRoles, kConvolvesBackOtherwise},
    {kChannelsLastLayout, "QLinearConv", qlinear_conv_channels_last, qlinear_conv_work,
     kQLinearRoles, kNarrowOtherLayout},
};

}  // namespace

std::span<const OperatorRow> convolution_rows() { return kConvolutionRows; }

}  // namespace jouletree::model
