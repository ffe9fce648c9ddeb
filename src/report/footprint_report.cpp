#include "report/footprint_report.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace jouletree::report {
namespace {

using Json = nlohmann::ordered_json;

/// Grams or money, with the bounds that those of the energy give.
struct Amount {
  double value = 0;
  std::optional<double> low;
  std::optional<double> high;
};

template <class Convert>
std::optional<Amount> amount_of(const std::optional<EnergyRange>& energy, Convert convert) {
  if (!energy) return std::nullopt;
  Amount amount;
  amount.value = convert(energy->value);
  if (energy->low) amount.low = convert(*energy->low);
  if (energy->high) amount.high = convert(*energy->high);
  return amount;
}

std::optional<Amount> grams_of(const FootprintEnergy& energy, const FootprintFactors& factors) {
  return amount_of(energy.energy,
                   [&](Joules joules) { return co2e_grams(joules, *factors.carbon, factors.pue); });
}

std::optional<Amount> money_of(const FootprintEnergy& energy, const FootprintFactors& factors) {
  return amount_of(energy.energy,
                   [&](Joules joules) { return cost_of(joules, *factors.price, factors.pue); });
}

/// Three digits in the unit that fits: one inference emits nanograms, a training run tonnes.
std::string grams_text(double grams) {
  struct Unit {
    double grams;
    const char* name;
  };
  constexpr std::array kUnits = {Unit{1e6, "t"},    Unit{1e3, "kg"},  Unit{1, "g"},
                                 Unit{1e-3, "mg"},  Unit{1e-6, "µg"}, Unit{1e-9, "ng"},
                                 Unit{1e-12, "pg"}, Unit{1e-15, "fg"}};
  if (grams == 0) return "0 g";
  // What rounds to 1000 belongs to the next unit.
  for (const Unit& unit : kUnits) {
    if (std::abs(grams) >= unit.grams * 0.9995)
      return fmt::format("{:.3g} {}", grams / unit.grams, unit.name);
  }
  return fmt::format("{:.3g} g", grams);
}

/// Behind a number.
std::string spaced(const std::string& unit) { return unit.empty() ? "" : " " + unit; }

/// One inference costs billionths: "26.3 nEUR". Without a currency there is nothing to put a prefix
/// to.
std::string money_text(double number, const std::string& currency) {
  constexpr double kWithTwoDecimals = 100;
  constexpr double kWithoutPrefix = 1e-3;
  const double size = std::abs(number);
  if (currency.empty() || size >= kWithoutPrefix || size == 0) {
    return size < kWithTwoDecimals ? fmt::format("{:.3g}{}", number, spaced(currency))
                                   : fmt::format("{:.2f}{}", number, spaced(currency));
  }
  for (const auto& [factor, prefix] : {std::pair{1e-6, "µ"}, std::pair{1e-9, "n"}}) {
    if (size >= factor * 0.9995)
      return fmt::format("{:.3g} {}{}", number / factor, prefix, currency);
  }
  return fmt::format("{:.3g} p{}", number / 1e-12, currency);
}

/// What a number is derived from, behind its factor.
std::string basis_text(std::vector<std::string> basis, Provenance energy,
                       const FootprintFactors& factors) {
  if (factors.pue != 1) basis.push_back(fmt::format("PUE {:g}", factors.pue));
  if (energy != Provenance::Measured) basis.push_back(fmt::format("{} energy", name_of(energy)));
  return fmt::format("{}: {}", kDerived, fmt::join(basis, ", "));
}

std::string carbon_basis(Provenance energy, const FootprintFactors& factors) {
  const CarbonFactor& carbon = *factors.carbon;
  std::vector<std::string> basis = {fmt::format("{:g} g/kWh", carbon.g_per_kwh)};
  if (!carbon.region.empty()) basis.push_back(carbon.region);
  if (carbon.year) basis.push_back(std::to_string(*carbon.year));
  basis.push_back(carbon.source);
  return basis_text(std::move(basis), energy, factors);
}

std::string cost_basis(Provenance energy, const FootprintFactors& factors) {
  return basis_text(
      {fmt::format("{:g}{}/kWh", factors.price->per_kwh, spaced(factors.price->currency))}, energy,
      factors);
}

template <class Text>
FootprintCell cell_of(const char* title, const std::optional<Amount>& amount, const Text& text) {
  FootprintCell cell{title, "unknown", "–"};
  if (!amount) return cell;
  cell.value = text(amount->value);
  if (!amount->low) return cell;
  const std::string low = text(*amount->low);
  if (!amount->high) {
    cell.value = "at least " + low;
    return cell;
  }
  const std::string high = text(*amount->high);
  // An interval that looks like a point tells nothing.
  if (low != cell.value || high != cell.value) cell.interval = fmt::format("{} to {}", low, high);
  return cell;
}

/// A prediction is not worth much without its interval.
std::string value_text(const FootprintCell& cell, Provenance energy) {
  const bool with_interval = energy == Provenance::Predicted && cell.interval != "–";
  return with_interval ? fmt::format("{}, {}", cell.value, cell.interval) : cell.value;
}

Json number_or_null(const std::optional<double>& number) {
  return number ? Json(*number) : Json(nullptr);
}

Json derived_json(const std::optional<Amount>& amount, const Json& unit, double factor) {
  Json out;
  out["value"] = amount ? Json(amount->value) : Json(nullptr);
  out["unit"] = unit;
  out["provenance"] = kDerived;
  out["low"] = number_or_null(amount ? amount->low : std::nullopt);
  out["high"] = number_or_null(amount ? amount->high : std::nullopt);
  out["factor"] = factor;
  return out;
}

void add_common(const FootprintEnergy& energy, const FootprintFactors& factors, Json& out) {
  out["pue"] = factors.pue;
  out["energy_provenance"] = name_of(energy.provenance);
}

Json carbon_json(const FootprintEnergy& energy, const FootprintFactors& factors) {
  const CarbonFactor& carbon = *factors.carbon;
  Json out = derived_json(grams_of(energy, factors), "g", carbon.g_per_kwh);
  out["factor_unit"] = "g/kWh";
  out["source"] = carbon.source;
  out["year"] = carbon.year ? Json(*carbon.year) : Json(nullptr);
  out["region"] = carbon.region.empty() ? Json(nullptr) : Json(carbon.region);
  add_common(energy, factors, out);
  return out;
}

Json cost_json(const FootprintEnergy& energy, const FootprintFactors& factors) {
  const EnergyPrice& price = *factors.price;
  const bool named = !price.currency.empty();
  Json out = derived_json(money_of(energy, factors), named ? Json(price.currency) : Json(nullptr),
                          price.per_kwh);
  out["factor_unit"] = named ? Json(price.currency + "/kWh") : Json("1/kWh");
  out["source"] = kGivenByUser;
  add_common(energy, factors, out);
  return out;
}

}  // namespace

