#include <algorithm>

#include "predict/kernel_sight.hpp"

namespace jouletree::predict {
namespace {

/// Blocks of channels that a kernel makes at a time.
constexpr double kBlockSet = 4;

struct ConvolutionSizes {
  double taken = 0;  ///< Channels of a group.
  double made = 0;   ///< Channels of a group.
  double groups = 1;
  double window = 1;  ///< Elements of the kernel.
  double kernel_width = 1;
  double kernel_height = 1;
  double stride = 1;
  double width = 1;  ///< Of the result.
  double rows = 1;   ///< Of the result, over the whole batch.
  double inner = 1;  ///< Positions of a row whose windows lie within the map.
  std::size_t rank = 4;

  [[nodiscard]] bool is_depthwise() const { return groups > 1 && taken == 1 && made == 1; }
};

std::optional<ConvolutionSizes> sizes_of(const KernelSight& sight) {
  const Shape* const input = sight.input(0);
  const Shape* const weights = sight.input(1);
  const Shape* const output = sight.output();
  if (input == nullptr || weights == nullptr || output == nullptr || output->size() < 3 ||
      input->size() != output->size() || weights->size() != output->size() || (*weights)[1] <= 0)
    return std::nullopt;
  ConvolutionSizes sizes;
  sizes.rank = output->size();
  sizes.taken = (*weights)[1];
  sizes.groups = std::max(1.0, std::round((*input)[1] / sizes.taken));
  sizes.made = (*output)[1] / sizes.groups;
  sizes.window = elements_of(*weights, 2, weights->size());
  sizes.kernel_width = weights->back();
  sizes.kernel_height = (*weights)[weights->size() > 3 ? weights->size() - 2 : 2];
  sizes.width = std::max(1.0, output->back());
  sizes.rows = elements_of(*output) / (*output)[1] / sizes.width;
  sizes.stride = std::max(1.0, std::round(input->back() / sizes.width));
  sizes.inner = std::max(0.0, sizes.width - std::ceil((sizes.kernel_width - 1) / sizes.stride));
  return sizes;
}

/// Arithmetic beside the products and the bias: of the activation that the engine took in.
double activation_mflops(const KernelSight& sight) {
  return std::max(0.0, sight.other_mflops() - 1e-6 * elements_of(*sight.output()));
}

void put_bytes(const KernelSight& sight, std::size_t first, KernelWork& work) {
  const double moved = sight.inputs + sight.outputs;
  work.terms[first] = std::max(0.0, moved - 1);
  work.terms[first + 1] = std::max(0.0, moved - 4);
}

void see_depthwise(const KernelSight& sight, const ConvolutionSizes& sizes, KernelWork& work) {
  work.kernel = Kernel::BlockedDepthwise;
  work.group = work.pool = "conv/depthwise";
  const double channels = filled_up(sizes.groups, kChannelBlock);
  const double unit = 2e-6 * channels * sizes.rows * sizes.window;
  work.terms = {1,
                unit * sizes.width,
                unit * (sizes.width - sizes.inner),
                sight.inputs,
                sight.outputs,
                channels / kChannelBlock * sizes.rows * 1e-3};
  put_bytes(sight, 6, work);
  work.terms[8] = activation_mflops(sight);
  put_weights(sight, 9, work);
}

void see_blocked(const KernelSight& sight, ConvolutionSizes sizes, KernelWork& work) {
  work.kernel = Kernel::BlockedConvolution;
  work.pool = "conv/blocked";
  const bool has_few_channels = sizes.taken < kChannelBlock;
  const bool is_pointwise = sizes.window == 1;
  work.group = sizes.groups > 1   ? "conv/grouped"
               : has_few_channels ? "conv/few channels"
               : is_pointwise     ? "conv/pointwise"
                                  : "conv";
  if (is_pointwise && sizes.stride == 1) {
    // The map is one long row.
    const double batch = sight.output()->front();
    sizes.width = sizes.inner = sizes.width * sizes.rows / batch;
    sizes.rows = batch;
  }
  const double blocks = std::ceil(sizes.made / kChannelBlock);
  const double in_sets = std::floor(blocks / kBlockSet) * kBlockSet;
  const double depth =
      (has_few_channels ? sizes.taken : filled_up(sizes.taken, kChannelBlock)) * sizes.window;
  const double sixes = std::floor(sizes.inner / 6);
  const double threes = std::floor((sizes.inner - 6 * sixes) / 3);
  const double ones = sizes.width - 6 * sixes - 3 * threes;
  const double unit = 2e-6 * kChannelBlock * depth * sizes.rows * sizes.groups;
  const double map_rows = sizes.rows * blocks * sizes.groups * 1e-3;
  work.terms = {1,
                unit * in_sets * 6 * sixes,
                unit * in_sets * 3 * threes,
                unit * in_sets * ones,
                unit * (blocks - in_sets) * 6 * sixes,
                unit * (blocks - in_sets) * 3 * threes,
                unit * (blocks - in_sets) * ones,
                sight.inputs,
                sight.outputs,
                map_rows,
                map_rows * sizes.kernel_height * std::ceil(sizes.taken / kChannelBlock)};
  put_bytes(sight, 11, work);
  work.terms[13] = activation_mflops(sight);
  put_weights(sight, 14, work);
}

void see_plain(const KernelSight& sight, const ConvolutionSizes& sizes, KernelWork& work) {
  work.kernel = Kernel::Convolution;
  work.pool = "conv/plain";
  work.group = sizes.rank == 3 ? "conv/line" : sizes.rank == 5 ? "conv/volume" : "conv/plain";
  work.group += sizes.is_depthwise() ? " depthwise"
                : sizes.groups > 1   ? " grouped"
                : sizes.window == 1  ? " pointwise"
                                     : "";
  constexpr double kTileRows = 12;
  const double positions = sizes.rows * sizes.width;
  const double depth = sizes.taken * sizes.window;
  const double tiled = 2e-6 * depth * filled_up(sizes.made, kTileRows) * sizes.groups;
  const bool copies = sizes.window > 1 || sizes.stride > 1;
  work.terms = {1,
                2e-6 * depth * sizes.made * sizes.groups * positions,
                tiled * filled_up(positions, 16),
                tiled * filled_up(positions, 64),
                copies ? depth * positions * sizes.groups * kFloatMebibytes : 0,
                sight.inputs,
                sight.outputs,
                sizes.groups,
                sizes.made * sizes.groups * sizes.rows * 1e-3};
  put_bytes(sight, 9, work);
  work.terms[11] = activation_mflops(sight);
  put_weights(sight, 12, work);
}

}  // namespace

void see_convolution(const KernelSight& sight, KernelWork& work) {
  const auto sizes = sizes_of(sight);
  // The way back of a convolution has no kernel of its own.
  if (!sizes || sight.row->facts.axes != model::AxisFlow::Convolution)
    return see_product(sight, work);
  if (!sight.is_blocked) {
    see_plain(sight, *sizes, work);
  } else if (sizes->is_depthwise()) {
    see_depthwise(sight, *sizes, work);
  } else {
    see_blocked(sight, *sizes, work);
  }
  work.sizes = {log_of(sizes->rows * sizes->width),
                log_of(sizes->width),
                log_of(sizes->made),
                log_of(sizes->taken * sizes->window),
                log_of(sizes->window),
                log_of(sizes->groups),
                log_of(sizes->stride)};
}

void see_byte_convolution(const KernelSight& sight, KernelWork& work) {
  const Shape* const output = sight.output();
  if (output == nullptr || output->size() < 3 || elements_of(*output) <= 0) return;
  const Shape* weights = nullptr;
  for (std::size_t i = 1; i < sight.node.input_shapes.size() && weights == nullptr; ++i)
    if (sight.node.input_shapes[i].size() == output->size()) weights = &sight.node.input_shapes[i];
  const RunAttribute* const order = sight.node.attribute("channels_last");
  const bool channels_last = order != nullptr && order->numbers == std::vector<double>{1};
  const double made = channels_last ? output->back() : (*output)[1];
  const double positions = elements_of(*output) / made;
  const double depth = sight.macs() / elements_of(*output);
  const double window = weights == nullptr ? 1 : elements_of(*weights, 2, weights->size());
  const double taken = weights == nullptr ? depth : (*weights)[1];
  work.kernel = Kernel::ByteConvolution;
  work.pool = sight.type;
  work.group = sight.type + (taken == 1 ? "/depthwise" : window == 1 ? "/pointwise" : "");
  if (const std::string signs = narrow_signs(sight); !signs.empty()) work.group += "/" + signs;
  const double unit = 2e-6 * positions;
  work.terms = {1,
                unit * depth * made,
                unit * depth * filled_up(made, 16),
                unit * filled_up(depth, 16) * made,
                window > 1 ? depth * positions * kFloatMebibytes / 4 : 0,
                sight.inputs,
                sight.outputs,
                positions * 1e-3,
                channels_last ? 0 : sight.inputs + sight.outputs};
  put_weights(sight, 9, work);
  work.sizes = {log_of(positions), log_of(made), log_of(depth), log_of(window)};
}

}  // namespace jouletree::predict
