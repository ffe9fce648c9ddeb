#include "measure/score/scorer.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/name_distance.hpp"
#include "base/number_of.hpp"
#include "jouletree/error.hpp"
#include "measure/score/accumulators.hpp"
#include "tree/score_metrics.hpp"

namespace jouletree::measure {
namespace {

using Classes = std::unique_ptr<ClassAccumulator>;
using Numbers = std::unique_ptr<NumberAccumulator>;

/// Texts, scale and direction of each stand in the metric catalogue.
struct ScoreRow {
  std::string_view name;
  Classes (*classes)() = nullptr;
  Numbers (*numbers)() = nullptr;
};

template <ClassQuality Which>
Classes mean_of() {
  return mean_quality(Which);
}
template <ClassQuality Which>
Classes binary_of() {
  return binary_quality(Which);
}
template <int K>
Classes best() {
  return top_k(K);
}

constexpr ScoreRow kRows[] = {
    {"top1", best<1>, nullptr},
    {"top5", best<5>, nullptr},
    {"error", error_rate, nullptr},
    {"loss", cross_entropy, nullptr},
    {"perplexity", perplexity, nullptr},
    {"f1", mean_of<ClassQuality::F1>, nullptr},
    {"precision", mean_of<ClassQuality::Precision>, nullptr},
    {"recall", mean_of<ClassQuality::Recall>, nullptr},
    {"f1_binary", binary_of<ClassQuality::F1>, nullptr},
    {"precision_binary", binary_of<ClassQuality::Precision>, nullptr},
    {"recall_binary", binary_of<ClassQuality::Recall>, nullptr},
    {"auc", area_under_curve, nullptr},
    {"mse", nullptr, mean_squared_error},
    {"rmse", nullptr, root_mean_squared_error},
    {"mae", nullptr, mean_absolute_error},
    {"r2", nullptr, r_squared},
};

/// Other names that people know them by.
constexpr std::pair<std::string_view, std::string_view> kAliases[] = {
    {"accuracy", "top1"}, {"cross_entropy", "loss"}, {"f1_macro", "f1"},
    {"roc_auc", "auc"},   {"error_rate", "error"},
};

const ScoreRow* row_named(std::string_view name) {
  const auto found = std::find_if(std::begin(kRows), std::end(kRows),
                                  [&](const ScoreRow& row) { return row.name == name; });
  return found == std::end(kRows) ? nullptr : found;
}

/// The k of "top3"; nothing for other names.
std::optional<int> k_of(std::string_view name) {
  constexpr std::string_view kTop = "top";
  if (!name.starts_with(kTop)) return std::nullopt;
  const std::string_view number = name.substr(kTop.size());
  int k = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), k);
  const bool fits = error == std::errc{} && end == number.data() + number.size() && k > 0;
  return fits && number[0] != '0' ? std::optional(k) : std::nullopt;
}

std::string plain_name(const std::string& given) {
  for (const auto& [alias, name] : kAliases)
    if (given == alias) return std::string(name);
  return given;
}

[[noreturn]] void refuse_metric(const std::string& name) {
  const std::vector<std::string> names = score_metric_names();
  std::vector<std::string> known = names;
  std::vector<std::string> others;
  for (const auto& [alias, plain] : kAliases) {
    known.emplace_back(alias);
    others.push_back(fmt::format("{} ({})", alias, plain));
  }
  // "acc" is rather the beginning of "accuracy" than a wrong "auc".
  const auto begun = std::find_if(known.begin(), known.end(), [&](const std::string& one) {
    return name.size() > 2 && one.starts_with(name);
  });
  const std::string meant = begun != known.end() ? *begun : likely_name(name, known);
  const std::string there_are =
      meant.empty() ? "there are" : fmt::format("did you mean '{}'? There are", meant);
  throw Error(ErrorKind::BadInput,
              fmt::format("there is no metric '{}'; {}: {}, and top2, top3 …; other names: {}",
                          name, there_are, fmt::join(names, ", "), fmt::join(others, ", ")));
}

[[noreturn]] void refuse_divided(const std::string& metric, std::int64_t example) {
  throw Error(ErrorKind::BadInput,
              fmt::format("{} needs one right class for each example, but the labels of example {} "
                          "are shares of several; loss and perplexity take shares",
                          metric, example));
}

