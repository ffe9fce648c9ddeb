#include "report/page/page_columns.hpp"
#include "report/page/page_items.hpp"

namespace jouletree::report {

using Json = nlohmann::ordered_json;

Json page_metrics(const std::vector<tree::MetricResult>& metrics) {
  Json list = Json::array();
  for (const tree::MetricResult& result : metrics) {
    const Metric& metric = result.entry.metric;
    // Shares read better as per cent.
    const bool is_share = metric.scale == MetricScale::Ratio;
    const std::string unit = is_share ? "share" : std::string(metric.unit);
    Json json = {{"name", std::string(metric.name)}, {"title", std::string(metric.friendly_name)}};
    json.update(page_quantity({result.value.value, std::string(name_of(provenance_of(result))),
                               result.value.low, result.value.high, result.value.lower_bound},
                              unit.c_str()));
    list.push_back(std::move(json));
  }
  return list;
}

Json empty_item(const char* kind, const std::string& label, const std::string& source) {
  return {{"kind", kind},           {"label", label},           {"source", source},
          {"facts", Json::array()}, {"metrics", Json::array()}, {"warnings", Json::array()},
          {"notes", Json::array()}};
}

}  // namespace jouletree::report
