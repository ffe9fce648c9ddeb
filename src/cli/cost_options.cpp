#include "cli/cost_options.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "base/grid_regions.hpp"
#include "jouletree/error.hpp"

namespace jouletree::cli {
namespace {

[[noreturn]] void fail(const char* flag, const std::string& text, const char* wanted) {
  throw Error(ErrorKind::BadInput, fmt::format("{} {}: {}", flag, text, wanted));
}

struct Number {
  double value = 0;
  std::string rest;  ///< What follows it, without the spaces between.
};

Number parse_number(const char* flag, const std::string& text, const char* wanted) {
  Number number;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number.value, std::chars_format::fixed);
  if (parsed.ec != std::errc{} || !std::isfinite(number.value) || number.value < 0)
    fail(flag, text, wanted);
  const char* const rest = std::find_if(parsed.ptr, end, [](char c) { return c != ' '; });
  number.rest.assign(rest, end);
  return number;
}

double parse_plain(const char* flag, const std::string& text, const char* wanted) {
  const Number number = parse_number(flag, text, wanted);
  if (!number.rest.empty()) fail(flag, text, wanted);
  return number.value;
}

EnergyPrice parse_price(const std::string& text) {
  const char* const wanted =
      "give the price of a kWh, with a currency if you like: 0.25 or 0.25EUR";
  Number number = parse_number("--price", text, wanted);
  // Currencies are words or signs; a digit or a point would be part of a number that went wrong.
  const auto is_odd = [](char c) {
    const auto letter = static_cast<unsigned char>(c);
    const bool is_mark = std::ispunct(letter) != 0 && c != '$';
    return std::isdigit(letter) != 0 || std::iscntrl(letter) != 0 || is_mark;
  };
  if (std::any_of(number.rest.begin(), number.rest.end(), is_odd)) fail("--price", text, wanted);
  return {number.value, std::move(number.rest)};
}

}  // namespace

void CostOptions::add_to(CLI::App& command) {
  CLI::Option* given = command.add_option(
      "--carbon", carbon, "Show grams of CO2e as well: what the grid emits, in g per kWh, e.g. 44");
  given->type_name("G_PER_KWH");
  command
      .add_option("--region", region,
                  "The same with the yearly average of a country, e.g. FR, US, EU or WORLD")
      ->type_name("CODE")
      ->excludes(given);
  command
      .add_option("--price", price, "Show the cost as well: price of a kWh, e.g. 0.25 or 0.25EUR")
      ->type_name("MONEY_PER_KWH");
  command
      .add_option("--pue", pue,
                  "Energy of the data centre per energy of its machines, e.g. 1.2; multiplies CO2e "
                  "and cost (default: 1)")
      ->type_name("FACTOR");
}

FootprintFactors CostOptions::factors() const {
  FootprintFactors factors;
  if (!carbon.empty()) {
    const char* const wanted = "give grams of CO2e per kWh, a number that is not negative like 44";
    factors.carbon = CarbonFactor{parse_plain("--carbon", carbon, wanted),
                                  std::string(kGivenByUser), std::nullopt, ""};
  }
  if (!region.empty()) factors.carbon = carbon_factor_of_region(region);
  if (!price.empty()) factors.price = parse_price(price);
  if (!pue.empty()) {
    const char* const wanted = "give a factor of 1 or more like 1.2";
    factors.pue = parse_plain("--pue", pue, wanted);
    if (factors.pue < 1) fail("--pue", pue, wanted);
    if (!factors.any())
      fail("--pue", pue, "has an effect on CO2e and cost only; give --carbon, --region or --price");
  }
  return factors;
}

}  // namespace jouletree::cli
