#include "measure/profile_environment.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace jouletree {

Environment environment_of(const std::filesystem::path& model, const ProfileOptions& options,
                           const Session& session, const std::string& engine) {
  Environment environment = read_environment(options.root);
  for (const MeterInfo& meter : session.meters()) environment.meters.push_back(meter.name);
  environment.model_file = model.string();
  std::error_code unknown;
  const std::uintmax_t bytes = std::filesystem::file_size(model, unknown);
  if (!unknown) environment.model_bytes = static_cast<std::int64_t>(bytes);
  auto& settings = environment.settings;
  settings["engine"] = engine;
  settings["device"] = options.engine.device;
  for (const auto& [key, value] : options.engine.provider_options)
    settings["provider_option." + key] = value;
  settings["threads"] = std::to_string(options.engine.threads);
  settings["execution"] = options.engine.execution;
  settings["level"] = options.level;
  settings["cache"] = name_of(options.cache);
  settings["precision"] = fmt::format("{}", options.precision);
  settings["seed"] = std::to_string(options.seed);
  if (options.budget) settings["budget_s"] = fmt::format("{}", options.budget->count());
  if (!options.data.empty()) settings["data"] = fmt::format("{}", fmt::join(options.data, " "));
  if (options.target) settings["target"] = fmt::format("{}", *options.target);
  return environment;
}

}  // namespace jouletree
