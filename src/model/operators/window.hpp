#pragma once

#include <cstdint>
#include <vector>

#include "model/operators/call.hpp"

namespace jouletree::model {

/// A batch of images (or signals, or volumes) with the channels first or last.
struct Image {
  Dim batch = kUnknownDim;
  Dim channels = kUnknownDim;
  Dims spatial;
};
/// Fails the call for a shape without spatial axes.
[[nodiscard]] Image image_of(const Call& call, const Dims& dims, bool channels_last = false);
[[nodiscard]] Dims dims_of(const Image& image, bool channels_last = false);

enum class AutoPad : std::uint8_t { NotSet, Valid, SameUpper, SameLower };

/// How a kernel slides over the spatial axes, one entry per axis.
struct KernelWindow {
  AutoPad auto_pad = AutoPad::NotSet;
  Dims kernel;  ///< Unknown where it follows from a weight of unknown shape.
  std::vector<std::int64_t> strides;
  std::vector<std::int64_t> dilations;
  std::vector<std::int64_t> pads;  ///< Two per axis: all beginnings, then all ends.
};

/// Reads the attributes strides, dilations, pads and auto_pad. Fails the call where they do not fit
/// the kernel or are not positive.
[[nodiscard]] KernelWindow read_window(const Call& call, Dims kernel);
/// The attribute `name`, or `fallback` for every axis where it is absent or empty.
[[nodiscard]] std::vector<std::int64_t> list_attribute(const Call& call, const char* name,
                                                       std::size_t size, std::int64_t fallback);

/// The size of a spatial axis after a convolution. Fails the call where the kernel does not fit.
[[nodiscard]] Dim convolved_dim(const Call& call, const KernelWindow& window, std::size_t axis,
                                Dim input);
/// The size of a spatial axis after a transposed convolution.
[[nodiscard]] Dim transposed_dim(const Call& call, const KernelWindow& window, std::size_t axis,
                                 Dim input, std::int64_t output_padding);
/// The size of a spatial axis after pooling; `ceil` keeps a last window that is only partly filled.
[[nodiscard]] Dim pooled_dim(const Call& call, const KernelWindow& window, std::size_t axis,
                             Dim input, bool ceil);

}  // namespace jouletree::model
