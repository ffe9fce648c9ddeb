#include "tree/score_metrics.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

namespace jouletree::tree {
namespace {

/// What a row of the catalogue points to, of a row that is made for one score.
struct ScoreTexts {
  std::string name;
  std::string friendly_name;
};

constexpr std::string_view kOfScore = "score_";
constexpr std::string_view kEpr = "epr";

/// As the row `like`, with a name of its own.
MetricResult made_result(const Metric& like, ScoreTexts texts, const MetricValue& value) {
  const auto kept = std::make_shared<const ScoreTexts>(std::move(texts));
  MetricResult result;
  result.entry.metric = like;
  result.entry.metric.name = kept->name;
  result.entry.metric.friendly_name = kept->friendly_name;
  result.entry.from_profile = [value](const MeasuredModel&) { return value; };
  result.value = value;
  result.texts = kept;
  return result;
}

MetricResult made_score(const ScoredMetric& scored) {
  Metric row = *built_in_metric("score_top1");
  row.scale = scored.scale;
  row.better = scored.better;
  row.description = "Of an evaluation on data";
  return made_result(row, {score_key(scored.name), scored.friendly_name},
                     {scored.value, false, {}, {}, Provenance::Measured});
}

}  // namespace

std::string score_key(std::string_view metric) { return fmt::format("{}{}", kOfScore, metric); }

bool is_score_key(std::string_view key) {
  return key.starts_with(kOfScore) || key == kEpr || key.starts_with("epr_");
}

std::string epr_key(double alpha) {
  if (alpha == 1) return std::string(kEpr);
  std::string key = fmt::format("{}_{}", kEpr, alpha);
  std::replace_if(
      key.begin(), key.end(), [](char c) { return c == '.' || c == '-' || c == '+'; }, '_');
  return key;
}

void add_other_scores(const Score& score, std::vector<MetricResult>& results) {
  // Behind the last score, and before what plug-ins give.
  auto place = std::find_if(results.begin(), results.end(), [](const MetricResult& one) {
    return !one.entry.plugin.empty() || one.entry.metric.name == "score_time_s";
  });
  for (const ScoredMetric& scored : score.metrics) {
    if (built_in_metric(score_key(scored.name)) != nullptr) continue;
    place = std::next(results.insert(place, made_score(scored)));
  }
  if (score.epr_alpha == 1 || !score.epr().value) return;
  const auto behind = std::find_if(results.begin(), results.end(), [](const MetricResult& one) {
    return !one.entry.plugin.empty();
  });
  results.insert(behind,
                 made_result(*built_in_metric(kEpr),
                             {epr_key(score.epr_alpha),
                              fmt::format("Energy-precision ratio, α = {}", score.epr_alpha)},
                             score.epr()));
}

std::vector<MetricResult> score_results(const Score& score) {
  MeasuredModel model;
  model.score = score;
  std::vector<MetricResult> all = MetricSet().compute(model);
  std::vector<MetricResult> results;
  for (const ScoredMetric& scored : score.metrics) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const MetricResult& one) {
      return one.entry.metric.name == score_key(scored.name);
    });
    if (found == all.end()) continue;
    results.push_back(*found);
    all.erase(found);
  }
  for (const MetricResult& one : all)
    if (one.entry.metric.of_score) results.push_back(one);
  return results;
}

}  // namespace jouletree::tree
