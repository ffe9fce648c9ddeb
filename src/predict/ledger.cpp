#include "predict/ledger.hpp"

#include <cmath>
#include <limits>
#include <numeric>

namespace jouletree::predict {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

double dot(const GlueValues& coefficients, const GlueValues& values) {
  double sum = 0;
  for (std::size_t i = 0; i < kGlueTerms; ++i) {
    // A coefficient of 0 must not spread a term that is unknown.
    if (values[i] != 0) sum += coefficients[i] * values[i];
  }
  return sum;
}

/// In which order other classes stand in for one that training has not seen.
std::array<WorkClass, kWorkClasses> stand_ins(WorkClass work_class) {
  switch (work_class) {
    case WorkClass::WeightedProduct:
      return {WorkClass::WeightedProduct, WorkClass::Product, WorkClass::Memory};
    case WorkClass::Product:
      return {WorkClass::Product, WorkClass::WeightedProduct, WorkClass::Memory};
    case WorkClass::Memory: break;
  }
  return {WorkClass::Memory, WorkClass::Memory, WorkClass::Memory};
}

}  // namespace

std::optional<double> cost(const MeasuredPrice& price, const RunNode& node) {
  if (!node.time_s) return std::nullopt;
  if (price.per_gpu_joule > 0 && !node.gpu_energy_j) return std::nullopt;
  return price.per_gpu_joule * node.gpu_energy_j.value_or(0) + price.per_second * *node.time_s;
}

bool fits(const WorkPrice& price, const OperatorLoad& work) {
  if (price.kernel != Kernel::Unknown) return price.kernel == work.kernel.kernel;
  return price.work_class == work.work_class;
}

const WorkPrice* group_price(const LedgerCoefficients& prices, const OperatorLoad& work) {
  for (std::string group = work.group; !group.empty(); group = common_group(group)) {
    const auto found = prices.groups.find(group);
    if (found != prices.groups.end() && fits(found->second, work)) return &found->second;
  }
  const auto pool = prices.pools.find(work.kernel.pool);
  return pool != prices.pools.end() && fits(pool->second, work) ? &pool->second : nullptr;
}

double cost(const WorkPrice& price, const OperatorLoad& work) {
  if (price.kernel != Kernel::Unknown)
    return std::inner_product(price.coefficients.begin(), price.coefficients.end(),
                              work.kernel.terms.begin(), 0.0);
  OperatorLoad seen = work;
  seen.work_class = price.work_class;
  const TermValues values = term_values(seen);
  const std::size_t terms = price.coefficients.size();
  double sum = 0;
  for (std::size_t i = 0; i < terms; ++i) sum += price.coefficients[i] * values[i];
  if (price.work_class != WorkClass::Memory && price.coefficients.back() > 0)
    sum += price.coefficients.back() * wave_mflops(work, price.wave);
  return sum;
}

const WorkPrice* LedgerFit::price_of(const OperatorLoad& work) const {
  if (!work.known) return nullptr;
  if (const WorkPrice* const price = group_price(coefficients_, work)) return price;
  for (const WorkClass work_class : stand_ins(work.work_class)) {
    const auto& price = coefficients_.classes[static_cast<std::size_t>(work_class)];
    if (price) return &*price;
  }
  return nullptr;
}

std::optional<MeasuredPrice> LedgerFit::measured_price(const RunNode& node) const {
  if (!node.children.empty()) return coefficients_.measured_inner;
  const auto found = coefficients_.measured.find(type_key(node.type));
  return found != coefficients_.measured.end() ? found->second : coefficients_.measured_any;
}

double LedgerFit::operator_cost(const RunNode& node, const OperatorLoad& work,
                                const WorkPrice* price, FeatureSet features) const {
  if (features != FeatureSet::Specs) {
    const auto measured_at = measured_price(node);
    const auto measured = measured_at ? cost(*measured_at, node) : std::nullopt;
    if (measured) return *measured;
  }
  // A view that training has not seen: nothing is computed, nothing moves.
  if (work.known && work.mflops == 0 && work.mebibytes == 0 &&
      !coefficients_.groups.contains(work.group))
    return 0;
  return price == nullptr ? kUnknown : cost(*price, work);
}

double LedgerFit::seen_by_parent(const RunNode& child, double predicted,
                                 FeatureSet features) const {
  if (features != FeatureSet::All || child.children.empty() || !coefficients_.measured_inner)
    return predicted;
  return cost(*coefficients_.measured_inner, child).value_or(predicted);
}

void LedgerFit::fill(const LoadedRun& loaded, FeatureSet features, std::vector<double>& predicted,
                     std::vector<double>& seen) const {
  const TreeRun& run = loaded.run;
  predicted.assign(run.nodes.size(), kUnknown);
  seen.assign(run.nodes.size(), kUnknown);
  std::vector<const WorkPrice*> prices;
  for (const std::size_t example : loaded.examples)
    prices.push_back(price_of(loaded.loads[example]));
  // Children stand behind their parents.
  for (std::size_t i = run.nodes.size(); i-- > 0;) {
    const RunNode& node = run.nodes[i];
    if (node.children.empty()) {
      if (node.level == NodeLevel::Operator)
        predicted[i] = operator_cost(node, loaded.loads[i], prices[loaded.kinds[i]], features);
    } else {
      predicted[i] = dot(coefficients_.glue, glue_values(run, node, seen));
    }
    seen[i] = seen_by_parent(node, predicted[i], features);
  }
}

const WholeValues* LedgerFit::whole_price(const RunNode& node) const {
  const auto& own =
      node.level == NodeLevel::Model ? coefficients_.whole_model : coefficients_.whole_module;
  if (own) return &*own;
  return coefficients_.whole_model ? &*coefficients_.whole_model : nullptr;
}

void LedgerFit::fill_whole(const TreeRun& run, std::vector<double>& predicted) const {
  if (!coefficients_.whole_model || !is_complete(run)) return;
  const std::vector<WholeValues> values = whole_values(run, predicted);
  for (std::size_t i = 0; i < run.nodes.size(); ++i) {
    if (run.nodes[i].children.empty()) continue;
    const WholeValues& price = *whole_price(run.nodes[i]);
    predicted[i] = std::inner_product(price.begin(), price.end(), values[i].begin(), 0.0);
  }
}

std::vector<double> LedgerFit::predict(const LoadedRun& loaded, FeatureSet features) const {
  std::vector<double> predicted;
  std::vector<double> seen;
  fill(loaded, features, predicted, seen);
  fill_whole(loaded.run, predicted);
  return predicted;
}

std::vector<double> LedgerFit::seen_costs(const LoadedRun& loaded, FeatureSet features) const {
  std::vector<double> predicted;
  std::vector<double> seen;
  fill(loaded, features, predicted, seen);
  return seen;
}

}  // namespace jouletree::predict
