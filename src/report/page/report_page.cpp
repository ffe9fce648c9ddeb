#include "report/page/report_page.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "jouletree/error.hpp"
#include "report/measured_differences.hpp"
#include "report/page/page_columns.hpp"
#include "report/page/page_entries.hpp"
#include "report/page/page_items.hpp"
#include "report/page/page_parts.hpp"

namespace jouletree::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kPageFormat = "jouletree page";
constexpr int kPageVersion = 1;

/// Predictions stand beside what was measured of the same model.
void join_predictions(std::vector<PageEntry>& entries) {
  for (const PageEntry& predicted : entries) {
    if (predicted.item["kind"] != "predicted") continue;
    for (PageEntry& measured : entries) {
      if (measured.item["kind"] == "profile" && measured.model == predicted.model)
        add_predicted_columns(predicted.item, measured.item);
    }
  }
}

void set_labels(std::vector<PageEntry>& entries) {
  std::vector<ModelNames> names;
  names.reserve(entries.size());
  for (const PageEntry& entry : entries) names.push_back(entry.names);
  const std::vector<std::string> labels = distinct_labels(names);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    entries[i].item["label"] = labels[i];
    if (entries[i].compared) entries[i].compared->model.label = labels[i];
  }
}

Json compared_metric(const std::vector<ComparedModel>& models, std::size_t at) {
  const tree::MetricResult& first = models.front().metrics[at];
  const Metric& metric = first.entry.metric;
  const std::string unit = metric.scale == MetricScale::Ratio ? "share" : std::string(metric.unit);
  Json json = {{"name", std::string(metric.name)},
               {"title", std::string(metric.friendly_name)},
               {"unit", unit},
               {"comparison", std::string(name_of(metric.comparison))}};
  Json values = Json::array();
  Json compared = Json::array();
  Json verdicts = Json::array();
  for (const ComparedModel& model : models) {
    const tree::MetricResult& result = model.metrics[at];
    values.push_back(page_quantity({result.value.value, std::string(name_of(provenance_of(result))),
                                    result.value.low, result.value.high, result.value.lower_bound},
                                   unit.c_str()));
    const bool is_first = &model == &models.front();
    const ComparedValue verdict = compare_values(metric, first.value, result.value);
    compared.push_back(is_first ? Json(nullptr) : page_number(verdict.value));
    verdicts.push_back(is_first ? Json(nullptr) : Json(std::string(name_of(verdict.verdict))));
  }
  json["values"] = std::move(values);
  json["compared"] = std::move(compared);
  json["verdicts"] = std::move(verdicts);
  return json;
}

/// All models and profiles with each other; null where there are fewer than two.
Json comparison_of(const std::vector<PageEntry>& entries,
                   const std::vector<tree::MetricEntry>& catalogue) {
  ComparedModels compared;
  std::vector<ComparedProfile> profiles;
  for (const PageEntry& entry : entries) {
    if (!entry.compared) continue;
    compared.models.push_back(entry.compared->model);
    if (entry.item["kind"] == "profile") profiles.push_back(*entry.compared);
  }
  if (compared.models.size() < 2) return nullptr;
  align_metrics(catalogue, compared);
  Json json = {{"labels", Json::array()}, {"metrics", Json::array()}, {"notes", Json::array()}};
  for (const ComparedModel& model : compared.models) json["labels"].push_back(model.label);
  for (std::size_t i = 0; i < compared.models.front().metrics.size(); ++i)
    json["metrics"].push_back(compared_metric(compared.models, i));
  if (profiles.size() > 1) {
    json["notes"] = differences_of(profiles);
    for (const Differences& differences : measured_differences(profiles))
      json["differences"].push_back(differences_section(differences));
  }
  return json;
}

}  // namespace

PageContent page_content(const std::vector<std::string>& given, const InputSettings& settings,
                         const std::string& program, tree::NotedMetrics& metrics) {
  PageReader reader(settings, metrics);
  for (const std::string& one : given) reader.read(one);
  return page_content(reader, program, metrics.entries());
}

PageContent page_content(PageReader& reader, const std::string& program,
                         const std::vector<tree::MetricEntry>& catalogue) {
  PageContent content;
  std::vector<PageEntry> entries = reader.take_entries();
  content.problems = reader.problems();
  if (entries.empty()) {
    throw Error(ErrorKind::BadInput,
                content.problems.empty() ? "there is nothing to show" : content.problems.front());
  }
  set_labels(entries);
  join_predictions(entries);
  content.items = entries.size();
  content.data = {{"format", kPageFormat},
                  {"version", kPageVersion},
                  {"program", program},
                  {"problems", content.problems},
                  {"items", Json::array()}};
  if (Json comparison = comparison_of(entries, catalogue); !comparison.is_null())
    content.data["comparison"] = std::move(comparison);
  for (PageEntry& entry : entries) content.data["items"].push_back(std::move(entry.item));
  return content;
}

std::string page_text(const Json& data) {
  const PageParts parts = page_parts();
  const std::string json = data.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string text(parts.before_data);
  // No text of the data can end the element that holds them.
  for (const char letter : json) {
    if (letter == '<') {
      text += "\\u003c";
    } else {
      text += letter;
    }
  }
  text += parts.after_data;
  return text;
}

}  // namespace jouletree::report
