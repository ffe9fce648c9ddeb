#include "store/environment_json.hpp"

#include <optional>

#include "base/json_or_null.hpp"

namespace jouletree::store {
namespace {

using Json = nlohmann::ordered_json;

Json above_zero(std::int64_t number) { return number > 0 ? Json(number) : Json(nullptr); }

std::optional<std::string> text_member(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? std::optional(found->get<std::string>())
                                                   : std::nullopt;
}

std::optional<std::int64_t> whole_member(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number_integer()
             ? std::optional(found->get<std::int64_t>())
             : std::nullopt;
}

std::vector<std::string> texts_member(const Json& json, const char* key) {
  std::vector<std::string> texts;
  const auto found = json.find(key);
  if (found == json.end() || !found->is_array()) return texts;
  for (const Json& text : *found)
    if (text.is_string()) texts.push_back(text.get<std::string>());
  return texts;
}

}  // namespace

Json environment_json(const measure::Environment& environment) {
  return {{"program", text_or_null(environment.program)},
          {"date", text_or_null(environment.date)},
          {"host_system", text_or_null(environment.host_system)},
          {"kernel", text_or_null(environment.kernel)},
          {"cpu", text_or_null(environment.cpu)},
          {"cpus", above_zero(environment.cpus)},
          {"machine_cpus", above_zero(environment.machine_cpus)},
          {"core_cache_bytes", or_null(environment.core_cache_bytes)},
          {"last_cache_bytes", or_null(environment.last_cache_bytes)},
          {"memory_bytes", or_null(environment.memory_bytes)},
          {"governor", or_null(environment.governor)},
          {"turbo", or_null(environment.turbo)},
          {"hypervisor", or_null(environment.hypervisor)},
          {"meters", environment.meters},
          {"gpus", environment.gpus},
          {"model_file", text_or_null(environment.model_file)},
          {"model_bytes", above_zero(environment.model_bytes)},
          {"settings", Json(environment.settings)}};
}

measure::Environment environment_in(const Json& json) {
  measure::Environment environment;
  if (!json.is_object()) return environment;
  const auto text = [&](const char* key) { return text_member(json, key).value_or(""); };
  environment.program = text("program");
  environment.date = text("date");
  environment.host_system = text("host_system");
  environment.kernel = text("kernel");
  environment.cpu = text("cpu");
  environment.cpus = static_cast<int>(whole_member(json, "cpus").value_or(0));
  environment.machine_cpus = static_cast<int>(whole_member(json, "machine_cpus").value_or(0));
  environment.core_cache_bytes = whole_member(json, "core_cache_bytes");
  environment.last_cache_bytes = whole_member(json, "last_cache_bytes");
  environment.memory_bytes = whole_member(json, "memory_bytes");
  environment.governor = text_member(json, "governor");
  if (const auto turbo = json.find("turbo"); turbo != json.end() && turbo->is_boolean())
    environment.turbo = turbo->get<bool>();
  environment.hypervisor = text_member(json, "hypervisor");
  environment.meters = texts_member(json, "meters");
  environment.gpus = texts_member(json, "gpus");
  environment.model_file = text("model_file");
  environment.model_bytes = whole_member(json, "model_bytes").value_or(0);
  if (const auto settings = json.find("settings"); settings != json.end() && settings->is_object())
    for (const auto& [name, value] : settings->items())
      if (value.is_string()) environment.settings[name] = value.get<std::string>();
  return environment;
}

}  // namespace jouletree::store
