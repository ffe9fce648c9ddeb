#include "zoo/relative_positions.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "jouletree/error.hpp"

namespace jouletree::zoo {

Value sinusoids_of(ModelWriter& model, const Scope& scope, const Value& positions, Dim width) {
  if (width % 2 != 0)
    throw Error(ErrorKind::BadInput, fmt::format("width={}: give an even number", width));
  std::vector<float> frequencies;
  for (Dim i = 0; i < width; i += 2) {
    const double share = static_cast<double>(i) / static_cast<double>(width);
    frequencies.push_back(static_cast<float>(1.0 / std::pow(10000.0, share)));
  }
  const Value table = model.table(scope, {width / 2}, frequencies);
  const Value column =
      unsqueeze(model, scope, cast(model, scope, positions, DataType::Float32), {1});
  const Value angles = model.node(scope, "Mul", {column, table});
  return model.node(scope, "Concat",
                    {model.node(scope, "Sin", {angles}), model.node(scope, "Cos", {angles})},
                    {{"axis", std::int64_t{-1}}});
}

Value split_position_keys(ModelWriter& model, const Scope& scope, const Value& keys,
                          const Heads& heads) {
  const Value split =
      model.node(scope, "Reshape", {keys, model.integers({0, heads.count, heads.width})});
  return model.node(scope, "Transpose", {split}, {{"perm", Ints{1, 2, 0}}});
}

Value split_biased(ModelWriter& model, const Scope& scope, const Value& queries, const Heads& heads,
                   std::string_view bias) {
  const Value split =
      model.node(scope, "Reshape", {queries, model.integers({0, 0, heads.count, heads.width})});
  const Value biased =
      add(model, scope, split, model.weight(scope, bias, {heads.count, heads.width}));
  return model.node(scope, "Transpose", {biased}, {{"perm", Ints{0, 2, 1, 3}}});
}

RelativeShift::RelativeShift(ModelWriter& model, const Value& length) : model_(model) {
  const Scope root;
  const NodeAttributes in_line = {{"axis", std::int64_t{0}}};
  length_ = unsqueeze(model, root, length, {0});
  rows_as_cols_ = model.node(root, "Concat", {model.integers({0, 0, -1}), length_}, in_line);
  cols_as_rows_ =
      model.node(root, "Concat", {model.integers({0, 0}), length_, model.integers({-1})}, in_line);
}

Value RelativeShift::without_first_row(const Scope& scope, const Value& scores) {
  const Value end = model_.integers({std::numeric_limits<std::int64_t>::max()});
  const Value turned = model_.node(scope, "Reshape", {scores, rows_as_cols_});
  return model_.node(scope, "Slice", {turned, model_.integers({1}), end, model_.integers({2})});
}

Value RelativeShift::from_both_sides(const Scope& scope, const Value& scores) {
  const Value moved =
      model_.node(scope, "Reshape", {without_first_row(scope, scores), cols_as_rows_});
  return model_.node(scope, "Slice", {moved, model_.integers({0}), length_, model_.integers({3})});
}

Value RelativeShift::from_the_past(const Scope& scope, const Value& scores) {
  const Value one_column_more = model_.integers({0, 0, 0, 1, 0, 0, 0, 0});
  const Value padded = model_.node(scope, "Pad", {scores, one_column_more});
  return model_.node(scope, "Reshape", {without_first_row(scope, padded), cols_as_rows_});
}

}  // namespace jouletree::zoo
