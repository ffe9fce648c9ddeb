#include <algorithm>

#include <fmt/format.h>

#include "model/operators/activation_flops.hpp"
#include "model/operators/attribute_size.hpp"
#include "model/operators/common_facts.hpp"
#include "model/operators/cost_math.hpp"
#include "model/operators/families.hpp"
#include "model/operators/retype.hpp"
#include "model/operators/shape_math.hpp"
#include "model/operators/tree_ensemble.hpp"

namespace jouletree::model {
namespace {

/// Rows and columns of the table of samples; one sample may come without the dimension of rows.
struct SampleTable {
  Dim rows = kUnknownDim;
  Dim columns = kUnknownDim;
};

SampleTable samples(const Call& call, std::size_t position = 0) {
  const Dims* dims = call.dims(position);
  if (dims == nullptr) return {};
  if (dims->empty()) call.fail("its input is a scalar, not a table of samples");
  if (dims->size() == 1) return {1, dims->front()};
  return {(*dims)[0], (*dims)[1]};
}

std::int64_t not_negative(const Call& call, std::string_view attribute, std::int64_t fallback) {
  const std::int64_t value = call.attribute(attribute, fallback);
  if (value < 0) call.fail(fmt::format("its attribute '{}' is negative", attribute));
  return value;
}

Dim size_of(const Call& call, std::string_view attribute) {
  return dim_of(attribute_size(call.node(), attribute));
}

/// The number of classes, and whether they are named by texts or by numbers.
struct Labels {
  Dim count = 0;
  DataType type = DataType::Int64;
};

Labels labels(const Call& call, std::string_view texts, std::string_view numbers) {
  const Dim named = size_of(call, texts);
  if (named != 0) return {named, DataType::String};
  return {size_of(call, numbers), DataType::Int64};
}

void array_feature_extractor(Call& call) {
  const Dims* dims = call.dims(0);
  if (dims == nullptr) return call.set_unknown(0, call.type(0));
  if (dims->empty()) call.fail("it selects columns of a scalar");
  const Dim selected = dim_of(call.input(1).elements());
  if (dims->size() == 1) return call.set(0, call.type(0), {1, selected});
  Dims result = *dims;
  result.back() = selected;
  call.set(0, call.type(0), std::move(result));
}

void cast_map(Call& call) {
  const auto to = call.attribute("cast_to", "TO_FLOAT");
  const bool sparse = call.attribute("map_form", "DENSE") == "SPARSE";
  const DataType type = to == "TO_STRING"  ? DataType::String
                        : to == "TO_INT64" ? DataType::Int64
                                           : DataType::Float32;
  call.set(0, type, {1, sparse ? not_negative(call, "max_map", 1) : kUnknownDim});
}

void category_mapper(Call& call) {
  if (call.type(0) == DataType::String) return same_shape_of_type<DataType::Int64>(call);
  same_shape_of_type<DataType::String>(call);
}

void dict_vectorizer(Call& call) {
  call.set(0, call.type(0), {1, labels(call, "string_vocabulary", "int64_vocabulary").count});
}

void feature_vectorizer(Call& call) {
  Count columns = 0;
  if (const auto sizes = call.attribute_integers("inputdimensions")) {
    for (const std::int64_t size : *sizes) {
      if (size < 0) call.fail("its attribute 'inputdimensions' holds a negative size");
      columns += size;
    }
  } else {
    for (std::size_t i = 0; i < call.input_count(); ++i)
      columns += count_of(samples(call, i).columns);
  }
  call.set(0, DataType::Float32, {samples(call).rows, dim_of(columns)});
}

void label_encoder(Call& call) {
  const Attribute* values = call.node().attribute("values_tensor");
  ValueType type = call.input(0);
  if (values != nullptr && !values->tensors.empty()) {
    type.type = values->tensors.front().type;
  } else if (call.has_attribute("values_strings")) {
    type.type = DataType::String;
  } else if (call.has_attribute("values_int64s")) {
    type.type = DataType::Int64;
  } else if (call.has_attribute("values_floats")) {
    type.type = DataType::Float32;
  } else {
    type.type = call.type(0) == DataType::String ? DataType::Int64 : DataType::String;
  }
  call.set(0, std::move(type));
}

void set_classes(Call& call, DataType label_type, Dim scores) {
  const Dim rows = samples(call).rows;
  call.set(0, label_type, {rows});
  call.set(1, DataType::Float32, {rows, scores});
}

void linear_classifier(Call& call) {
  const Labels classes = labels(call, "classlabels_strings", "classlabels_ints");
  const Dim scores = size_of(call, "intercepts");
  // One score tells two classes apart; the other one is its complement.
  set_classes(call, classes.type, scores == 1 && classes.count == 2 ? 2 : scores);
}

void linear_regressor(Call& call) {
  call.set(0, DataType::Float32, {samples(call).rows, not_negative(call, "targets", 1)});
}

void one_hot_encoder(Call& call) {
  const Dims* dims = call.dims(0);
  if (dims == nullptr) return call.set_unknown(0, DataType::Float32);
  Dims result = *dims;
  result.push_back(labels(call, "cats_strings", "cats_int64s").count);
  call.set(0, DataType::Float32, std::move(result));
}

/// 0 where the classes are told apart by planes.
Count support_vectors(const Call& call) {
  if (call.node().op == "SVMRegressor")
    return std::max(call.attribute("n_supports", std::int64_t{0}), std::int64_t{0});
  const auto counts = call.attribute_integers("vectors_per_class");
  Count total = 0;
  for (const std::int64_t count : counts.value_or(std::vector<std::int64_t>{})) {
    if (count < 0) call.fail("its attribute 'vectors_per_class' holds a negative number");
    total += count;
  }
  return total;
}

/// One classifier for each pair of classes.
Count pairs(Count classes) { return classes * (classes - Count(1)) / Count(2); }

void svm_classifier(Call& call) {
  const Labels classes = labels(call, "classlabels_strings", "classlabels_ints");
  if (classes.count == 0) call.fail("it names no classes");
  const bool votes = support_vectors(call) != Count(0) && size_of(call, "prob_a") == 0;
  const Dim voters = classes.count > 2 ? dim_of(pairs(count_of(classes.count))) : 2;
  set_classes(call, classes.type, votes ? voters : classes.count);
}

void svm_regressor(Call& call) { call.set(0, DataType::Float32, {samples(call).rows, 1}); }

void tree_classifier(Call& call) {
  const Labels classes = labels(call, "classlabels_strings", "classlabels_int64s");
  set_classes(call, classes.type, classes.count);
}

void tree_regressor(Call& call) {
  const DataType type = call.node().op == "TreeEnsemble" ? call.type(0) : DataType::Float32;
  const Dim targets =
      call.has_attribute("n_targets") ? not_negative(call, "n_targets", 0) : kUnknownDim;
  call.set(0, type, {samples(call).rows, targets});
}

/// One map for each sample; the dimension of a map is the number of its entries.
void zip_map(Call& call) {
  ValueType map;
  map.kind = ValueKind::Map;
  map.type = DataType::Float32;
  map.dims = Dims{labels(call, "classlabels_strings", "classlabels_int64s").count};
  ValueType maps = map;
  maps.kind = ValueKind::Sequence;
  const Dim rows = samples(call).rows;
  if (rows != kUnknownDim && rows <= kMaxElements)
    maps.items = std::vector<ValueType>(static_cast<std::size_t>(rows), map);
  call.set(0, std::move(maps));
}

OperatorWork select_columns(const Call& call) {
  return {0, 0, call.output(0).bytes() + call.input(1).bytes()};
}

/// Arithmetic per score of the transform that turns scores into probabilities.
Count transform_flops(const Call& call) {
  // TreeEnsemble numbers the transforms in this order.
  static constexpr std::string_view kNames[] = {"NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO",
                                                "PROBIT"};
  static constexpr std::int64_t kFlops[] = {0, kSoftmaxFlops, kSigmoidFlops, kSoftmaxFlops, 1};
  const Attribute* transform = call.node().attribute("post_transform");
  if (transform == nullptr) return 0;
  for (std::size_t i = 0; i < std::size(kNames); ++i) {
    const bool same = transform->kind == AttributeKind::Int
                          ? transform->integer == static_cast<std::int64_t>(i)
                          : transform->text == kNames[i];
    if (same) return kFlops[i];
  }
  call.fail("its attribute 'post_transform' names no known transform");
}

OperatorWork linear_cost(const Call& call) {
  const SampleTable table = samples(call);
  const bool classifier = call.node().op == "LinearClassifier";
  const Count targets = classifier ? attribute_size(call.node(), "intercepts")
                                   : Count(not_negative(call, "targets", 1));
  const Count scores = count_of(table.rows) * targets;
  const bool has_intercepts = size_of(call, "intercepts") != 0;
  // A classifier compares the scores to find the largest.
  const Count per_score = Count(has_intercepts ? 1 : 0) + Count(classifier ? 1 : 0);
  return multiply_accumulates(scores * count_of(table.columns),
                              scores * (per_score + transform_flops(call)));
}

OperatorWork normalizer_cost(const Call& call) {
  const auto norm = call.attribute("norm", "MAX");
  return {0, call.output(0).elements() * Count(norm == "MAX" ? 2 : norm == "L1" ? 3 : 4)};
}

OperatorWork svm_cost(const Call& call) {
  const SampleTable table = samples(call);
  const Count rows = count_of(table.rows);
  const Count columns = count_of(table.columns);
  const Count vectors = support_vectors(call);
  const bool regressor = call.node().op == "SVMRegressor";
  const Count classes =
      regressor ? Count(1)
                : count_of(labels(call, "classlabels_strings", "classlabels_ints").count);
  if (vectors == Count(0)) {
    const Count scores = rows * classes;
    return multiply_accumulates(scores * columns, scores * (Count(1) + transform_flops(call)));
  }
  const auto kernel = call.attribute("kernel_type", "LINEAR");
  const Count kernels = rows * vectors;
  const Count voters = regressor ? Count(1) : pairs(classes);
  const Count combined = kernels * (regressor ? Count(1) : classes - Count(1));
  const Count offsets = rows * voters;
  // A squared distance is no inner product: difference, square and sum; then scale and exp.
  if (kernel == "RBF")
    return multiply_accumulates(combined, kernels * (columns * Count(3) + Count(2)) + offsets);
  // Scale, offset and the power or tanh of the others.
  return multiply_accumulates(kernels * columns + combined,
                              kernels * Count(kernel == "LINEAR" ? 0 : 3) + offsets);
}

OperatorWork tree_cost(const Call& call) {
  const bool classifier = call.node().op == "TreeEnsembleClassifier";
  const TreeWork work = call.node().op == "TreeEnsemble"
                            ? work_of_branch_tables(call)
                            : work_of_listed_trees(call, classifier ? "class" : "target");
  const Count scores = call.output(classifier ? 1 : 0).elements();
  return {0, count_of(samples(call).rows) * (work.comparisons + work.additions) +
                 scores * transform_flops(call)};
}

/// Every value is written beside its key.
OperatorWork zip_map_cost(const Call& call) {
  Count keys = attribute_size(call.node(), "classlabels_int64s") * Count(8);
  if (const Attribute* texts = call.node().attribute("classlabels_strings"))
    for (const std::string_view text : texts->texts) keys += static_cast<std::int64_t>(text.size());
  const Count values = call.input(0).bytes();
  return {0, 0, values, values + count_of(samples(call).rows) * keys};
}

constexpr ParameterRules kLearned = {.in_attributes = attribute_parameters};

constexpr Lookup kColumns[] = {{.indices = 1, .table = 0, .usual_axis = -1}};
constexpr OperatorFacts kPicksColumns = {.keeps_values = true, .lookups = kColumns, .picks = true};

constexpr OperatorRow kClassicalRows[] = {
    {kMl, "ArrayFeatureExtractor", array_feature_extractor, select_columns, {}, kPicksColumns},
    {kMl, "Binarizer", same_shape, per_output_element<1>},
    {kMl, "CastMap", cast_map, only_moves},
    {kMl, "CategoryMapper", category_mapper, only_moves},
    {kMl, "DictVectorizer", dict_vectorizer, only_moves},
    {kMl, "FeatureVectorizer", feature_vectorizer, only_moves},
    {kMl, "Imputer", same_shape, per_output_element<1>},
    {kMl, "LabelEncoder", label_encoder, only_moves},
    {kMl, "LinearClassifier", linear_classifier, linear_cost, {}, kWeightedProducts, kLearned},
    {kMl, "LinearRegressor", linear_regressor, linear_cost, {}, kWeightedProducts, kLearned},
    {kMl, "Normalizer", same_shape_of_type<DataType::Float32>, normalizer_cost},
    {kMl, "OneHotEncoder", one_hot_encoder, only_moves},
    {kMl, "SVMClassifier", svm_classifier, svm_cost, {}, kWeightedProducts, kLearned},
    {kMl, "SVMRegressor", svm_regressor, svm_cost, {}, kWeightedProducts, kLearned},
    {kMl, "Scaler", same_shape_of_type<DataType::Float32>, per_output_element<2>},
    {kMl, "TreeEnsemble", tree_regressor, tree_cost, {}, {}, kLearned},
    {kMl, "TreeEnsembleClassifier", tree_classifier, tree_cost, {}, {}, kLearned},
    {kMl, "TreeEnsembleRegressor", tree_regressor, tree_cost, {}, {}, kLearned},
    {kMl, "ZipMap", zip_map, zip_map_cost},
};

}  // namespace

std::span<const OperatorRow> classical_rows() { return kClassicalRows; }

}  // namespace jouletree::model
