#include "model/operators/window.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/number_of.hpp"
#include "model/operators/shape_math.hpp"

namespace jouletree::model {
namespace {

AutoPad auto_pad_of(const Call& call) {
  const std::string_view name = call.attribute("auto_pad", "NOTSET");
  if (name.empty() || name == "NOTSET") return AutoPad::NotSet;
  if (name == "VALID") return AutoPad::Valid;
  if (name == "SAME_UPPER") return AutoPad::SameUpper;
  if (name == "SAME_LOWER") return AutoPad::SameLower;
  call.fail(fmt::format("its attribute 'auto_pad' is unknown: '{}'", name));
}

bool is_same(AutoPad auto_pad) {
  return auto_pad == AutoPad::SameUpper || auto_pad == AutoPad::SameLower;
}

void require_positive(const Call& call, const std::vector<std::int64_t>& list, const char* what) {
  if (std::any_of(list.begin(), list.end(), [](std::int64_t value) { return value <= 0; }))
    call.fail(fmt::format("its {} should be positive", what));
}

/// Input elements from the first to the last that one position of the kernel reads.
Count extent_of(const KernelWindow& window, std::size_t axis) {
  return (count_of(window.kernel[axis]) - 1) * window.dilations[axis] + 1;
}

Count pads_of(const KernelWindow& window, std::size_t axis) {
  return Count(window.pads[axis]) + window.pads[axis + window.kernel.size()];
}

struct Padding {
  Count head;
  Count tail;
};

/// The engine pads for the kernel without its dilation.
Padding pool_padding(const KernelWindow& window, std::size_t axis, Count input) {
  if (window.auto_pad == AutoPad::Valid) return {0, 0};
  if (window.auto_pad == AutoPad::NotSet)
    return {window.pads[axis], window.pads[axis + window.kernel.size()]};
  const Count stride = window.strides[axis];
  const Count target = (input + stride - 1) / stride;
  const Count needed = (target - 1) * stride + count_of(window.kernel[axis]) - input;
  const Count head = (window.auto_pad == AutoPad::SameLower ? needed + 1 : needed) / 2;
  return {head, needed - head};
}

}  // namespace

Image image_of(const Call& call, const Dims& dims, bool channels_last) {
  if (dims.size() < 3)
    call.fail(fmt::format("its input of shape {} has no spatial dimensions", to_string(dims)));
  Image image{dims.front(), channels_last ? dims.back() : dims[1], {}};
  if (channels_last) {
    image.spatial.assign(dims.begin() + 1, dims.end() - 1);
  } else {
    image.spatial.assign(dims.begin() + 2, dims.end());
  }
  return image;
}

Dims dims_of(const Image& image, bool channels_last) {
  Dims dims{image.batch};
  if (!channels_last) dims.push_back(image.channels);
  dims.insert(dims.end(), image.spatial.begin(), image.spatial.end());
  if (channels_last) dims.push_back(image.channels);
  return dims;
}

std::vector<std::int64_t> list_attribute(const Call& call, const char* name, std::size_t size,
                                         std::int64_t fallback) {
  auto list = call.attribute_integers(name);
  if (!list || list->empty()) return std::vector<std::int64_t>(size, fallback);
  if (list->size() != size) {
    call.fail(fmt::format("its attribute '{}' should have {}, but has {}", name,
                          number_of(size, "element"), list->size()));
  }
  return *std::move(list);
}

KernelWindow read_window(const Call& call, Dims kernel) {
  const std::size_t axes = kernel.size();
  if (std::any_of(kernel.begin(), kernel.end(),
                  [](Dim size) { return size <= 0 && size != kUnknownDim; })) {
    call.fail(fmt::format("its kernel of {} should be positive", to_string(kernel)));
  }
  KernelWindow window{
      auto_pad_of(call), std::move(kernel), list_attribute(call, "strides", axes, 1),
      list_attribute(call, "dilations", axes, 1), list_attribute(call, "pads", 2 * axes, 0)};
  require_positive(call, window.strides, "strides");
  require_positive(call, window.dilations, "dilations");
  if (window.auto_pad != AutoPad::NotSet) std::fill(window.pads.begin(), window.pads.end(), 0);
  return window;
}

Dim convolved_dim(const Call& call, const KernelWindow& window, std::size_t axis, Dim input) {
  const Count stride = window.strides[axis];
  if (is_same(window.auto_pad)) return dim_of((count_of(input) + stride - 1) / stride);
  const Count room = count_of(input) + pads_of(window, axis) - extent_of(window, axis);
  if (room.known() && room.value() < 0) {
    call.fail(fmt::format("its kernel of {} is larger than the padded input of size {}",
                          to_string(window.kernel), input));
  }
  return dim_of(room / stride + 1);
}

Dim transposed_dim(const Call& call, const KernelWindow& window, std::size_t axis, Dim input,
                   std::int64_t output_padding) {
  const Count stride = window.strides[axis];
  const Count full = (count_of(input) - 1) * stride + output_padding + extent_of(window, axis);
  if (!full.known()) return kUnknownDim;
  Count padding = pads_of(window, axis);
  if (is_same(window.auto_pad)) {
    const Count excess = full - count_of(input) * stride;
    padding = std::max<std::int64_t>(0, excess.value());
  }
  const Count size = full - padding;
  if (size.value() <= 0) call.fail(fmt::format("its output would have the size {}", size.value()));
  return size.value();
}

Dim pooled_dim(const Call& call, const KernelWindow& window, std::size_t axis, Dim input,
               bool ceil) {
  const Count stride = window.strides[axis];
  const Count size = count_of(input);
  const Padding padding = pool_padding(window, axis, size);
  const Count room = size + padding.head + padding.tail - extent_of(window, axis);
  if (!room.known()) return kUnknownDim;
  // The engine rounds towards zero: a kernel that is larger by less than a stride still gives one.
  Count output = room / stride + 1;
  if (ceil) {
    const bool unfilled = !(room / stride * stride == room);
    if (room.value() > 0 && unfilled) output += 1;
    const Count last_start = (output - 1) * stride;
    if (last_start.value() >= (size + padding.head).value()) output = output - 1;
  }
  if (output.value() < 0) {
    call.fail(fmt::format("its kernel of {} is larger than the padded input of size {}",
                          to_string(window.kernel), input));
  }
  return output.value();
}

}  // namespace jouletree::model
