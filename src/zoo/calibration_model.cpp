#include "zoo/calibration_model.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "zoo/calibration/families.hpp"

namespace jouletree::zoo {
namespace {

struct CalibrationFamily {
  std::string_view name;
  double weight;
  void (*write)(Chain& chain);
};

constexpr CalibrationFamily kFamilies[] = {
    {"convolutions", 3, write_convolutions},
    {"linear layers", 3, write_linear_layers},
    {"pointwise convolutions", 3, write_pointwise_convolutions},
    {"grouped convolutions", 2, write_grouped_convolutions},
    {"attention", 2, write_attention},
    {"row products", 1.5, write_row_products},
    {"arithmetic", 2, write_arithmetic},
    {"activations", 2, write_activations},
    {"normalisations", 1.5, write_normalisations},
    {"dynamic int8", 2, write_dynamic_int8},
    {"static int8", 2, write_static_int8},
    {"dynamic int8 convolutions", 0.7, write_dynamic_convolutions},
    {"4-bit products", 0.7, write_few_bits},
    {"reductions", 1, write_reductions},
    {"transpositions", 1.5, write_transpositions},
    {"moves", 1.5, write_moves},
    {"pools", 1, write_pools},
    {"resizes", 1, write_resizes},
    {"half products", 0.5, write_half_products},
    {"recurrent layers", 1.5, write_recurrent},
    {"line convolutions", 1, write_line_convolutions},
    {"lookups", 1, write_lookups},
    {"small calls", 1, write_small_calls},
    {"other convolutions", 1, write_other_convolutions},
    {"image models", 3, write_image_models},
    {"encoders", 2, write_encoders},
    {"decoders", 2, write_decoders},
};

const CalibrationFamily& family_named(std::string_view name) {
  const auto* const found = std::find_if(std::begin(kFamilies), std::end(kFamilies),
                                         [&](const auto& one) { return one.name == name; });
  if (found == std::end(kFamilies))
    throw std::logic_error(fmt::format("no family of calibration models is called {}", name));
  return *found;
}

}  // namespace

std::string CalibrationModel::name() const {
  return fmt::format("calibration {} {}", family, variant);
}

std::map<std::string, Dim, std::less<>> CalibrationModel::write(ModelWriter& model) const {
  constexpr std::uint64_t kVariants = 1000003;
  const CalibrationFamily& own = family_named(family);
  const auto place = static_cast<std::uint64_t>(&own - std::begin(kFamilies));
  Draw draw(place * kVariants + static_cast<std::uint64_t>(variant));
  Chain chain(model, draw);
  own.write(chain);
  return chain.open_dims();
}

const std::vector<std::string_view>& calibration_families() {
  static const std::vector<std::string_view> kNames = [] {
    std::vector<std::string_view> names;
    for (const CalibrationFamily& family : kFamilies) names.push_back(family.name);
    return names;
  }();
  return kNames;
}

double weight_of_family(std::string_view family) { return family_named(family).weight; }

}  // namespace jouletree::zoo
