#include "measure/sweep/quantities.hpp"

#include <algorithm>
#include <array>

#include "tree/metric_set.hpp"

namespace jouletree::measure {
namespace {

struct QuantityRow {
  std::string_view name;
  std::string_view title;  ///< Empty: as in the metric catalogue.
  std::string_view unit = "";
  /// Stands before the name of a domain or card.
  bool is_prefix = false;
};

/// In the order in which people read them.
constexpr std::array kQuantityRows = {
    QuantityRow{"params", ""},
    QuantityRow{"macs", ""},
    QuantityRow{"flops", ""},
    QuantityRow{"bytes_moved", ""},
    QuantityRow{"activation_bytes", ""},
    QuantityRow{"latency_median_s", ""},
    QuantityRow{"latency_p90_s", ""},
    QuantityRow{"throughput_per_s", ""},
    QuantityRow{"energy_j", "Energy per inference", "J"},
    QuantityRow{"energy_above_idle_j", "Energy above idle per inference", "J"},
    QuantityRow{"energy_j:", "Energy per inference of", "J", true},
    QuantityRow{"power_w", "Mean power", "W"},
    QuantityRow{"idle_power_w", "Idle power", "W"},
    QuantityRow{"busy_cpus", "CPUs busy", "1"},
    QuantityRow{"cpu_share", "Share of the CPU time", "1"},
    QuantityRow{"peak_pss_bytes", "Memory in use, highest", "B"},
    QuantityRow{"gpu_sm_share:", "Multiprocessors used of", "1", true},
    QuantityRow{"gpu_utilisation:", "Utilisation of", "1", true},
    QuantityRow{"gpu_memory_bytes:", "Memory in use, highest, of", "B", true},
};

const QuantityRow* row_of(std::string_view name) {
  const auto* const found =
      std::find_if(kQuantityRows.begin(), kQuantityRows.end(), [&](const QuantityRow& row) {
        return row.is_prefix ? name.starts_with(row.name) : name == row.name;
      });
  return found == kQuantityRows.end() ? nullptr : found;
}

std::size_t place_of(const QuantityRow* row) {
  return row == nullptr ? kQuantityRows.size()
                        : static_cast<std::size_t>(row - kQuantityRows.data());
}

}  // namespace

Quantity quantity_of(std::string_view name) {
  const QuantityRow* const row = row_of(name);
  if (row != nullptr && row->is_prefix) {
    return {std::string(name),
            std::string(row->title) + ' ' + std::string(name.substr(row->name.size())),
            std::string(row->unit)};
  }
  if (row != nullptr && !row->title.empty())
    return {std::string(name), std::string(row->title), std::string(row->unit)};
  const Metric* const metric = tree::built_in_metric(name);
  if (metric == nullptr) return {std::string(name), std::string(name), ""};
  return {std::string(name), std::string(metric->friendly_name), std::string(metric->unit)};
}

std::vector<Quantity> in_reading_order(const std::set<std::string>& names) {
  std::vector<Quantity> ordered;
  for (const std::string& name : names) ordered.push_back(quantity_of(name));
  std::stable_sort(ordered.begin(), ordered.end(), [](const Quantity& a, const Quantity& b) {
    return place_of(row_of(a.name)) < place_of(row_of(b.name));
  });
  return ordered;
}

}  // namespace jouletree::measure
