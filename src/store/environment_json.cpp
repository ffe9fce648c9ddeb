#include "store/environment_json.hpp"

#include <optional>

#include "base/json_or_null.hpp"

namespace jouletree::store {
namespace {

using Json = nlohmann::ordered_json;

Json above_zero(std::int64_t number) { return number > 0 ? Json(number) : Json(nullptr); }

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

}  // namespace jouletree::store
