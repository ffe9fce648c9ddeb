#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "model/operators/common_facts.hpp"
#include "model/operators/cost_math.hpp"
#include "model/operators/families.hpp"
#include "model/operators/index_math.hpp"
#include "model/operators/moves.hpp"
#include "model/operators/scatter.hpp"
#include "model/operators/shape_math.hpp"

namespace jouletree::model {
namespace {

/// Contents of data and indices, where both are known and the output is small.
struct IndexedContent {
  const Elements* data = nullptr;
  const Elements* indices = nullptr;

  [[nodiscard]] explicit operator bool() const { return indices != nullptr; }
};

IndexedContent indexed_content(const Call& call, const Dims& output) {
  if (!can_hold_content(output) || !call.has_content(1)) return {};
  const Elements* data = followed_content(call, 0);
  return {data, data == nullptr ? nullptr : followed_content(call, 1)};
}

Elements gathered(const Call& call, const IndexedContent& content, const Dims& data,
                  std::size_t axis) {
  const std::int64_t outer = elements_of(data, 0, axis).value();
  const std::int64_t inner = elements_of(data, axis + 1, data.size()).value();
  Elements result;
  for (std::int64_t i = 0; i < outer; ++i) {
    for (const Scalar& element : *content.indices) {
      const auto index = normal_index(call, element, data[axis]);
      if (!index) {
        result.resize(result.size() + static_cast<std::size_t>(inner));
        continue;
      }
      const auto from = content.data->begin() + (i * data[axis] + *index) * inner;
      result.insert(result.end(), from, from + inner);
    }
  }
  return result;
}

void gather(Call& call) {
  const Dims* data = call.dims(0);
  const Dims* indices = call.dims(1);
  if (data == nullptr || indices == nullptr) return call.set_unknown(0, call.type(0));
  const std::size_t axis = normal_axis(call, call.attribute("axis", std::int64_t{0}), data->size());
  const auto at = static_cast<std::ptrdiff_t>(axis);
  Dims output(data->begin(), data->begin() + at);
  output.insert(output.end(), indices->begin(), indices->end());
  output.insert(output.end(), data->begin() + at + 1, data->end());
  call.set(0, call.type(0), output);
  if (const IndexedContent content = indexed_content(call, output)) {
    const bool empty = elements_of(output) == Count(0);
    call.set_content(0, empty ? Elements() : gathered(call, content, *data, axis));
  }
}

void gather_elements_along_axis(Call& call) {
  const Dims* data = call.dims(0);
  const Dims* indices = call.dims(1);
  if (indices == nullptr) return call.set_unknown(0, call.type(0));
  call.set(0, call.type(0), *indices);
  if (data == nullptr) return;
  if (data->size() != indices->size()) {
    call.fail(
        fmt::format("indices of {} do not fit data of {}", to_string(*indices), to_string(*data)));
  }
  const std::size_t axis = normal_axis(call, call.attribute("axis", std::int64_t{0}), data->size());
  for (std::size_t i = 0; i < data->size(); ++i) {
    if (i != axis && (*data)[i] != kUnknownDim && (*indices)[i] > (*data)[i]) {
      call.fail(fmt::format("indices of {} are larger than data of {}", to_string(*indices),
                            to_string(*data)));
    }
  }
  const IndexedContent content = indexed_content(call, *indices);
  if (!content) return;
  auto strides = content_strides(*data);
  const std::int64_t stride = std::exchange(strides[axis], 0);
  auto offsets = strided_offsets(*indices, 0, strides);
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const auto index = normal_index(call, (*content.indices)[i], (*data)[axis]);
    offsets[i] = index ? offsets[i] + *index * stride : -1;
  }
  call.set_content(0, picked(*content.data, offsets));
}

Elements gathered_slices(const Call& call, const IndexedContent& content,
                         const TupleIndexing& indexing, const Dims& data) {
  Elements result;
  for (const auto& start : slice_starts(call, indexing, data, *content.indices)) {
    if (!start) {
      result.resize(result.size() + static_cast<std::size_t>(indexing.slice_size));
      continue;
    }
    const auto from = content.data->begin() + *start;
    result.insert(result.end(), from, from + indexing.slice_size);
  }
  return result;
}

void gather_slices(Call& call) {
  const Dims* data = call.dims(0);
  const Dims* indices = call.dims(1);
  if (data == nullptr || indices == nullptr ||
      (!indices->empty() && indices->back() == kUnknownDim))
    return call.set_unknown(0, call.type(0));
  const std::int64_t batch = call.attribute("batch_dims", std::int64_t{0});
  if (indices->empty() || batch < 0 || batch >= static_cast<std::int64_t>(indices->size()) ||
      batch + indices->back() > static_cast<std::int64_t>(data->size())) {
    call.fail(fmt::format("indices of {} with {} batch axes do not fit data of {}",
                          to_string(*indices), batch, to_string(*data)));
  }
  TupleIndexing indexing;
  indexing.batch_axes = static_cast<std::size_t>(batch);
  indexing.tuple_size = static_cast<std::size_t>(indices->back());
  Dims output(indices->begin(), indices->end() - 1);
  output.insert(output.end(), data->begin() + batch + indices->back(), data->end());
  call.set(0, call.type(0), output);
  const IndexedContent content = indexed_content(call, output);
  if (!content) return;
  if (elements_of(output) == Count(0)) return call.set_content(0, {});
  if (!std::equal(data->begin(), data->begin() + batch, indices->begin())) return;
  indexing.tuples = elements_of(*indices, 0, indices->size() - 1).value();
  indexing.slice_size =
      elements_of(*data, indexing.batch_axes + indexing.tuple_size, data->size()).value();
  if (!content.data->empty()) call.set_content(0, gathered_slices(call, content, indexing, *data));
}

/// The positions of all elements that are not zero; nothing where an element is unknown.
std::optional<std::vector<std::int64_t>> nonzero_positions(const Call& call) {
  const Elements* content = followed_content(call, 0);
  if (content == nullptr) return std::nullopt;
  std::vector<std::int64_t> positions;
  for (std::size_t i = 0; i < content->size(); ++i) {
    const Scalar& element = (*content)[i];
    if (!element.known()) return std::nullopt;
    if (element.as_real() != 0) positions.push_back(static_cast<std::int64_t>(i));
  }
  return positions;
}

void nonzero(Call& call) {
  const Dims* input = call.dims(0);
  if (input == nullptr) return call.set(0, DataType::Int64, {kUnknownDim, kUnknownDim});
  // A scalar counts as a tensor of one axis.
  const Dims dims = input->empty() ? Dims{1} : *input;
  const auto rank = static_cast<Dim>(dims.size());
  const auto positions = nonzero_positions(call);
  const Dim count = positions ? static_cast<Dim>(positions->size())
                              : (elements_of(dims) == Count(0) ? 0 : kUnknownDim);
  call.set(0, DataType::Int64, {rank, count});
  if (!positions || !can_hold_content({rank, count})) return;
  const auto strides = content_strides(dims);
  Elements elements;
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    for (const std::int64_t position : *positions)
      elements.push_back(Scalar::integer(position / strides[axis] % dims[axis]));
  }
  call.set_content(0, std::move(elements));
}

