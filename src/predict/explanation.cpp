#include <fmt/format.h>

#include "predict/ledger.hpp"
#include "predict/predictor_state.hpp"

namespace jouletree {
namespace predict {
namespace {

/// People think in GFLOP and GiB, fits in MFLOP and MiB.
struct PeopleUnit {
  std::string name;
  double factor = 1;
};

PeopleUnit people_unit(std::string_view unit) {
  if (unit == "MFLOP") return {"GFLOP", 1e3};
  if (unit == "MiB") return {"GiB", 1024};
  return {std::string(unit), 1};
}

Explanation explanation(std::string of, std::string_view term, Target target, double coefficient,
                        std::string_view unit) {
  const PeopleUnit people = people_unit(unit);
  const char* base = target == Target::Energy ? "J" : "s";
  const bool is_factor = unit == "1" || unit.empty();
  return {std::move(of),
          std::string(term),
          std::string(name_of(target)),
          coefficient * people.factor,
          is_factor ? "1" : fmt::format("{} per {}", base, people.name),
          0,
          0};
}

void explain_price(const std::string& of, const WorkPrice& price, Target target,
                   std::vector<Explanation>& result) {
  const auto terms = terms_of(price.work_class);
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (price.coefficients[i] == 0) continue;
    std::string term(terms[i].name);
    if (price.work_class != WorkClass::Memory && i + 1 == terms.size()) {
      term = fmt::format("waves of {} tiles of {}x{}", price.wave.slots, price.wave.tile_rows,
                         price.wave.tile_columns);
    }
    result.push_back(explanation(of, term, target, price.coefficients[i], terms[i].unit));
  }
}

void explain_ledger(const Ledger& ledger, Target target, std::vector<Explanation>& result) {
  const LedgerCoefficients& all = ledger.coefficients();
  for (const auto& [name, price] : all.groups) explain_price(name, price, target, result);
  if (target == Target::Energy) {
    for (const auto& [name, price] : all.measured) {
      result.push_back(
          {name, "measured GPU energy", "energy", price.per_gpu_joule, "J per J", 0, 0});
      result.push_back({name, "power beside the GPU", "energy", price.per_second, "W", 0, 0});
    }
  }
  for (std::size_t i = 0; i < kGlueTerms; ++i) {
    if (all.glue[i] != 0) {
      result.push_back(
          explanation("modules", glue_terms()[i].name, target, all.glue[i], glue_terms()[i].unit));
    }
  }
}

const Ledger* ledger_of(const std::optional<Ensemble>& ensemble) {
  return ensemble ? dynamic_cast<const Ledger*>(ensemble->fit.get()) : nullptr;
}

}  // namespace
}  // namespace predict

std::vector<Explanation> Predictor::explain() const {
  std::vector<Explanation> result;
  for (const auto target : {predict::Target::Energy, predict::Target::Time}) {
    if (const auto* ledger = predict::ledger_of(state_->of(target)))
      predict::explain_ledger(*ledger, target, result);
  }
  return result;
}

std::vector<Explanation> Predictor::explain(const TreeRun& run, std::size_t node,
                                            FeatureSet features) const {
  std::vector<Explanation> result;
  for (const auto target : {predict::Target::Energy, predict::Target::Time}) {
    const auto* ledger = predict::ledger_of(state_->of(target));
    if (ledger == nullptr) continue;
    for (const auto& part : predict::parts_of(*ledger, run, node, features)) {
      Explanation line =
          predict::explanation(run.nodes[node].id, part.name, target, part.coefficient, part.unit);
      line.amount = part.amount / predict::people_unit(part.unit).factor;
      line.cost = part.cost;
      result.push_back(std::move(line));
    }
  }
  return result;
}

}  // namespace jouletree
