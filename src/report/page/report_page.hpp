#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "jouletree/inference.hpp"
#include "report/page/page_entries.hpp"
#include "tree/noted_metrics.hpp"

namespace jouletree::report {

/// What the page shows, and what could not be read.
struct PageContent {
  nlohmann::ordered_json data;        ///< `PageData` of web/src/data.ts.
  std::vector<std::string> problems;  ///< One sentence each; the page has them, too.
  std::size_t items = 0;
};

/// Reads folders of profiles and of sweeps, what 'predict' and 'crossvalidate' printed as JSON,
/// tree files, databases, model files and names of the zoo, in any mix. Settings hold for each
/// model that has an input or dimension of that name. One that cannot be read does not hide the
/// others; throws Error(BadInput) where nothing can be read.
[[nodiscard]] PageContent page_content(const std::vector<std::string>& given,
                                       const InputSettings& settings, const std::string& program,
                                       tree::NotedMetrics& metrics);

/// The same of what a reader has read. `catalogue` has the metrics in the order of comparisons.
[[nodiscard]] PageContent page_content(PageReader& reader, const std::string& program,
                                       const std::vector<tree::MetricEntry>& catalogue);

/// One HTML file that needs nothing else. Throws Error(Missing) in a program without the page.
[[nodiscard]] std::string page_text(const nlohmann::ordered_json& data);

}  // namespace jouletree::report
