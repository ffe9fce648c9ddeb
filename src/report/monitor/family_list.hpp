#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "jouletree/provenance.hpp"
#include "report/monitor/metric_family.hpp"

namespace jouletree::report {

using MetricLabels = std::vector<MetricLabel>;

[[nodiscard]] inline MetricLabel provenance_label(Provenance provenance) {
  return {"provenance", std::string(name_of(provenance))};
}

/// Collects families in the order in which they are to be shown.
class FamilyList {
 public:
  /// What follows is added to this family.
  void begin(MetricFamily::Type type, std::string name, std::string help) {
    families_.push_back({std::move(name), std::move(help), type, {}});
  }
  void counter(std::string name, std::string help) {
    begin(MetricFamily::Type::Counter, std::move(name), std::move(help));
  }
  void gauge(std::string name, std::string help) {
    begin(MetricFamily::Type::Gauge, std::move(name), std::move(help));
  }
  void add(MetricLabels labels, double value) {
    families_.back().samples.push_back({std::move(labels), value});
  }
  template <class Number>
  void add_known(MetricLabels labels, const std::optional<Number>& value) {
    if (value) add(std::move(labels), static_cast<double>(*value));
  }
  /// Those that have samples.
  [[nodiscard]] std::vector<MetricFamily> take() {
    std::erase_if(families_, [](const MetricFamily& family) { return family.samples.empty(); });
    return std::move(families_);
  }

 private:
  std::vector<MetricFamily> families_;
};

}  // namespace jouletree::report