/// Words as rows of characters: looks the characters up, convolves them and keeps the largest.
void word_embedding(Call& call) {
  const Dims* words = call.dims(0);
  const Dims* filters = call.dims(1);
  if ((words != nullptr && words->size() != 2) || (filters != nullptr && filters->size() != 4))
    call.fail("it needs words of 2 and filters of 4 dimensions");
  call.set(0, call.type(1), {dim_at(call, 0, 0), dim_at(call, 1, 0)});
}

OperatorWork word_embedding_work(const Call& call) {
  const Count length = count_of(dim_at(call, 0, 1)) - count_of(dim_at(call, 1, 2)) + Count(1);
  const Count places = length.known() ? Count(std::max(length.value(), Dim{0})) : length;
  const Count sums = call.output(0).elements() * places;
  const Count window = count_of(dim_at(call, 1, 2)) * count_of(dim_at(call, 1, 3));
  // A bias, a tanh and a comparison for every sum.
  return multiply_accumulates(sums * window, sums * Count(3));
}

constexpr ConstantRoles kGathered = {.settings = slots(1), .forwarded = slots(0)};
constexpr ConstantRoles kScattered = {.settings = slots(1), .forwarded = slots(0, 2)};

constexpr Lookup kAlongAxis[] = {{.indices = 1, .table = 0, .axis_attribute = "axis"}};
constexpr OperatorFacts kPicksAlongAxis = {
    .keeps_values = true, .lookups = kAlongAxis, .picks = true};
constexpr Lookup kLetters[] = {{.indices = 0, .table = 3}};
constexpr OperatorFacts kEmbedsWords = {
    .lookups = kLetters, .work = WorkKind::WeightedProduct, .picks = true};
constexpr OperatorFacts kPicksSlices = {.keeps_values = true, .picks = true};

constexpr OperatorRow kIndexingRows[] = {
    {kOnnx, "Gather", gather, moves_selected, kGathered, kPicksAlongAxis},
    {kOnnx, "GatherElements", gather_elements_along_axis, moves_selected, kGathered,
     kPicksAlongAxis},
    {kOnnx, "GatherND", gather_slices, moves_selected, kGathered, kPicksSlices},
    {kMicrosoft, "GatherND", gather_slices, moves_selected, kGathered, kPicksSlices},
    {kOnnx, "Scatter", scatter_elements, scatter_work, kScattered, kInPlace},
    {kOnnx, "ScatterElements", scatter_elements, scatter_work, kScattered, kInPlace},
    {kOnnx, "ScatterND", scatter_slices, scatter_work, kScattered},
    {kMicrosoft,
     "WordConvEmbedding",
     word_embedding,
     word_embedding_work,
     {.weights = slots(1, 2, 3)},
     kEmbedsWords},
    {kOnnx, "NonZero", nonzero, per_input_element<1>, {.forwarded = slots(0)}, kSearches},
};

}  // namespace

std::span<const OperatorRow> indexing_rows() { return kIndexingRows; }

}  // namespace jouletree::model
