#include "store/profile_view.hpp"

namespace jouletree::store {
namespace {

MetricValue value_of(const Figure& figure, const std::string& provenance) {
  if (!figure.value) return {};
  return {figure.value, false, figure.low, figure.high, provenance_named(provenance)};
}

MetricValue value_of(const ProfileNumber& number) {
  return value_of(number.figure, number.provenance);
}

MeasuredLedger ledger_of(const ProfileLedger& from, const std::string& energy_provenance) {
  const std::string measured(name_of(Provenance::Measured));
  const auto sum = [&](const Figure& figure, const std::string& provenance) {
    MetricValue value = value_of(figure, provenance);
    value.lower_bound = from.is_lower_bound(figure.value);
    return value;
  };
  MeasuredLedger ledger;
  ledger.operators = from.operators;
  ledger.not_alone = from.not_alone();
  ledger.raw_s = sum(from.raw_s, measured);
  ledger.raw_j = sum(from.raw_j, energy_provenance);
  ledger.adjusted_s = sum(from.adjusted_s, measured);
  ledger.adjusted_j = sum(from.adjusted_j, energy_provenance);
  ledger.attribution_time = sum({from.attribution_time, {}, {}}, measured);
  ledger.attribution_energy = sum({from.attribution_energy, {}, {}}, energy_provenance);
  return ledger;
}

}  // namespace

MeasuredModel measured_model(const ProfileView& view) {
  MeasuredModel model;
  model.name = view.model;
  model.engine = view.engine;
  model.file_bytes = view.model_bytes;
  model.time_s = value_of(view.time);
  model.energy_j = value_of(view.energy);
  model.energy_above_idle_j = value_of(view.energy_above_idle);
  model.windows = view.windows;
  model.precise = view.precise;
  model.latency = view.latency;
  model.ledger = ledger_of(view.ledger, view.energy.provenance);
  model.counted = view.counted;
  model.score = view.score;
  return model;
}

}  // namespace jouletree::store
