#include "zoo/calibration_model.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "zoo/calibration/families.hpp"

namespace jouletree::zoo {
namespace {

struct CalibrationFamily {
  std::string_view name;
  void (*write)(Chain& chain);
};

constexpr CalibrationFamily kFamilies[] = {
    {"convolutions", write_convolutions},
    {"linear layers", write_linear_layers},
    {"pointwise convolutions", write_pointwise_convolutions},
    {"grouped convolutions", write_grouped_convolutions},
    {"attention", write_attention},
    {"row products", write_row_products},
    {"arithmetic", write_arithmetic},
    {"activations", write_activations},
    {"normalisations", write_normalisations},
    {"dynamic int8", write_dynamic_int8},
    {"static int8", write_static_int8},
    {"reductions", write_reductions},
    {"transpositions", write_transpositions},
    {"moves", write_moves},
    {"pools", write_pools},
    {"resizes", write_resizes},
    {"recurrent layers", write_recurrent},
    {"line convolutions", write_line_convolutions},
    {"lookups", write_lookups},
    {"small calls", write_small_calls},
    {"other convolutions", write_other_convolutions},
    {"image models", write_image_models},
    {"encoders", write_encoders},
    {"decoders", write_decoders},
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

}  // namespace jouletree::zoo
