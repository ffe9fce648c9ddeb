#include <fmt/format.h>

#include "base/number_of.hpp"
#include "model/operators/cost_math.hpp"
#include "model/operators/families.hpp"
#include "model/operators/layout_domains.hpp"
#include "model/operators/quantization_flops.hpp"
#include "model/operators/shape_math.hpp"
#include "model/operators/window.hpp"

namespace jouletree::model {
namespace {

Dims kernel_of(const Call& call, std::size_t axes) {
  auto kernel = call.attribute_integers("kernel_shape");
  if (!kernel) call.fail("it has no attribute 'kernel_shape'");
  if (kernel->size() != axes) {
    call.fail(
        fmt::format("its attribute 'kernel_shape' should have {}", number_of(axes, "element")));
  }
  for (const std::int64_t size : *kernel)
    if (size <= 0) call.fail("its attribute 'kernel_shape' should be positive");
  return *std::move(kernel);
}

void pool(Call& call, bool channels_last) {
  const Dims* dims = call.dims(0);
  if (dims == nullptr) {
    call.set_unknown(0, call.type(0));
    return call.set_unknown(1, DataType::Int64);
  }
  Image image = image_of(call, *dims, channels_last);
  const KernelWindow window = read_window(call, kernel_of(call, image.spatial.size()));
  const bool ceil = call.attribute("ceil_mode", std::int64_t{0}) == 1;
  for (std::size_t i = 0; i < image.spatial.size(); ++i)
    image.spatial[i] = pooled_dim(call, window, i, image.spatial[i], ceil);
  Dims output = dims_of(image, channels_last);
  call.set(0, call.type(0), output);
  call.set(1, DataType::Int64, std::move(output));
}

void global_pool(Call& call, bool channels_last) {
  const Dims* dims = call.dims(0);
  if (dims == nullptr) return call.set_unknown(0, call.type(0));
  Image image = image_of(call, *dims, channels_last);
  image.spatial.assign(image.spatial.size(), 1);
  call.set(0, call.type(0), dims_of(image, channels_last));
}

bool says_channels_last(const Call& call) {
  return call.attribute("channels_last", std::int64_t{0}) != 0;
}

void pool_first(Call& call) { pool(call, false); }
void pool_last(Call& call) { pool(call, true); }
void pool_any(Call& call) { pool(call, says_channels_last(call)); }
void global_first(Call& call) { global_pool(call, false); }
void global_last(Call& call) { global_pool(call, true); }
void global_any(Call& call) { global_pool(call, says_channels_last(call)); }

/// Elements under one position of the kernel, without its dilation.
Count window_elements(const Call& call) {
  Count product = 1;
  for (const std::int64_t size : call.attribute_integers("kernel_shape").value_or(Dims()))
    product = product * Count(size);
  return product;
}

/// The first element needs no comparison.
OperatorWork max_pool_work(const Call& call) {
  return {0, call.output(0).elements() * (window_elements(call) - 1)};
}

/// As many additions less one, and a division.
OperatorWork average_pool_work(const Call& call) {
  return {0, call.output(0).elements() * window_elements(call)};
}

/// Absolute value, power and addition per element, a root per window.
constexpr std::int64_t kNormFlops = 3;
OperatorWork norm_pool_work(const Call& call) {
  return {0, call.output(0).elements() * window_elements(call) * Count(kNormFlops)};
}

OperatorWork quantized_average_work(const Call& call) {
  const Count per_window = window_elements(call) * Count(kDequantizeFlops + 1);
  return {0, call.output(0).elements() * (per_window + kQuantizeFlops)};
}

OperatorWork quantized_global_average_work(const Call& call) {
  return {0, call.input(0).elements() * Count(kDequantizeFlops + 1) +
                 call.output(0).elements() * Count(kQuantizeFlops)};
}

/// Sizes from the third input, or those that give the input back when pooled.
void max_unpool(Call& call) {
  const Dims* dims = call.dims(0);
  if (dims == nullptr) return call.set_unknown(0, call.type(0));
  Image image = image_of(call, *dims);
  if (call.has_input(2)) {
    const auto wanted = call.integers(2);
    if (wanted && wanted->size() != dims->size())
      call.fail(fmt::format("its output shape should have {}", number_of(dims->size(), "element")));
    return call.set(0, call.type(0), wanted ? *wanted : Dims(dims->size(), kUnknownDim));
  }
  const KernelWindow window = read_window(call, kernel_of(call, image.spatial.size()));
  for (std::size_t i = 0; i < image.spatial.size(); ++i)
    image.spatial[i] = transposed_dim(call, window, i, image.spatial[i], 0);
  call.set(0, call.type(0), dims_of(image));
}

/// One image of `height` by `width` for every region that the second input lists.
void pool_regions(Call& call, Dim height, Dim width) {
  const Dims* dims = call.dims(0);
  const Dims* regions = call.dims(1);
  if (height <= 0 || width <= 0) call.fail("the size of its output should be positive");
  if (dims != nullptr && dims->size() != 4)
    call.fail(fmt::format("its input should have 4 dimensions, but is {}", to_string(*dims)));
  if (regions != nullptr && regions->size() != 2)
    call.fail(fmt::format("its regions should have 2 dimensions, but are {}", to_string(*regions)));
  call.set(0, call.type(0), {dim_at(call, 1, 0), dim_at(call, 0, 1), height, width});
}

void roi_align(Call& call) {
  pool_regions(call, call.attribute("output_height", std::int64_t{1}),
               call.attribute("output_width", std::int64_t{1}));
}

void max_roi_pool(Call& call) {
  const auto size = call.attribute_integers("pooled_shape");
  if (!size || size->size() != 2) call.fail("its attribute 'pooled_shape' should have 2 elements");
  pool_regions(call, size->front(), size->back());
}

/// How many points a bin samples depends on its region unless the model fixes it.
OperatorWork roi_align_work(const Call& call) {
  constexpr std::int64_t kBilinearFlops = 7;
  const std::int64_t ratio = call.attribute("sampling_ratio", std::int64_t{0});
  if (ratio <= 0) return {0, Count::unknown()};
  const Count samples = Count(ratio) * ratio;
  return {0, call.output(0).elements() * samples * Count(kBilinearFlops + 1)};
}

/// How many elements a bin holds depends on its region.
OperatorWork max_roi_pool_work(const Call& /*call*/) { return {0, Count::unknown()}; }

constexpr ConstantRoles kQuantizedPoolRoles = {.settings = slots(1, 2, 3, 4)};
constexpr ConstantRoles kRegionRoles = {.settings = slots(1, 2)};

constexpr OperatorFacts kPools = {.axes = AxisFlow::Resized, .windows = true};
constexpr OperatorFacts kWindows = {.windows = true};

constexpr OperatorRow kPoolingRows[] = {
    {kOnnx, "MaxPool", pool_first, max_pool_work, {}, kPools},
    {kOnnx, "AveragePool", pool_first, average_pool_work, {}, kPools},
    {kOnnx, "LpPool", pool_first, norm_pool_work, {}, kPools},
    {kOnnx, "GlobalMaxPool", global_first, per_input_element<1>},
    {kOnnx, "GlobalAveragePool", global_first, per_input_element<1>},
    {kOnnx, "GlobalLpPool", global_first, per_input_element<kNormFlops>},
    {kOnnx, "MaxUnpool", max_unpool, only_moves, {.settings = slots(1, 2)}, kWindows},
    {kOnnx, "RoiAlign", roi_align, roi_align_work, kRegionRoles},
    {kOnnx, "MaxRoiPool", max_roi_pool, max_roi_pool_work, kRegionRoles},
    {kMicrosoft, "MaxpoolWithMask", pool_first, max_pool_work, {.settings = slots(1)}, kPools},
    {kMicrosoft, "NhwcMaxPool", pool_last, max_pool_work, {}, kWindows},
    {kMicrosoft, "QLinearAveragePool", pool_any, quantized_average_work, kQuantizedPoolRoles,
     kWindows},
    {kMicrosoft, "QLinearGlobalAveragePool", global_any, quantized_global_average_work,
     kQuantizedPoolRoles},
    {kBlockedLayout, "MaxPool", pool_first, max_pool_work, {}, kWindows},
    {kBlockedLayout, "AveragePool", pool_first, average_pool_work, {}, kWindows},
    {kBlockedLayout, "GlobalMaxPool", global_first, per_input_element<1>},
    {kBlockedLayout, "GlobalAveragePool", global_first, per_input_element<1>},
    {kChannelsLastLayout, "MaxPool", pool_last, max_pool_work, {}, kWindows},
    {kChannelsLastLayout, "AveragePool", pool_last, average_pool_work, {}, kWindows},
    {kChannelsLastLayout, "GlobalMaxPool", global_last, per_input_element<1>},
    {kChannelsLastLayout, "GlobalAveragePool", global_last, per_input_element<1>},
    {kChannelsLastLayout, "QLinearAveragePool", pool_last, quantized_average_work,
     kQuantizedPoolRoles, kWindows},
    {kChannelsLastLayout, "QLinearGlobalAveragePool", global_last, quantized_global_average_work,
     kQuantizedPoolRoles},
};

}  // namespace

std::span<const OperatorRow> pooling_rows() { return kPoolingRows; }

}  // namespace jouletree::model
