#include <fmt/format.h>

#include "base/number_format.hpp"
#include "base/number_of.hpp"
#include "jouletree/tree_files.hpp"
#include "report/page/page_columns.hpp"
#include "report/page/page_items.hpp"

namespace jouletree::report {
namespace {

using Json = nlohmann::ordered_json;
using Cell = PageColumn::Cell;

class LedgerLines {
 public:
  void add(const std::string& name, const char* role, const Cell& time, const Cell& energy,
           const std::string& note) {
    if (!time.value && !energy.value) return;
    lines_.push_back({{"name", name},
                      {"note", note},
                      {"role", role},
                      {"time", time.value ? page_quantity(time, "s") : Json(nullptr)},
                      {"energy", energy.value ? page_quantity(energy, "J") : Json(nullptr)}});
  }
  [[nodiscard]] Json json() const { return lines_; }

 private:
  Json lines_ = Json::array();
};

Cell cell_of(const Figure& figure, const std::string& provenance, bool lower_bound = false) {
  return {figure.value, provenance, figure.low, figure.high, lower_bound};
}

std::string operators_text(const ProfileLedger& ledger) {
  std::string all = fmt::format("{} of {}", number_of(ledger.operators, "operator"),
                                number_of(ledger.kinds, "kind"));
  if (ledger.complete()) return all;
  return fmt::format("{} of {}, measured alone",
                     with_separators(ledger.operators - ledger.not_alone()), all);
}

Json explanation_of(const ProfileLedger& ledger) {
  Json sentences = Json::array();
  if (ledger.adjusted_s.value) {
    sentences.push_back(fmt::format("Σ {}: {}. Remainder and attribution use this sum.",
                                    kAdjustment, kAdjustmentIs));
  }
  if (ledger.caller_s.value)
    sentences.push_back(fmt::format("Attribution counts {} beside the operators.", ledger.caller));
  if (ledger.out_of_time > 0) {
    sentences.push_back(
        fmt::format("{} of {} {} not measured alone, because the budget was used up.",
                    with_separators(ledger.out_of_time), number_of(ledger.operators, "operator"),
                    agreeing(ledger.out_of_time, "was", "were")));
  }
  return sentences;
}

}  // namespace

Json ledger_section(const store::ProfileView& view) {
  const ProfileLedger& ledger = view.ledger;
  const std::string measured(name_of(Provenance::Measured));
  const std::string& energy = view.energy.provenance;
  const auto is_bound = [&](const Figure& sum) { return ledger.is_lower_bound(sum.value); };
  LedgerLines lines;
  lines.add("Σ operators × count", "sum", cell_of(ledger.raw_s, measured, is_bound(ledger.raw_s)),
            cell_of(ledger.raw_j, energy, is_bound(ledger.raw_j)), operators_text(ledger));
  lines.add(fmt::format("Σ {}", kAdjustment), "part",
            cell_of(ledger.adjusted_s, measured, is_bound(ledger.adjusted_s)),
            cell_of(ledger.adjusted_j, energy, is_bound(ledger.adjusted_j)), kAdjustmentIs);
  lines.add("Known in place", "part", {ledger.in_place_s, std::string(kMeasuredInPlace)}, {},
            fmt::format("{}, as {} inside the model", number_of(ledger.in_place, "other"),
                        agreeing(ledger.in_place, "it ran", "they ran")));
  if (!ledger.caller.empty()) {
    lines.add(ledger.caller, "part", cell_of(ledger.caller_s, measured),
              cell_of(ledger.caller_j, energy), "the whole less its operators run in order");
  }
  lines.add("Remainder", "remainder", {ledger.remainder_s(), "derived"},
            {ledger.remainder_j(), "derived"}, ledger.remainder_name());
  lines.add("Whole model", "whole",
            {ledger.whole_s, measured, view.time.figure.low, view.time.figure.high},
            {ledger.whole_j, energy, view.energy.figure.low, view.energy.figure.high},
            "measured from its own file");
  const auto share = [&](const std::optional<double>& value) {
    return page_quantity({value, "derived", {}, {}, ledger.is_lower_bound(value)}, "share");
  };
  return {{"lines", lines.json()},
          {"attribution_time", share(ledger.attribution_time)},
          {"attribution_energy", share(ledger.attribution_energy)},
          {"explanation", explanation_of(ledger)}};
}

}  // namespace jouletree::report
