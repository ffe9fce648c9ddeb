#include <cmath>

#include <fmt/format.h>

#include "base/number_of.hpp"
#include "model/operators/cost_math.hpp"
#include "model/operators/families.hpp"
#include "model/operators/shape_math.hpp"
#include "model/operators/type_attribute.hpp"

namespace jouletree::model {
namespace {

/// Where the signal operators stood before they were standardised.
constexpr std::string_view kExperimental = "com.microsoft.experimental";

bool experimental(const Call& call) { return call.node().domain == kExperimental; }

/// The unique half of the spectrum of a real signal.
Count half_spectrum(Count length) { return length / Count(2) + Count(1); }

bool one_sided(const Call& call, std::int64_t fallback) {
  return call.attribute("onesided", fallback) != 0;
}

/// A length given by the input at `position`; unknown where it depends on data.
Count length_at(const Call& call, std::size_t position) {
  const auto length = call.integer(position);
  if (!length) return Count::unknown();
  if (*length <= 0) call.fail(fmt::format("the length {} of a signal is not positive", *length));
  return *length;
}

/// Operations of one fast Fourier transform of `length` points: 5 N log2 N.
Count transform_flops(const Call& call, Count length) {
  if (!length.known()) return length;
  if (length.value() <= 1) return 0;
  const auto points = static_cast<double>(length.value());
  const double flops = std::round(5 * points * std::log2(points));
  if (flops > 9e18) call.fail("its transform is too long to count its operations in 64 bits");
  return static_cast<std::int64_t>(flops);
}

/// What a DFT is asked to do; nothing where its axis depends on data.
struct Transform {
  std::size_t axis = 0;
  Count points;  ///< Of the whole spectrum.
  Count result;  ///< Points that are kept.
  bool inverse = false;
  bool real_result = false;
};

std::optional<std::int64_t> axis_argument(const Call& call) {
  // The batch did not count as an axis then.
  if (experimental(call))
    return (Count(call.attribute("axis", std::int64_t{0})) + Count(1)).value();
  if (call.has_input(2)) return call.integer(2);
  return call.attribute("axis", std::int64_t{call.opset() >= 20 ? -2 : 1});
}

std::optional<Transform> transform_of(const Call& call, const Dims& dims) {
  const auto axis = axis_argument(call);
  if (!axis) return std::nullopt;
  Transform transform;
  transform.axis = normal_axis(call, *axis, dims.size());
  transform.inverse = call.node().op == "IDFT" || call.attribute("inverse", std::int64_t{0}) != 0;
  const bool half = one_sided(call, 0);
  transform.real_result = half && transform.inverse;
  const Count given = count_of(dims[transform.axis]);
  if (call.has_input(1)) {
    transform.points = length_at(call, 1);
  } else {
    transform.points = transform.real_result ? (given - Count(1)) * Count(2) : given;
  }
  transform.result =
      half && !transform.inverse ? half_spectrum(transform.points) : transform.points;
  return transform;
}

void dft(Call& call) {
  const Dims* dims = call.dims(0);
  if (dims == nullptr) return call.set_unknown(0, call.type(0));
  if (dims->size() < 2) call.fail("its input has fewer than two dimensions");
  Dims result = *dims;
  const auto transform = transform_of(call, *dims);
  if (transform) {
    result[transform->axis] = dim_of(transform->result);
    result.back() = transform->real_result ? 1 : 2;
  } else {
    result.assign(result.size(), kUnknownDim);
  }
  call.set(0, call.type(0), std::move(result));
}

OperatorWork dft_cost(const Call& call) {
  const Dims* dims = call.dims(0);
  const auto transform = dims == nullptr ? std::nullopt : transform_of(call, *dims);
  if (!transform) return {0, Count::unknown()};
  Count transforms = 1;
  for (std::size_t i = 0; i + 1 < dims->size(); ++i)
    if (i != transform->axis) transforms = transforms * count_of((*dims)[i]);
  return {0, transforms * transform_flops(call, transform->points)};
}

struct Frames {
  Count batch = Count::unknown();
  Count count = Count::unknown();
  Count length = Count::unknown();
};

/// The optional window and the length of a frame say the same; the step between frames is needed.
Frames frames_of(const Call& call) {
  const std::size_t step_input = experimental(call) ? 3 : 1;
  const std::size_t window_input = experimental(call) ? 1 : 2;
  const std::size_t length_input = experimental(call) ? 2 : 3;
  const Dims* signal = call.dims(0);
  Frames frames;
  if (call.has_input(window_input)) {
    frames.length = count_of(dim_at(call, window_input, 0));
  } else if (call.has_input(length_input)) {
    frames.length = length_at(call, length_input);
  } else {
    call.fail("it has neither a window nor the length of a frame");
  }
  if (signal == nullptr) return frames;
  if (signal->size() != 2 && signal->size() != 3) {
    call.fail(
        fmt::format("its signal has {} instead of 2 or 3", number_of(signal->size(), "dimension")));
  }
  frames.batch = count_of((*signal)[0]);
  const Count room = count_of((*signal)[1]) - frames.length;
  if (room.known() && room.value() < 0) call.fail("its frames are longer than its signal");
  frames.count = room / length_at(call, step_input) + Count(1);
  return frames;
}

void stft(Call& call) {
  const Frames frames = frames_of(call);
  const Count spectrum = one_sided(call, 1) ? half_spectrum(frames.length) : frames.length;
  call.set(0, call.type(0), {dim_of(frames.batch), dim_of(frames.count), dim_of(spectrum), 2});
}

OperatorWork stft_cost(const Call& call) {
  const Count length = frames_of(call).length;
  const bool windowed = call.has_input(experimental(call) ? 1 : 2);
  const Count per_frame = transform_flops(call, length) + (windowed ? length : Count(0));
  // The file may tell the number of frames where the step depends on data.
  const Dims* spectra = call.output_dims(0);
  if (spectra == nullptr || spectra->size() != 4) return {0, Count::unknown()};
  return {0, elements_of(*spectra, 0, 2) * per_frame};
}

DataType output_type(const Call& call) {
  return type_attribute(call, "output_datatype", DataType::Float32);
}

void window(Call& call) {
  const auto size = call.integer(0);
  if (size && *size < 0) call.fail(fmt::format("a window cannot have the size {}", *size));
  call.set(0, output_type(call), {size.value_or(kUnknownDim)});
}

void mel_weight_matrix(Call& call) {
  const auto bins = call.integer(0);
  if (bins && *bins < 0) call.fail(fmt::format("a spectrum cannot have {} bands", *bins));
  call.set(0, output_type(call),
           {dim_of(half_spectrum(length_at(call, 1))), bins.value_or(kUnknownDim)});
}

/// How many of the last dimensions, before that of the parts of a complex number, are transformed.
std::size_t signal_rank(const Call& call, const Dims& dims, std::size_t components) {
  const auto rank = call.attribute("signal_ndim", std::int64_t{1});
  if (rank < 1 || rank > 3) call.fail("its attribute 'signal_ndim' is not 1, 2 or 3");
  if (dims.size() < static_cast<std::size_t>(rank) + components)
    call.fail("its input has fewer dimensions than the signal");
  return static_cast<std::size_t>(rank);
}

void rfft(Call& call) {
  const Dims* dims = call.dims(0);
  if (dims == nullptr) return call.set_unknown(0, call.type(0));
  (void)signal_rank(call, *dims, 0);
  Dims result = *dims;
  if (one_sided(call, 1)) result.back() = dim_of(half_spectrum(count_of(result.back())));
  result.push_back(2);
  call.set(0, call.type(0), std::move(result));
}

void irfft(Call& call) {
  const Dims* dims = call.dims(0);
  if (dims == nullptr) return call.set_unknown(0, call.type(0));
  (void)signal_rank(call, *dims, 1);
  Dims result(dims->begin(), dims->end() - 1);
  if (one_sided(call, 1) && result.back() != 0)
    result.back() = dim_of((count_of(result.back()) - Count(1)) * Count(2));
  call.set(0, call.type(0), std::move(result));
}

/// `real` is the real signal: the input of Rfft, the output of Irfft.
OperatorWork real_transform_cost(const Call& call, const Dims* real) {
  if (real == nullptr) return {0, Count::unknown()};
  const std::size_t batch = real->size() - signal_rank(call, *real, 0);
  const Count points = elements_of(*real, batch, real->size());
  return {0, elements_of(*real, 0, batch) * transform_flops(call, points)};
}

OperatorWork rfft_cost(const Call& call) { return real_transform_cost(call, call.dims(0)); }
OperatorWork irfft_cost(const Call& call) { return real_transform_cost(call, call.output_dims(0)); }

constexpr ConstantRoles kStftRoles = {.settings = slots(1, 2, 3)};
constexpr ConstantRoles kLengthRoles = {.settings = slots(0, 1, 2, 3, 4)};

// A window of one cosine takes 4 operations per element, each further cosine 4 more.
constexpr OperatorRow kSignalRows[] = {
    {kOnnx, "DFT", dft, dft_cost, {.settings = slots(1, 2)}},
    {kOnnx, "STFT", stft, stft_cost, kStftRoles},
    {kOnnx, "HannWindow", window, per_output_element<4>, kLengthRoles},
    {kOnnx, "HammingWindow", window, per_output_element<4>, kLengthRoles},
    {kOnnx, "BlackmanWindow", window, per_output_element<8>, kLengthRoles},
    {kOnnx, "MelWeightMatrix", mel_weight_matrix, per_output_element<2>, kLengthRoles},
    {kMicrosoft, "Rfft", rfft, rfft_cost},
    {kMicrosoft, "Irfft", irfft, irfft_cost},
    {kExperimental, "DFT", dft, dft_cost},
    {kExperimental, "IDFT", dft, dft_cost},
    {kExperimental, "STFT", stft, stft_cost, kStftRoles},
    {kExperimental, "HannWindow", window, per_output_element<4>, kLengthRoles},
    {kExperimental, "HammingWindow", window, per_output_element<4>, kLengthRoles},
    {kExperimental, "BlackmanWindow", window, per_output_element<8>, kLengthRoles},
    {kExperimental, "MelWeightMatrix", mel_weight_matrix, per_output_element<2>, kLengthRoles},
};

}  // namespace

std::span<const OperatorRow> signal_rows() { return kSignalRows; }

}  // namespace jouletree::model
