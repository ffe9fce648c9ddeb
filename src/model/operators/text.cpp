#include <algorithm>

#include "model/operators/cost_math.hpp"
#include "model/operators/families.hpp"
#include "model/operators/retype.hpp"
#include "model/operators/shape_math.hpp"

namespace jouletree::model {
namespace {

void string_normalizer(Call& call) {
  const Attribute* stopwords = call.node().attribute("stopwords");
  ValueType type = call.input(0);
  type.type = DataType::String;
  // Which words are dropped depends on the words.
  if (stopwords != nullptr && !stopwords->texts.empty() && type.dims && !type.dims->empty())
    type.dims->back() = kUnknownDim;
  call.set(0, std::move(type));
}

void tf_idf_vectorizer(Call& call) {
  const auto indexes =
      call.attribute_integers("ngram_indexes").value_or(std::vector<std::int64_t>{});
  if (indexes.empty()) call.fail("its attribute 'ngram_indexes' is empty");
  const std::int64_t last = *std::max_element(indexes.begin(), indexes.end());
  if (last < 0) call.fail("its attribute 'ngram_indexes' holds only negative numbers");
  const Dim size = dim_of(Count(last) + Count(1));
  const Dims* dims = call.dims(0);
  if (dims == nullptr) return call.set_unknown(0, DataType::Float32);
  if (dims->size() > 2) call.fail("its input has more than two dimensions");
  call.set(0, DataType::Float32, dims->size() == 2 ? Dims{dims->front(), size} : Dims{size});
}

void string_concat(Call& call) {
  const auto dims = broadcast_inputs(call, 0, 2);
  if (!dims) return call.set_unknown(0, DataType::String);
  call.set(0, DataType::String, *dims);
}

/// Every text becomes a row of as many parts as the text with the most.
void set_parts(Call& call) {
  const Dims* dims = call.dims(0);
  if (dims == nullptr) return call.set_unknown(0, DataType::String);
  Dims parts = *dims;
  parts.push_back(elements_of(*dims) == Count(0) ? 0 : kUnknownDim);
  call.set(0, DataType::String, std::move(parts));
}

void string_split(Call& call) {
  ValueType counts = call.input(0);
  counts.type = DataType::Int64;
  set_parts(call);
  call.set(1, std::move(counts));
}

void tokenizer(Call& call) {
  if (call.input(0).elements() == Count(0)) return same_as_input(call);
  set_parts(call);
}

void murmur_hash(Call& call) {
  if (call.attribute("positive", std::int64_t{1}) == 0)
    return same_shape_of_type<DataType::Int32>(call);
  same_shape_of_type<DataType::UInt32>(call);
}

/// A 32-bit key takes 16 operations: one block is mixed in, then the hash is finished.
OperatorWork murmur_hash_cost(const Call& call) {
  if (call.type(0) == DataType::String) return {0, Count::unknown()};
  return {0, call.output(0).elements() * Count(16)};
}

void ngram_repeat_block(Call& call) { same_as_input(call, 1); }

/// Compares the last words of each sequence with all that come before, at most to the end.
OperatorWork ngram_repeat_block_cost(const Call& call) {
  const std::int64_t size = call.attribute("ngram_size", std::int64_t{1});
  const Dims* ids = call.dims(0);
  if (ids == nullptr || ids->size() != 2) return {0, Count::unknown()};
  const Count length = count_of((*ids)[1]);
  if (size < 1 || (length.known() && length.value() < size)) return {0, 0};
  return {0, count_of((*ids)[0]) * (length - Count(size) + Count(1)) * Count(size - 1)};
}

/// A positive number that tells how far text is generated; unknown where it depends on data.
Dim limit(const Call& call, std::size_t position) {
  const auto value = call.integer(position);
  if (!value) return kUnknownDim;
  if (*value <= 0) call.fail("a limit of the generated text is not positive");
  return *value;
}

Dim vocabulary(const Call& call) {
  return std::max(call.attribute("vocab_size", std::int64_t{-1}), kUnknownDim);
}

Dim batch(const Call& call) {
  const Dims* dims = call.dims(0);
  return dims == nullptr || dims->empty() ? kUnknownDim : dims->front();
}

void beam_search(Call& call) {
  const Dim rows = batch(call);
  const Dim returned = limit(call, 4);
  const Dim longest = limit(call, 1);
  const DataType scores = call.has_input(5) ? call.type(5) : DataType::Float32;
  call.set(0, DataType::Int32, {rows, returned, longest});
  call.set(1, scores, {rows, returned});
  // Only a decoder alone starts from the prompt; others start from ids that may be left out.
  const bool decoder_only = call.node().op == "BeamSearch" && call.block("encoder") == nullptr;
  const Dims* prompt = call.dims(0);
  const Count start = decoder_only && prompt != nullptr && prompt->size() == 2
                          ? count_of((*prompt)[1])
                          : Count::unknown();
  const Count steps = count_of(longest) - start;
  if (steps.known() && steps.value() < 0)
    call.fail("its prompt is longer than the whole text may be");
  call.set(2, scores, {dim_of(steps), rows, limit(call, 3), vocabulary(call)});
  call.set_unknown(3, DataType::Float32);
  call.set(4, scores, {rows});
}

void greedy_search(Call& call) {
  call.set(0, DataType::Int32, {batch(call), limit(call, 1)});
  call.set(1, DataType::Float32, {batch(call), vocabulary(call)});
}

// Text generation runs the decoder it carries as often as the text gets long: no cost is known.
constexpr OperatorRow kTextRows[] = {
    {kOnnx, "StringNormalizer", string_normalizer, only_moves},
    {kOnnx, "TfIdfVectorizer", tf_idf_vectorizer, per_output_element<1>},
    {kOnnx, "StringConcat", string_concat, only_moves},
    {kOnnx, "StringSplit", string_split, only_moves},
    {kOnnx, "RegexFullMatch", same_shape_of_type<DataType::Bool>, only_moves},
    {kMicrosoft, "Tokenizer", tokenizer, only_moves},
    {kMicrosoft, "MurmurHash3", murmur_hash, murmur_hash_cost},
    {kMicrosoft, "NGramRepeatBlock", ngram_repeat_block, ngram_repeat_block_cost},
    {kMicrosoft, "BeamSearch", beam_search, nullptr},
    {kMicrosoft, "WhisperBeamSearch", beam_search, nullptr},
    {kMicrosoft, "GreedySearch", greedy_search, nullptr},
    {kMicrosoft, "Sampling", greedy_search, nullptr},
};

}  // namespace

std::span<const OperatorRow> text_rows() { return kTextRows; }

}  // namespace jouletree::model
