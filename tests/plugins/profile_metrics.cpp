// Metrics of profiles that go wrong in every way there is, and two that do not and must still be
// shown.
#include <array>
#include <limits>
#include <stdexcept>

#include "plugins/metric_row.hpp"

namespace jouletree::test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

MetricValue throws(const MeasuredModel& /*model*/) { throw std::runtime_error("no tariff"); }
MetricValue not_a_number(const MeasuredModel& /*model*/) { return {kNan}; }
MetricValue odd_bound(const MeasuredModel& /*model*/) { return {1.0, false, kNan, 2.0}; }
MetricValue outside(const MeasuredModel& /*model*/) { return {1.0, false, 2.0, 3.0}; }
MetricValue only_bounds(const MeasuredModel& /*model*/) { return {{}, false, 1.0, 2.0}; }
MetricValue odd_provenance(const MeasuredModel& /*model*/) {
  return {1.0, false, {}, {}, static_cast<Provenance>(99)};
}
MetricValue nothing(const MeasuredModel& /*model*/) { return {}; }
MetricValue own_time(const MeasuredModel& model) { return model.time_s; }

constexpr std::array<PluginMetric, 8> kMetrics = {{{profile_row("price", throws)},
                                                   {profile_row("nan", not_a_number)},
                                                   {profile_row("odd_bound", odd_bound)},
                                                   {profile_row("outside", outside)},
                                                   {profile_row("only_bounds", only_bounds)},
                                                   {profile_row("odd_provenance", odd_provenance)},
                                                   {profile_row("modest", nothing)},
                                                   {profile_row("own_time", own_time)}}};
constexpr MetricPlugin kPlugin = {.name = "profile-metrics", .metrics = kMetrics};

}  // namespace
}  // namespace jouletree::test

const jouletree::MetricPlugin* jouletree_metric_plugin() { return &jouletree::test::kPlugin; }