constexpr std::uint64_t kHashBegin = 0xcbf29ce484222325ULL;

/// FNV-1a.
void add_to_hash(std::uint64_t& hash, std::string_view bytes) {
  for (const char byte : bytes) {
    hash ^= static_cast<unsigned char>(byte);
    hash *= 0x100000001b3ULL;
  }
}

}  // namespace

struct Scorer::Part {
  ScoredMetric metric;
  Classes classes;
  Numbers numbers;
};

std::vector<std::string> score_metric_names() {
  std::vector<std::string> names;
  for (const ScoreRow& row : kRows) names.emplace_back(row.name);
  return names;
}

std::optional<std::string> score_metric_named(const std::string& given) {
  const std::string name = plain_name(given);
  return row_named(name) != nullptr || k_of(name) ? std::optional(name) : std::nullopt;
}

Scorer::Scorer(const std::vector<std::string>& metrics, ScoreReading reading)
    : reader_(reading), hash_(kHashBegin) {
  if (metrics.empty()) throw Error(ErrorKind::BadInput, "name a metric to score by, such as top1");
  for (const std::string& given : metrics) {
    const std::string name = plain_name(given);
    const bool is_there = std::any_of(parts_.begin(), parts_.end(),
                                      [&](const Part& part) { return part.metric.name == name; });
    if (is_there) continue;
    Part part;
    part.metric.name = name;
    if (const ScoreRow* const row = row_named(name)) {
      const Metric& texts = *tree::built_in_metric(tree::score_key(name));
      part.metric.friendly_name = texts.friendly_name;
      part.metric.better = texts.better;
      part.metric.scale = texts.scale;
      if (row->classes != nullptr) part.classes = row->classes();
      if (row->numbers != nullptr) part.numbers = row->numbers();
    } else if (const auto k = k_of(name)) {
      part.metric.friendly_name = fmt::format("Accuracy, top-{}", *k);
      part.metric.better = Better::Higher;
      part.metric.scale = MetricScale::Ratio;
      part.classes = top_k(*k);
    } else {
      refuse_metric(given);
    }
    parts_.push_back(std::move(part));
  }
}

Scorer::Scorer(Scorer&&) noexcept = default;
Scorer& Scorer::operator=(Scorer&&) noexcept = default;
Scorer::~Scorer() = default;

void Scorer::add(const TensorView& outputs, const TensorView& labels) {
  if (labels.dims.empty() || labels.dims[0] == 0) return;
  std::optional<ClassBatch> classes;
  std::optional<NumberBatch> numbers;
  for (Part& part : parts_) {
    if (part.classes) {
      if (!classes) classes = reader_.classes_of(outputs, labels, examples_);
      if (classes->divided_example && !part.classes->takes_shares())
        refuse_divided(part.metric.name, *classes->divided_example);
      part.classes->add(*classes);
      classes_ = classes->classes;
    } else {
      if (!numbers) numbers = BatchReader::numbers_of(outputs, labels, examples_);
      part.numbers->add(*numbers);
    }
  }
  add_to_hash(hash_, labels.bytes);
  examples_ += labels.dims[0];
}

void Scorer::finish(Score& score) const {
  if (examples_ == 0) throw Error(ErrorKind::BadInput, "there are no examples: the data are empty");
  score.examples = examples_;
  score.labels_hash = fmt::format("{:016x}", hash_);
  reader_.check_any_counted();
  score.notes = reader_.notes();
  for (const Part& part : parts_) {
    ScoredMetric metric = part.metric;
    metric.value = part.classes ? part.classes->value() : part.numbers->value();
    if (!std::isfinite(metric.value)) {
      throw Error(ErrorKind::Failed,
                  fmt::format("{} is {}, which is no score: nothing was scored, or outputs are too "
                              "large",
                              metric.name, metric.value));
    }
    const auto k = k_of(metric.name);
    if (k && *k > 1 && classes_ > 0 && static_cast<std::size_t>(*k) >= classes_) {
      score.notes.push_back(fmt::format("{} is 100 % for any model of {}", metric.name,
                                        number_of(classes_, "class", "classes")));
    }
    if (!score.error && metric.name == "error") score.error = metric.value;
    if (!score.error && k) score.error = 1 - metric.value;
    score.metrics.push_back(std::move(metric));
  }
}

}  // namespace jouletree::measure
