#include "measure/profile_environment.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace jouletree::measure {

Environment environment_of(const engines::ModelToLoad& model, const ProfileOptions& options,
                           const engines::Engine& engine, const EnergySource& energy,
                           const Clock& clock) {
  Environment environment = read_environment(options.root, clock);
  for (const MeterInfo& meter : energy.meters()) environment.meters.push_back(meter.name);
  if (options.gpus != nullptr)
    for (const GpuState& gpu : options.gpus->look()) environment.gpus.push_back(gpu.model);
  environment.model_file = model.told_as.empty() ? model.path.string() : model.told_as;
  std::error_code unknown;
  const std::uintmax_t bytes = std::filesystem::file_size(model.path, unknown);
  if (!unknown) environment.model_bytes = static_cast<std::int64_t>(bytes);
  auto& settings = environment.settings;
  settings["engine"] = engine.name();
  for (const auto& [key, value] : engine.settings()) settings[key] = value;
  settings["cache"] = name_of(options.cache);
  settings["precision"] = fmt::format("{}", options.precision);
  settings["seed"] = std::to_string(model.seed);
  if (options.budget) settings["budget_s"] = fmt::format("{}", options.budget->count());
  if (!model.data.empty()) settings["data"] = fmt::format("{}", fmt::join(model.data, " "));
  if (options.target) settings["target"] = fmt::format("{}", *options.target);
  return environment;
}

}  // namespace jouletree::measure
