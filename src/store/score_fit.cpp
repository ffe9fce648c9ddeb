#include "store/score_fit.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include <fmt/format.h>

#include "base/number_of.hpp"
#include "jouletree/error.hpp"

namespace jouletree::store {
namespace {

/// Exporters fold normalisation and store tied weights twice; no more of the parameters changes.
constexpr double kMostChangedByExport = 1.5;

/// "zoo: bert" and "dir/BERT.onnx" are names of one model.
std::string plain_name(const std::string& name) {
  constexpr std::string_view kZoo = "zoo: ";
  const std::string given = name.starts_with(kZoo) ? name.substr(kZoo.size()) : name;
  const std::filesystem::path path(given);
  std::string plain = path.filename().string();
  for (const std::string_view ending : {".onnx", ".pt", ".pt2", ".ptl", ".pth", ".keras", ".h5"})
    if (path.extension() == ending) plain = path.stem().string();
  std::transform(plain.begin(), plain.end(), plain.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return plain;
}

/// "ONNX Runtime" of "ONNX Runtime 1.30.0".
std::string engine_kind(const std::string& engine) {
  const auto digit = engine.find_first_of("0123456789");
  return engine.substr(0, digit);
}

std::optional<std::int64_t> params_of(const ProfileContent& profile) {
  for (const CountedMetric& metric : profile.counted) {
    if (metric.name == "params" && metric.source.empty() && metric.value.value)
      return static_cast<std::int64_t>(*metric.value.value);
  }
  return std::nullopt;
}

std::string counted_text(const std::string& model, std::int64_t params) {
  return fmt::format("{} ({})", model, number_of(params, "parameter"));
}

[[noreturn]] void refuse_other(const std::string& scored, const std::string& profiled) {
  throw Error(ErrorKind::BadInput,
              fmt::format("the score is of {}, but the profile is of {}: these are different "
                          "models; score the model that was profiled, or profile this one",
                          scored, profiled));
}

}  // namespace

Score score_that_fits(const ProfileContent& profile, Score score) {
  if (score.model_bytes && score.model_bytes == profile.model_bytes) return score;
  const bool is_named_alike = plain_name(score.model) == plain_name(profile.model);
  const bool has_one_engine = engine_kind(score.engine) == engine_kind(profile.engine);
  const std::optional<std::int64_t> counted = params_of(profile);
  if (score.params.value_or(0) > 0 && counted.value_or(0) > 0) {
    const auto [fewer, more] = std::minmax(*score.params, *counted);
    if (fewer == more) return score;
    const std::string scored = counted_text(score.model, *score.params);
    const std::string profiled = counted_text(profile.model, *counted);
    const double ratio = static_cast<double>(more) / static_cast<double>(fewer);
    if (ratio > kMostChangedByExport || (has_one_engine && !is_named_alike))
      refuse_other(scored, profiled);
    score.notes.push_back(
        fmt::format("the score is of {}, the profile of {}; check that both are the same model",
                    scored, profiled));
  } else if (!is_named_alike) {
    if (has_one_engine && score.model_bytes && profile.model_bytes)
      refuse_other(score.model, profile.model);
    score.notes.push_back(
        fmt::format("the score is of {}, the profile of {}; nothing in them tells whether these "
                    "are the same model",
                    score.model, profile.model));
  }
  return score;
}

}  // namespace jouletree::store
