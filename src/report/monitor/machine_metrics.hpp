#pragma once

#include <string>
#include <vector>

#include "base/footprint.hpp"
#include "measure/machine_watch.hpp"
#include "report/monitor/metric_family.hpp"

namespace jouletree::report {

/// All metrics of a machine; docs/monitor.md lists them. Names and labels never change between
/// releases. Families without a sample are left out: unknown is absent, never 0.
[[nodiscard]] std::vector<MetricFamily> machine_metrics(const measure::WatchedMachine& machine,
                                                        const FootprintFactors& factors,
                                                        const std::string& version);

}  // namespace jouletree::report
