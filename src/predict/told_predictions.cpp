#include "predict/told_predictions.hpp"

#include <algorithm>

namespace jouletree::predict {
namespace {

/// Time or energy of a prediction.
struct ToldQuantity {
  std::optional<double> NodePrediction::*value;
  std::optional<Range> NodePrediction::*range;
};
constexpr ToldQuantity kToldQuantities[] = {
    {&NodePrediction::energy_j, &NodePrediction::energy_range},
    {&NodePrediction::time_s, &NodePrediction::time_range}};

/// Of what the module adds, the share that falls to a node between its parts; as uncertain as the
/// module.
void share_out(const ToldRun& told, const std::vector<NodePrediction>& predicted,
               const ToldBy& place, const ToldQuantity& quantity, NodePrediction& result) {
  const NodePrediction& module = predicted[place.node];
  const auto& whole = module.*quantity.value;
  if (!whole) return;
  const double added = added_by(told.run, place.node, [&](std::size_t node) {
    return (predicted[node].*quantity.value).value_or(0);
  });
  const double value = place.share * added;
  result.*quantity.value = value;
  const auto& range = module.*quantity.range;
  if (range && value > 0)
    result.*quantity.range = Range{value * range->low / *whole, value * range->high / *whole};
}

}  // namespace

double added_by(const TreeRun& run, std::size_t module,
                const std::function<double(std::size_t)>& cost_of) {
  double added = cost_of(module);
  for (const std::size_t child : run.nodes[module].children) added -= cost_of(child);
  return std::max(added, 0.0);
}

std::vector<NodePrediction> of_original(const ToldRun& told,
                                        const std::vector<NodePrediction>& predicted) {
  std::vector<NodePrediction> result;
  result.reserve(told.nodes.size());
  for (const ToldBy& place : told.nodes) {
    if (place.how == ToldBy::How::Itself) {
      result.push_back(predicted[place.node]);
      continue;
    }
    NodePrediction& node = result.emplace_back();
    node.foreign = predicted[place.node].foreign;
    for (const ToldQuantity& quantity : kToldQuantities) {
      if (place.how == ToldBy::How::Between) {
        share_out(told, predicted, place, quantity, node);
      } else if (predicted[place.node].*quantity.value) {
        node.*quantity.value = 0;
      }
    }
  }
  return result;
}

}  // namespace jouletree::predict