std::vector<FootprintCell> footprint_cells(const FootprintEnergy& energy,
                                           const FootprintFactors& factors) {
  std::vector<FootprintCell> cells;
  if (factors.carbon) cells.push_back(cell_of("CO2e", grams_of(energy, factors), grams_text));
  if (factors.price) {
    const auto text = [&](double number) { return money_text(number, factors.price->currency); };
    cells.push_back(cell_of("Cost", money_of(energy, factors), text));
  }
  return cells;
}

std::vector<FootprintLine> footprint_basis(Provenance energy, const FootprintFactors& factors) {
  std::vector<FootprintLine> lines;
  if (factors.carbon) lines.push_back({"CO2e", carbon_basis(energy, factors)});
  if (factors.price) lines.push_back({"Cost", cost_basis(energy, factors)});
  return lines;
}

std::vector<FootprintLine> footprint_lines(const FootprintEnergy& energy,
                                           const FootprintFactors& factors) {
  std::vector<FootprintLine> lines = footprint_basis(energy.provenance, factors);
  const std::vector<FootprintCell> cells = footprint_cells(energy, factors);
  for (std::size_t i = 0; i < lines.size(); ++i)
    lines[i].text = fmt::format("{} ({})", value_text(cells[i], energy.provenance), lines[i].text);
  return lines;
}

Json footprint_json(const FootprintEnergy& energy, const FootprintFactors& factors) {
  Json out = Json::object();
  if (factors.carbon) out["co2e_g"] = carbon_json(energy, factors);
  if (factors.price) out["cost"] = cost_json(energy, factors);
  return out;
}

}  // namespace jouletree::report
