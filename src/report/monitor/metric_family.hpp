#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace jouletree::report {

struct MetricLabel {
  std::string name;
  std::string value;
};

struct MetricSample {
  std::vector<MetricLabel> labels;
  double value = 0;
};

/// One metric as Prometheus knows it: a name, and a sample for each set of labels.
struct MetricFamily {
  enum class Type : std::uint8_t { Counter, Gauge };

  std::string name;
  std::string help;
  Type type = Type::Gauge;
  std::vector<MetricSample> samples;
};

}  // namespace jouletree::report
