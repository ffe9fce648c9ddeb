#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "jouletree/tree_run.hpp"
#include "report/differences.hpp"
#include "store/profile_view.hpp"
#include "store/recording.hpp"
#include "tree/metric_set.hpp"

namespace jouletree::report {

/// What the page is told of a profile: an `Item` of web/src/data.ts. `tree_line` is its tree file,
/// for counts and bounds; it may be empty.
[[nodiscard]] nlohmann::ordered_json profile_item(const store::ProfileView& view,
                                                  std::string_view tree_line,
                                                  const std::string& label,
                                                  const std::string& source);

/// Of a model that was counted.
[[nodiscard]] nlohmann::ordered_json counted_item(const ModelTree& tree,
                                                  const std::vector<tree::MetricResult>& metrics,
                                                  const std::string& label,
                                                  const std::string& source);

/// Of a line of a tree file, whoever measured or predicted it.
[[nodiscard]] nlohmann::ordered_json run_item(const TreeRun& run, const std::string& label,
                                              const std::string& source);

/// Of one of the runs that 'jouletree predict --format json' printed. Throws Error(BadInput).
[[nodiscard]] nlohmann::ordered_json prediction_item(const nlohmann::ordered_json& run,
                                                     const std::string& label,
                                                     const std::string& source);

/// Of what 'jouletree run -o' or AIPowerMeter recorded.
[[nodiscard]] nlohmann::ordered_json recording_item(const store::Recording& recording,
                                                    const std::string& label,
                                                    const std::string& source);

/// Of what 'jouletree crossvalidate --format json' printed.
[[nodiscard]] nlohmann::ordered_json crossvalidation_item(const nlohmann::ordered_json& report,
                                                          const std::string& label,
                                                          const std::string& source);

/// Of the sweep.json of 'jouletree sweep'.
[[nodiscard]] nlohmann::ordered_json sweep_item(const nlohmann::ordered_json& sweep,
                                                const std::string& label,
                                                const std::string& source);

/// An item that has nothing yet but its names.
[[nodiscard]] nlohmann::ordered_json empty_item(const char* kind, const std::string& label,
                                                const std::string& source);

/// In the order of the catalogue; unknown ones included.
[[nodiscard]] nlohmann::ordered_json page_metrics(const std::vector<tree::MetricResult>& metrics);

/// `Ledger` of web/src/data.ts.
[[nodiscard]] nlohmann::ordered_json ledger_section(const store::ProfileView& view);

/// `Memory` of web/src/data.ts.
[[nodiscard]] nlohmann::ordered_json memory_section(const ModelTree& tree);

/// `Differences` of web/src/data.ts.
[[nodiscard]] nlohmann::ordered_json differences_section(const Differences& differences);

/// Puts what a prediction says beside the nodes of the same path in what was measured.
void add_predicted_columns(const nlohmann::ordered_json& prediction,
                           nlohmann::ordered_json& measured);

}  // namespace jouletree::report
