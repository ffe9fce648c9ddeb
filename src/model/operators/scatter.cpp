#include "model/operators/scatter.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "model/operators/index_math.hpp"
#include "model/operators/moves.hpp"
#include "model/operators/shape_math.hpp"
#include "model/operators/value_math.hpp"

namespace jouletree::model {
namespace {

enum class ScatterReduction : std::uint8_t { None, Add, Mul, Max, Min };

ScatterReduction scatter_reduction_of(const Call& call) {
  const std::string_view name = call.attribute("reduction", "none");
  if (name == "none") return ScatterReduction::None;
  if (name == "add") return ScatterReduction::Add;
  if (name == "mul") return ScatterReduction::Mul;
  if (name == "max") return ScatterReduction::Max;
  if (name == "min") return ScatterReduction::Min;
  call.fail(fmt::format("there is no reduction '{}'", name));
}

Scalar reduced(ScatterReduction reduction, const Scalar& a, const Scalar& b) {
  if (a.is_integer() && b.is_integer()) {
    const auto left = static_cast<std::uint64_t>(a.as_integer());
    const auto right = static_cast<std::uint64_t>(b.as_integer());
    switch (reduction) {
      case ScatterReduction::None: return b;
      case ScatterReduction::Add: return Scalar::integer(static_cast<std::int64_t>(left + right));
      case ScatterReduction::Mul: return Scalar::integer(static_cast<std::int64_t>(left * right));
      case ScatterReduction::Max: return a.as_integer() > b.as_integer() ? a : b;
      case ScatterReduction::Min: return a.as_integer() < b.as_integer() ? a : b;
    }
  }
  switch (reduction) {
    case ScatterReduction::None: return b;
    case ScatterReduction::Add: return Scalar::real(a.as_real() + b.as_real());
    case ScatterReduction::Mul: return Scalar::real(a.as_real() * b.as_real());
    case ScatterReduction::Max: return a.as_real() > b.as_real() ? a : b;
    case ScatterReduction::Min: return a.as_real() < b.as_real() ? a : b;
  }
  return {};
}

/// Writes updates, whose content may be unknown, into the content of the data.
class Writer {
 public:
  Writer(const Call& call, Elements elements)
      : elements_(std::move(elements)),
        updates_(followed_content(call, 2)),
        type_(call.type(0)),
        reduction_(scatter_reduction_of(call)) {}

  void write(std::int64_t offset, std::int64_t update) {
    if (offset < 0 || offset >= static_cast<std::int64_t>(elements_.size())) return;
    const auto at = static_cast<std::size_t>(update);
    const bool known = updates_ != nullptr && at < updates_->size() && (*updates_)[at].known();
    const Scalar value = known ? (*updates_)[at] : Scalar();
    Scalar& element = elements_[static_cast<std::size_t>(offset)];
    if (reduction_ == ScatterReduction::None) {
      element = value;
    } else {
      element = known && element.known() && type_ != DataType::Bool && type_ != DataType::UInt64
                    ? rounded(reduced(reduction_, element, value), type_)
                    : Scalar();
    }
  }

  [[nodiscard]] Elements take() { return std::move(elements_); }

 private:
  Elements elements_;
  const Elements* updates_;
  DataType type_;
  ScatterReduction reduction_;
};

bool all_known(const Elements& elements) {
  return std::all_of(elements.begin(), elements.end(),
                     [](const Scalar& element) { return element.known(); });
}

void check_element_shapes(const Call& call, const Dims& data, const Dims& indices) {
  if (data.size() != indices.size()) {
    call.fail(
        fmt::format("indices of {} do not fit data of {}", to_string(indices), to_string(data)));
  }
  const Dims* updates = call.dims(2);
  if (updates == nullptr) return;
  if (updates->size() != indices.size()) {
    call.fail(fmt::format("updates of {} do not fit indices of {}", to_string(*updates),
                          to_string(indices)));
  }
  for (std::size_t i = 0; i < indices.size(); ++i) {
    static_cast<void>(
        same_dim(call, (*updates)[i], indices[i], "dimensions of updates and indices"));
  }
}

void check_slice_shapes(const Call& call, const Dims& data, const Dims& indices) {
  if (data.empty() || indices.empty()) call.fail("its data or its indices are a scalar");
  const Dim tuple = indices.back();
  if (tuple != kUnknownDim && tuple > static_cast<Dim>(data.size()))
    call.fail(fmt::format("index tuples of {} for data of {}", tuple, to_string(data)));
  const Dims* updates = call.dims(2);
  if (updates == nullptr || tuple == kUnknownDim) return;
  Dims wanted(indices.begin(), indices.end() - 1);
  wanted.insert(wanted.end(), data.begin() + tuple, data.end());
  const bool fits = updates->size() == wanted.size() &&
                    std::equal(wanted.begin(), wanted.end(), updates->begin(), [](Dim a, Dim b) {
                      return a == b || a == kUnknownDim || b == kUnknownDim;
                    });
  if (!fits) {
    call.fail(
        fmt::format("updates of {} where {} are needed", to_string(*updates), to_string(wanted)));
  }
}

}  // namespace

void scatter_elements(Call& call) {
  const Dims* data = call.dims(0);
  const Dims* indices = call.dims(1);
  if (data == nullptr || indices == nullptr) return same_as_input(call);
  check_element_shapes(call, *data, *indices);
  const std::size_t axis = normal_axis(call, call.attribute("axis", std::int64_t{0}), data->size());
  same_as_input(call);
  const Elements* content = followed_content(call, 0);
  const Elements* index_content = content == nullptr ? nullptr : followed_content(call, 1);
  if (index_content == nullptr || !all_known(*index_content)) return;
  auto strides = content_strides(*data);
  const std::int64_t stride = std::exchange(strides[axis], 0);
  const auto offsets = strided_offsets(*indices, 0, strides);
  Writer writer(call, *content);
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const auto index = normal_index(call, (*index_content)[i], (*data)[axis]);
    writer.write(offsets[i] + *index * stride, static_cast<std::int64_t>(i));
  }
  call.set_content(0, writer.take());
}

void scatter_slices(Call& call) {
  const Dims* data = call.dims(0);
  const Dims* indices = call.dims(1);
  if (data == nullptr || indices == nullptr) return same_as_input(call);
  check_slice_shapes(call, *data, *indices);
  same_as_input(call);
  const Elements* content = followed_content(call, 0);
  const Elements* index_content = content == nullptr ? nullptr : followed_content(call, 1);
  if (index_content == nullptr || !all_known(*index_content)) return;
  TupleIndexing indexing;
  indexing.tuple_size = static_cast<std::size_t>(indices->back());
  indexing.tuples = elements_of(*indices, 0, indices->size() - 1).value();
  indexing.slice_size = elements_of(*data, indexing.tuple_size, data->size()).value();
  const Count updates = Count(indexing.tuples) * Count(indexing.slice_size);
  if (updates.value() > kMaxElements || indexing.tuples > kMaxElements) return;
  Writer writer(call, *content);
  if (!content->empty()) {
    std::int64_t update = 0;
    for (const auto& start : slice_starts(call, indexing, *data, *index_content))
      for (std::int64_t i = 0; i < indexing.slice_size; ++i) writer.write(*start + i, update++);
  }
  call.set_content(0, writer.take());
}

OperatorWork scatter_work(const Call& call) {
  const bool reduces = scatter_reduction_of(call) != ScatterReduction::None;
  return {0, reduces ? call.input(2).elements() : Count(0)};
}

}  // namespace jouletree::model
