#include <fmt/format.h>

#include "base/number_of.hpp"
#include "model/operators/common_facts.hpp"
#include "model/operators/cost_math.hpp"
#include "model/operators/families.hpp"
#include "model/operators/layout_domains.hpp"
#include "model/operators/resize_sizes.hpp"
#include "model/operators/shape_math.hpp"
#include "model/operators/window.hpp"

namespace jouletree::model {
namespace {

void resize_with(Call& call, const ResizeInputs& inputs) {
  const Dims* dims = call.dims(0);
  if (dims == nullptr) return call.set_unknown(0, call.type(0));
  call.set(0, call.type(0), resized_dims(call, *dims, inputs));
}

void resize(Call& call) {
  // Opset 10 has no region of interest in front of the scales.
  const bool old = call.opset() == 10;
  resize_with(call, old ? ResizeInputs{1, 0} : ResizeInputs{2, 3});
}

void upsample(Call& call) { resize_with(call, {1, 0}); }

void upsample_blocked(Call& call) {
  const Dims* dims = call.dims(0);
  if (dims == nullptr) return call.set_unknown(0, call.type(0));
  const auto scales = list_attribute(call, "scales", dims->size(), 1);
  Dims result;
  for (std::size_t i = 0; i < dims->size(); ++i)
    result.push_back(dim_of(count_of((*dims)[i]) * scales[i]));
  call.set(0, call.type(0), std::move(result));
}

/// Multiplications and additions of a weighted sum of `points` neighbours along each of `axes`.
Count interpolation_flops(std::int64_t points, std::int64_t axes) {
  Count taps = 1;
  for (std::int64_t i = 0; i < axes; ++i) taps = taps * Count(points);
  return taps * Count(2) - 1;
}

/// Neighbours that an interpolation reads along one axis; one where it only copies.
std::int64_t points_of(std::string_view mode) {
  if (mode == "linear" || mode == "bilinear") return 2;
  if (mode == "cubic" || mode == "bicubic") return 4;
  return 1;
}

OperatorWork resize_work(const Call& call) {
  const Dims* from = call.dims(0);
  const Dims* to = call.output_dims(0);
  const std::int64_t points = points_of(call.attribute("mode", "nearest"));
  if (points == 1) return {0, 0};
  if (from == nullptr || to == nullptr || from->size() != to->size()) return {0, Count::unknown()};
  const bool widens = call.attribute("antialias", std::int64_t{0}) != 0;
  Count taps = 1;
  for (std::size_t i = 0; i < to->size(); ++i) {
    if ((*from)[i] == (*to)[i]) continue;
    // An anti-aliasing filter grows with the factor by which it shrinks.
    const Count wide = count_of((*from)[i]) * Count(points) / count_of((*to)[i]);
    const bool wider = widens && wide.known() && wide.value() > points;
    taps = taps * (wider ? wide : Count(points));
  }
  if (taps == Count(1)) return {0, 0};
  return {0, call.output(0).elements() * (taps * Count(2) - 1)};
}

void grid_sample(Call& call) {
  const Dims* dims = call.dims(0);
  const Dims* grid = call.dims(1);
  const Dims* known = grid != nullptr ? grid : dims;
  if (known == nullptr) return call.set_unknown(0, call.type(0));
  if (known->size() < 3) call.fail("its input has no spatial dimensions");
  if (dims != nullptr && grid != nullptr && dims->size() != grid->size()) {
    call.fail(fmt::format("its grid of shape {} does not fit an input of shape {}",
                          to_string(*grid), to_string(*dims)));
  }
  Dims result(known->size(), kUnknownDim);
  if (dims != nullptr) result[0] = dims->front();
  if (dims != nullptr) result[1] = (*dims)[1];
  if (grid != nullptr) {
    result[0] = same_dim(call, result[0], grid->front(), "batches of the input and the grid");
    for (std::size_t i = 2; i < result.size(); ++i) result[i] = (*grid)[i - 1];
  }
  call.set(0, call.type(0), std::move(result));
}

/// Coordinates are brought from -1…1 to the size of the image by two operations and a rounding.
OperatorWork grid_sample_work(const Call& call) {
  constexpr std::int64_t kCoordinateFlops = 3;
  const Dims* grid = call.dims(1);
  if (grid == nullptr || grid->size() < 3) return {0, Count::unknown()};
  const std::int64_t points = points_of(call.attribute("mode", "linear"));
  const auto axes = static_cast<std::int64_t>(grid->size()) - 2;
  const Count per_element = points == 1 ? Count(0) : interpolation_flops(points, axes);
  return {0, call.output(0).elements() * per_element +
                 call.input(1).elements() * Count(kCoordinateFlops)};
}

void affine_grid(Call& call) {
  const Elements* size = call.content(1);
  const Dim rank = size != nullptr ? static_cast<Dim>(size->size()) : dim_at(call, 1, 0);
  if (rank == kUnknownDim) return call.set_unknown(0, call.type(0));
  if (rank != 4 && rank != 5)
    call.fail(fmt::format("its size should have 4 or 5 elements, but has {}", rank));
  Dims result(static_cast<std::size_t>(rank), kUnknownDim);
  result.back() = rank - 2;
  if (const Dims* theta = call.dims(0); theta != nullptr && !theta->empty())
    result.front() = theta->front();
  if (size != nullptr) {
    for (std::size_t i = 2; i < size->size(); ++i)
      if ((*size)[i].known()) result[i - 1] = (*size)[i].as_integer();
  }
  call.set(0, call.type(0), std::move(result));
}

/// Every point of the grid, with a one behind it, is multiplied by a matrix.
OperatorWork affine_grid_work(const Call& call) {
  const Dims* dims = call.output_dims(0);
  if (dims == nullptr || dims->empty()) return {Count::unknown(), Count::unknown()};
  return multiply_accumulates(call.output(0).elements() * (count_of(dims->back()) + 1));
}

void center_crop_pad(Call& call) {
  ValueType type = call.input(0);
  if (!type.dims) return call.set(0, std::move(type));
  const std::size_t rank = type.dims->size();
  const auto given = call.attribute_integers("axes");
  const Elements* sizes = call.content(1);
  const std::size_t count = given ? given->size() : rank;
  if (sizes != nullptr && sizes->size() != count) {
    call.fail(fmt::format("its shape should have {}, but has {}", number_of(count, "element"),
                          sizes->size()));
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t axis = given ? normal_axis(call, (*given)[i], rank) : i;
    const bool known = sizes != nullptr && (*sizes)[i].known();
    (*type.dims)[axis] = known ? (*sizes)[i].as_integer() : kUnknownDim;
  }
  call.set(0, std::move(type));
}

void col2im(Call& call) {
  const Dims* dims = call.dims(0);
  const Dims* shape = call.dims(1);
  if (dims == nullptr || shape == nullptr) return call.set_unknown(0, call.type(0));
  if (dims->size() != 3 || shape->size() != 1) call.fail("its inputs should be blocks and sizes");
  const Elements* image = call.content(1);
  const auto block = call.integers(2);
  const Dim axes = image != nullptr ? static_cast<Dim>(image->size()) : shape->front();
  if (axes == kUnknownDim) return call.set_unknown(0, call.type(0));
  if (axes > kMaxElements) call.fail("its image shape has too many elements");
  Count block_elements = block ? Count(1) : Count::unknown();
  for (const std::int64_t size : block.value_or(Dims())) block_elements = block_elements * size;
  if (block_elements == Count(0)) call.fail("its blocks should not be empty");
  Dims result{dims->front(), dim_of(count_of((*dims)[1]) / block_elements)};
  for (Dim i = 0; i < axes; ++i) {
    const Scalar size = image != nullptr ? (*image)[static_cast<std::size_t>(i)] : Scalar();
    result.push_back(size.known() ? size.as_integer() : kUnknownDim);
  }
  call.set(0, call.type(0), std::move(result));
}

Count block_size(const Call& call) {
  const std::int64_t size = call.attribute("blocksize", std::int64_t{0});
  if (size <= 0) call.fail("its attribute 'blocksize' should be positive");
  return size;
}

Image flat_image(const Call& call, const Dims& dims) {
  if (dims.size() != 4)
    call.fail(fmt::format("its input should have 4 dimensions, but is {}", to_string(dims)));
  return image_of(call, dims);
}

Dim divided(const Call& call, Dim dim, Count divisor) {
  if (dim != kUnknownDim && dim % divisor.value() != 0)
    call.fail(fmt::format("its dimension of {} is not a multiple of {}", dim, divisor.value()));
  return dim_of(count_of(dim) / divisor);
}

void depth_to_space(Call& call) {
  const Dims* dims = call.dims(0);
  if (dims == nullptr) return call.set_unknown(0, call.type(0));
  const Count block = block_size(call);
  Image image = flat_image(call, *dims);
  image.channels = divided(call, image.channels, block * block);
  for (Dim& size : image.spatial) size = dim_of(count_of(size) * block);
  call.set(0, call.type(0), dims_of(image));
}

void space_to_depth(Call& call) {
  const Dims* dims = call.dims(0);
  if (dims == nullptr) return call.set_unknown(0, call.type(0));
  const Count block = block_size(call);
  Image image = flat_image(call, *dims);
  image.channels = dim_of(count_of(image.channels) * block * block);
  for (Dim& size : image.spatial) size = divided(call, size, block);
  call.set(0, call.type(0), dims_of(image));
}

void crop_and_resize(Call& call) {
  const Dims* dims = call.dims(0);
  const Dims* regions = call.dims(1);
  if (dims != nullptr && dims->size() != 4)
    call.fail(fmt::format("its input should have 4 dimensions, but is {}", to_string(*dims)));
  if (regions != nullptr && regions->size() != 2)
    call.fail(fmt::format("its regions should have 2 dimensions, but are {}", to_string(*regions)));
  const Elements* size = call.content(3);
  if (size != nullptr && size->size() != 2) call.fail("its crop size should have 2 elements");
  Dims result{dim_at(call, 1, 0), dim_at(call, 0, 1), kUnknownDim, kUnknownDim};
  for (std::size_t i = 0; size != nullptr && i < 2; ++i)
    if ((*size)[i].known()) result[2 + i] = (*size)[i].as_integer();
  call.set(0, call.type(0), std::move(result));
}

OperatorWork crop_and_resize_work(const Call& call) {
  const bool copies = call.attribute("mode", "bilinear") == "nearest";
  return {0, copies ? Count(0) : call.output(0).elements() * interpolation_flops(2, 2)};
}

constexpr ConstantRoles kResizeRoles = {.settings = slots(1, 2, 3)};
constexpr ConstantRoles kSecondIsSetting = {.settings = slots(1)};

constexpr OperatorFacts kResizes = {.axes = AxisFlow::Resized};

constexpr OperatorRow kResizeRows[] = {
    {kOnnx, "Resize", resize, resize_work, kResizeRoles, kResizes},
    {kOnnx, "Upsample", upsample, resize_work, kResizeRoles, kResizes},
    {kOnnx, "GridSample", grid_sample, grid_sample_work, kSecondIsSetting},
    {kOnnx, "AffineGrid", affine_grid, affine_grid_work, kSecondIsSetting, kProducts},
    {kOnnx, "CenterCropPad", center_crop_pad, only_moves, kSecondIsSetting},
    {kOnnx, "Col2Im", col2im, per_input_element<1>, kResizeRoles},
    {kOnnx, "DepthToSpace", depth_to_space, only_moves, {}, kKeepsValues},
    {kOnnx, "SpaceToDepth", space_to_depth, only_moves, {}, kKeepsValues},
    {kMicrosoft, "CropAndResize", crop_and_resize, crop_and_resize_work, kResizeRoles},
    {kMicrosoft, "GridSample", grid_sample, grid_sample_work, kSecondIsSetting},
    {kBlockedLayout, "Upsample", upsample_blocked, resize_work},
};

}  // namespace

std::span<const OperatorRow> resize_rows() { return kResizeRows; }

}  // namespace jouletree::model
