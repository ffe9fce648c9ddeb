#include "predict/ledger.hpp"
#include "predict/stored_fits.hpp"

namespace jouletree::predict {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<WorkClass, kWorkClasses> kClasses = {WorkClass::WeightedProduct,
                                                          WorkClass::Product, WorkClass::Memory};

Json price_json(const WorkPrice& price) {
  Json json;
  json["class"] = name_of(price.work_class);
  if (price.kernel != Kernel::Unknown) {
    json["kernel"] = name_of(price.kernel);
  } else if (price.work_class != WorkClass::Memory) {
    json["wave"] = {{"tile_rows", price.wave.tile_rows},
                    {"tile_columns", price.wave.tile_columns},
                    {"slots", price.wave.slots}};
  }
  Json terms = Json::object();
  const auto names = terms_of(price);
  for (std::size_t i = 0; i < names.size(); ++i)
    if (price.coefficients[i] != 0) terms[std::string(names[i].name)] = price.coefficients[i];
  json["terms"] = std::move(terms);
  return json;
}

Kernel read_kernel(const Json& json) {
  const auto found = json.find("kernel");
  if (found == json.end()) return Kernel::Unknown;
  const Kernel kernel = kernel_from_name(found->get<std::string>());
  if (kernel == Kernel::Unknown) refuse_kernel(found->get<std::string>());
  return kernel;
}

WorkPrice read_price(const Json& json, std::string_view group) {
  WorkPrice price;
  const auto name = json.at("class").get<std::string>();
  for (const WorkClass work_class : kClasses)
    if (name_of(work_class) == name) price.work_class = work_class;
  price.kernel = read_kernel(json);
  if (price.kernel == Kernel::Unknown && price.work_class != WorkClass::Memory) {
    const Json& wave = json.at("wave");
    price.wave = {wave.at("tile_rows"), wave.at("tile_columns"), wave.at("slots")};
  }
  for (const CostTerm& term : terms_of(price))
    price.coefficients.push_back(json.at("terms").value(std::string(term.name), 0.0));
  check_stored(price, group);
  return price;
}

Json price_json(const MeasuredPrice& price) {
  return {{"per_gpu_joule", price.per_gpu_joule}, {"per_second", price.per_second}};
}

Json price_json(const std::optional<MeasuredPrice>& price) {
  return price ? price_json(*price) : Json(nullptr);
}

MeasuredPrice read_measured(const Json& json) {
  return {json.at("per_gpu_joule"), json.at("per_second")};
}

std::optional<MeasuredPrice> read_measured_if_any(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional(read_measured(json));
}

Json whole_json(const std::optional<WholeValues>& whole) {
  if (!whole) return nullptr;
  Json json = Json::object();
  for (std::size_t i = 0; i < kWholeTerms; ++i)
    json[std::string(whole_terms()[i].name)] = (*whole)[i];
  return json;
}

std::optional<WholeValues> read_whole(const Json& json) {
  if (json.is_null()) return std::nullopt;
  WholeValues whole{};
  for (std::size_t i = 0; i < kWholeTerms; ++i)
    whole[i] = json.at(std::string(whole_terms()[i].name));
  return whole;
}

}  // namespace

Json LedgerFit::to_json() const {
  Json json;
  Json& groups = json["groups"] = Json::object();
  for (const auto& [name, price] : coefficients_.groups) groups[name] = price_json(price);
  Json& pools = json["pools"] = Json::object();
  for (const auto& [name, price] : coefficients_.pools) pools[name] = price_json(price);
  Json& classes = json["classes"] = Json::object();
  for (const WorkClass work_class : kClasses) {
    if (const auto& price = coefficients_.classes[static_cast<std::size_t>(work_class)])
      classes[std::string(name_of(work_class))] = price_json(*price);
  }
  Json& measured = json["measured"] = Json::object();
  for (const auto& [name, price] : coefficients_.measured) measured[name] = price_json(price);
  json["measured_any"] = price_json(coefficients_.measured_any);
  json["measured_inner"] = price_json(coefficients_.measured_inner);
  Json& glue = json["modules"] = Json::object();
  for (std::size_t i = 0; i < kGlueTerms; ++i)
    glue[std::string(glue_terms()[i].name)] = coefficients_.glue[i];
  json["whole_model"] = whole_json(coefficients_.whole_model);
  json["whole_module"] = whole_json(coefficients_.whole_module);
  return json;
}

std::unique_ptr<LedgerFit> LedgerFit::from_json(Target target, const Json& json) {
  LedgerCoefficients read;
  for (const auto& [name, price] : json.at("groups").items())
    read.groups.emplace(name, read_price(price, name));
  // Predictors of earlier versions have none.
  if (const auto pools = json.find("pools"); pools != json.end()) {
    for (const auto& [name, price] : pools->items())
      read.pools.emplace(name, read_price(price, name));
  }
  for (const WorkClass work_class : kClasses) {
    const auto found = json.at("classes").find(std::string(name_of(work_class)));
    if (found != json.at("classes").end())
      read.classes[static_cast<std::size_t>(work_class)] = read_price(*found, name_of(work_class));
  }
  for (const auto& [name, price] : json.at("measured").items())
    read.measured.emplace(name, read_measured(price));
  read.measured_any = read_measured_if_any(json.at("measured_any"));
  read.measured_inner = read_measured_if_any(json.at("measured_inner"));
  for (std::size_t i = 0; i < kGlueTerms; ++i)
    read.glue[i] = json.at("modules").at(std::string(glue_terms()[i].name));
  read.whole_model = read_whole(json.at("whole_model"));
  read.whole_module = read_whole(json.at("whole_module"));
  return std::make_unique<LedgerFit>(target, std::move(read));
}

}  // namespace jouletree::predict
