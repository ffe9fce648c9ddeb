#include "predict/stored_fits.hpp"

#include <cmath>

#include <fmt/format.h>

#include "base/display_width.hpp"
#include "jouletree/error.hpp"

namespace jouletree::predict {
namespace {

using Eigen::Index;

/// No size of an operator, of a tile or of a number of units comes near it.
constexpr double kMostSize = 1e18;

[[noreturn]] void refuse_stored(const std::string& problem) {
  throw Error(ErrorKind::BadInput,
              fmt::format("is a damaged predictor: {}; make one with jouletree train", problem));
}

bool is_size(double value) { return value > 0 && value <= kMostSize; }

void check_length(const Eigen::VectorXd& vector, Index wanted, std::string_view what,
                  std::string_view of) {
  if (vector.size() == wanted) return;
  refuse_stored(fmt::format("{} of '{}' are {} numbers, but must be {}", what, printable(of),
                            vector.size(), wanted));
}

void check_standardizer(const Standardizer& standardizer, Index features, std::string_view of) {
  check_length(standardizer.mean, features, "the means", of);
  check_length(standardizer.scale, features, "the scales", of);
  for (const double scale : standardizer.scale)
    if (!(scale > 0)) refuse_stored(fmt::format("a scale of '{}' is not above 0", printable(of)));
}

/// 1, all features, all their products of two, and of three; see cubic_terms().
Index inputs_of(const IreneModel& model, Index features) {
  if (!model.config.polynomial_features) return features;
  return 1 + features + features * (features + 1) / 2 +
         features * (features + 1) * (features + 2) / 6;
}

}  // namespace

std::int64_t stored_count(const nlohmann::ordered_json& json, std::string_view what,
                          std::int64_t least, std::int64_t most) {
  const bool fits = json.is_number_unsigned()
                        ? json.get<std::uint64_t>() <= static_cast<std::uint64_t>(most)
                        : json.is_number_integer();
  if (fits) {
    const auto count = json.get<std::int64_t>();
    if (count >= least && count <= most) return count;
  }
  refuse_stored(fmt::format("{} is no whole number from {} to {}", what, least, most));
}

double stored_size(const nlohmann::ordered_json& json, std::string_view what) {
  const auto value = json.get<double>();
  if (value >= 0 && value <= kMostSize) return value;
  refuse_stored(fmt::format("{} is {}, which is no size", what, value));
}

void refuse_kernel(const std::string& name) {
  refuse_stored(fmt::format("the kernel '{}' is none", printable(name)));
}

void check_stored(const WorkPrice& price, std::string_view group) {
  if (price.kernel != Kernel::Unknown || price.work_class == WorkClass::Memory) return;
  const Wave& wave = price.wave;
  if (is_size(wave.tile_rows) && is_size(wave.tile_columns) && is_size(wave.slots)) return;
  refuse_stored(fmt::format("the wave of '{}' has a size that is not above 0", printable(group)));
}

void check_stored(const IreneModel& model) {
  const auto features = static_cast<Index>(irene_feature_names(model.config).size());
  for (const auto& [type, regression] : model.operators) {
    check_standardizer(regression.standardizer, features, type);
    check_length(regression.coefficients, features, "the coefficients", type);
  }
  if (model.standardizer) check_standardizer(*model.standardizer, features, "all nodes");
  check_length(model.weights, inputs_of(model, features), "the weights", "all nodes");
}

void check_stored(const LayerPolynomial& polynomial, std::string_view layer, std::size_t terms) {
  constexpr int kHighestDegree = 3;
  if (polynomial.degree < 1 || polynomial.degree > kHighestDegree)
    refuse_stored(fmt::format("the degree of '{}' is not 1, 2 or 3", printable(layer)));
  check_length(polynomial.lasso.coefficients, static_cast<Index>(terms), "the coefficients", layer);
  const Range& values = polynomial.values;
  if (!(values.low > 0 && values.low <= values.high && values.high <= kMostSize))
    refuse_stored(fmt::format("the trained_values of '{}' are no range", printable(layer)));
}

void check_stored(const Range& range, std::string_view group) {
  if (range.low >= 0 && range.low <= range.high && range.high <= kMostSize) return;
  refuse_stored(fmt::format("the sizes of '{}' are no range", printable(group)));
}

}  // namespace jouletree::predict
