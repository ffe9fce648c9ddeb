#include "predict/known_costs.hpp"

#include <algorithm>

namespace jouletree::predict {
namespace {

/// How far measured operators times their counts are from the whole in nine of ten models, as a
/// share of it (docs/accuracy.md).
constexpr double kSumsAreOff = 0.1;

/// From this measured share on, a sum has an interval although predictions have none: the small
/// rest may be anything from nothing to twice what is predicted.
constexpr double kNearlyAll = 0.9;

/// Time or energy of a prediction.
struct Quantity {
  std::optional<double> NodePrediction::*value;
  std::optional<Range> NodePrediction::*range;
  Figure KnownCost::*known;
};
constexpr Quantity kQuantities[] = {
    {&NodePrediction::time_s, &NodePrediction::time_range, &KnownCost::time_s},
    {&NodePrediction::energy_j, &NodePrediction::energy_range, &KnownCost::energy_j}};

/// Of the operators in or below a node.
struct BelowNode {
  double predicted = 0;
  double predicted_where_known = 0;
  double known = 0;
  bool known_are_bounded = true;  ///< All that is known has an interval: no estimate does.

  void add(const BelowNode& other) {
    predicted += other.predicted;
    predicted_where_known += other.predicted_where_known;
    known += other.known;
    known_are_bounded = known_are_bounded && other.known_are_bounded;
  }
};

class Replacement {
 public:
  Replacement(const TreeRun& run, const std::vector<std::optional<KnownCost>>& known,
              const Quantity& quantity, std::vector<NodePrediction>& predictions)
      : run_(run), known_(known), quantity_(quantity), predictions_(predictions) {}

  BelowNode walk(std::size_t place) {
    const RunNode& node = run_.nodes[place];
    NodePrediction& prediction = predictions_[place];
    if (node.children.empty()) return replace_leaf(place, prediction);
    BelowNode below;
    for (const std::size_t child : node.children) below.add(walk(child));
    move(below, prediction);
    return below;
  }

 private:
  BelowNode replace_leaf(std::size_t place, NodePrediction& prediction) {
    std::optional<double>& value = prediction.*quantity_.value;
    BelowNode below;
    below.predicted = value.value_or(0);
    if (!known_[place]) return below;
    const Figure& figure = (*known_[place]).*quantity_.known;
    if (!figure.value) return below;
    below.predicted_where_known = below.predicted;
    below.known = *figure.value;
    value = figure.value;
    if (figure.low && figure.high) {
      prediction.*quantity_.range = Range{*figure.low, *figure.high};
    } else {
      (prediction.*quantity_.range).reset();
      below.known_are_bounded = false;
    }
    prediction.measured_share = 1;
    if (quantity_.value == &NodePrediction::time_s) {
      prediction.time_provenance = Provenance::Measured;
    } else {
      prediction.energy_provenance = known_[place]->energy_provenance;
    }
    return below;
  }

  void move(const BelowNode& below, NodePrediction& prediction) const {
    std::optional<double>& value = prediction.*quantity_.value;
    if (below.known <= 0) return;
    if (!value) return;
    const double before = *value;
    const double after = std::max(before + below.known - below.predicted_where_known, below.known);
    const double share = std::clamp(below.known / after, 0.0, 1.0);
    value = after;
    if (quantity_.value == &NodePrediction::time_s || prediction.measured_share == 0)
      prediction.measured_share = share;
    std::optional<Range>& range = prediction.*quantity_.range;
    if (before <= 0) return;
    if (!range && (share < kNearlyAll || !below.known_are_bounded)) return;
    const Range rest = range.value_or(Range{0, 2 * before});
    const double low = (1 - rest.low / before) * (1 - share) + kSumsAreOff * share;
    const double high = (rest.high / before - 1) * (1 - share) + kSumsAreOff * share;
    range = Range{after * (1 - std::min(low, 1.0)), after * (1 + high)};
  }

  const TreeRun& run_;
  const std::vector<std::optional<KnownCost>>& known_;
  const Quantity& quantity_;
  std::vector<NodePrediction>& predictions_;
};

}  // namespace

void use_known_costs(const TreeRun& run, const std::vector<std::optional<KnownCost>>& known,
                     std::vector<NodePrediction>& predictions) {
  if (run.nodes.empty()) return;
  for (const Quantity& quantity : kQuantities)
    Replacement(run, known, quantity, predictions).walk(0);
}

}  // namespace jouletree::predict
