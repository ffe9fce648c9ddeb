#include <fmt/format.h>

#include "predict/ledger.hpp"

namespace jouletree::predict {
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
  Explanation line;
  line.of = std::move(of);
  line.term = term;
  line.coefficient = coefficient * people.factor;
  line.unit = is_factor ? "1" : fmt::format("{} per {}", base, people.name);
  return line;
}

void explain_price(const std::string& of, const WorkPrice& price, Target target,
                   std::vector<Explanation>& result) {
  const auto terms = terms_of(price);
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (price.coefficients[i] == 0) continue;
    std::string term(terms[i].name);
    const bool has_wave = price.kernel == Kernel::Unknown && price.work_class != WorkClass::Memory;
    if (has_wave && i + 1 == terms.size()) {
      term = fmt::format("waves of {} tiles of {}x{}", price.wave.slots, price.wave.tile_rows,
                         price.wave.tile_columns);
    }
    result.push_back(explanation(of, term, target, price.coefficients[i], terms[i].unit));
  }
}

void explain_measured(const LedgerCoefficients& all, std::vector<Explanation>& result) {
  for (const auto& [name, price] : all.measured) {
    for (const auto& [term, coefficient, unit] :
         {std::tuple{"measured GPU energy", price.per_gpu_joule, "J per J"},
          std::tuple{"power beside the GPU", price.per_second, "W"}}) {
      Explanation line;
      line.of = name;
      line.term = term;
      line.coefficient = coefficient;
      line.unit = unit;
      result.push_back(std::move(line));
    }
  }
}

}  // namespace

std::vector<Explanation> LedgerFit::terms() const {
  std::vector<Explanation> result;
  for (const auto& [name, price] : coefficients_.groups)
    explain_price(name, price, target_, result);
  for (const auto& [name, price] : coefficients_.pools)
    explain_price(fmt::format("others like {}", name), price, target_, result);
  for (std::size_t c = 0; c < kWorkClasses; ++c) {
    if (const auto& price = coefficients_.classes[c]) {
      explain_price(fmt::format("any {}", name_of(static_cast<WorkClass>(c))), *price, target_,
                    result);
    }
  }
  if (target_ == Target::Energy) explain_measured(coefficients_, result);
  for (const auto& [of, whole] : {std::pair{"model", &coefficients_.whole_model},
                                  std::pair{"module", &coefficients_.whole_module}}) {
    for (std::size_t i = 0; *whole && i < kWholeTerms; ++i) {
      if ((**whole)[i] == 0) continue;
      result.push_back(
          explanation(of, whole_terms()[i].name, target_, (**whole)[i], whole_terms()[i].unit));
    }
  }
  if (coefficients_.whole_model) return result;
  for (std::size_t i = 0; i < kGlueTerms; ++i) {
    if (coefficients_.glue[i] != 0) {
      result.push_back(explanation("modules", glue_terms()[i].name, target_, coefficients_.glue[i],
                                   glue_terms()[i].unit));
    }
  }
  return result;
}

std::vector<Explanation> LedgerFit::parts(const TreeRun& run, std::size_t node,
                                          FeatureSet features) const {
  std::vector<Explanation> result;
  for (const LedgerPart& part : parts_of(*this, run, node, features)) {
    Explanation line =
        explanation(run.nodes[node].id, part.name, target_, part.coefficient, part.unit);
    line.amount = part.amount / people_unit(part.unit).factor;
    line.cost = part.cost;
    result.push_back(std::move(line));
  }
  return result;
}

}  // namespace jouletree::predict
