#include "predict/ledger.hpp"

namespace jouletree::predict {
namespace {

void add(std::vector<LedgerPart>& parts, std::string_view name, double amount,
         std::string_view unit, double coefficient) {
  const double cost = amount * coefficient;
  if (cost != 0) parts.push_back({std::string(name), amount, unit, coefficient, cost});
}

std::vector<LedgerPart> measured_parts(const MeasuredPrice& price, const RunNode& node) {
  std::vector<LedgerPart> parts;
  add(parts, "measured GPU energy", node.gpu_energy_j.value_or(0), "J", price.per_gpu_joule);
  add(parts, "measured time", *node.time_s, "s", price.per_second);
  return parts;
}

std::vector<LedgerPart> work_parts(const WorkPrice& price, const OperatorLoad& work) {
  std::vector<LedgerPart> parts;
  if (price.kernel != Kernel::Unknown) {
    const auto terms = terms_of(price.kernel);
    for (std::size_t i = 0; i < terms.size(); ++i)
      add(parts, terms[i].name, work.kernel.terms[i], terms[i].unit, price.coefficients[i]);
    return parts;
  }
  OperatorLoad seen = work;
  seen.work_class = price.work_class;
  TermValues values = term_values(seen);
  const auto terms = terms_of(price.work_class);
  if (price.work_class != WorkClass::Memory)
    values[terms.size() - 1] = wave_mflops(work, price.wave);
  for (std::size_t i = 0; i < terms.size(); ++i)
    add(parts, terms[i].name, values[i], terms[i].unit, price.coefficients[i]);
  return parts;
}

}  // namespace

std::vector<LedgerPart> parts_of(const LedgerFit& ledger, const TreeRun& run, std::size_t node,
                                 FeatureSet features) {
  const RunNode& found = run.nodes[node];
  const LedgerCoefficients& all = ledger.coefficients();
  if (!found.children.empty() && all.whole_model && is_complete(run)) {
    const WholeValues values = whole_values(run, ledger.predict(run, features))[node];
    std::vector<LedgerPart> parts;
    for (std::size_t i = 0; i < kWholeTerms; ++i) {
      add(parts, whole_terms()[i].name, values[i],
          i == kWholeOperators ? "" : whole_terms()[i].unit, (*ledger.whole_price(found))[i]);
    }
    return parts;
  }
  if (!found.children.empty()) {
    const GlueValues values = glue_values(run, found, ledger.seen_costs(run, features));
    std::vector<LedgerPart> parts;
    for (std::size_t i = 0; i < kGlueTerms; ++i) {
      add(parts, glue_terms()[i].name, values[i], i < kLaunch ? "" : glue_terms()[i].unit,
          all.glue[i]);
    }
    return parts;
  }
  if (features != FeatureSet::Specs) {
    const auto price = ledger.measured_price(found);
    if (price && cost(*price, found)) return measured_parts(*price, found);
  }
  const OperatorLoad work = load_of(run, found);
  const WorkPrice* price = ledger.price_of(work);
  return price == nullptr ? std::vector<LedgerPart>{} : work_parts(*price, work);
}

}  // namespace jouletree::predict
