#include "store/run_place.hpp"

#include <fmt/format.h>

#include "base/bounded_json.hpp"
#include "base/mapped_file.hpp"
#include "jouletree/error.hpp"
#include "runtime/engine_folder.hpp"
#include "runtime/onnx_runtime.hpp"
#include "store/database/measured_record.hpp"
#include "store/environment_json.hpp"
#include "store/profile_folder.hpp"

namespace jouletree::store {
namespace {

namespace fs = std::filesystem;

std::string system_text(const MachineRecord& machine) {
  if (machine.system.empty() || machine.kernel.empty()) return machine.system + machine.kernel;
  return machine.system + ", " + machine.kernel;
}

/// What only opening meters tells is left out, so that a machine is known before that.
std::string key_of(MachineRecord machine) {
  if (machine.cpu.empty()) return {};
  machine.name.clear();
  machine.gpus.clear();
  machine.sensors.clear();
  return fmt::format("{:016x}", machine.id());
}

std::string option_named(const EngineRecord& engine, const char* name) {
  const auto found = engine.options.find(name);
  return found == engine.options.end() ? "" : found->second;
}

/// The folder of a profile whose tree file this is; empty where it is another file. Who replaces a
/// profile gathers its files in a folder of their own, beside each other.
fs::path folder_of(const fs::path& tree_file) {
  return tree_file.filename() == kTreeFile ? tree_file.parent_path() : fs::path();
}

}  // namespace

MeasuredOn place_of(const MachineRecord& machine, const EngineRecord& engine) {
  MeasuredOn place;
  place.machine = machine.cpu.empty() ? machine.name : machine.cpu;
  place.machine_key = key_of(machine);
  place.system = system_text(machine);
  place.engine = engine.name;
  place.version = engine.version;
  place.threads = engine.threads;
  place.device = engine.device;
  place.level = option_named(engine, "level");
  place.execution = option_named(engine, "execution");
  return place;
}

MeasuredOn place_of(const measure::Environment& environment) {
  return place_of(machine_record(environment), engine_record(environment));
}

MeasuredOn place_here(const fs::path& root, int threads) {
  MeasuredOn place = place_of(measure::read_environment(root));
  place.engine = "ONNX Runtime";
  place.version = runtime::onnx_runtime_version(runtime::engine_folder()).value_or("");
  place.threads = threads;
  place.device = "cpu";
  place.level = "all";
  place.execution = "sequential";
  return place;
}

void add_place_of_profile(const fs::path& tree_file, std::vector<TreeRun>& runs) {
  const fs::path folder = folder_of(tree_file);
  std::error_code error;
  if (folder.empty() || !fs::is_regular_file(folder / kEnvironmentFile, error)) return;
  const MappedFile file(folder / kEnvironmentFile);
  const auto json = parse_json_if_any<nlohmann::ordered_json>(file.bytes());
  const measure::Environment environment = environment_in(json);
  const MeasuredOn place = place_of(environment);
  if (place == MeasuredOn()) return;
  for (TreeRun& run : runs) {
    run.measured_on = place;
    run.measured_at = environment.date;
  }
}

}  // namespace jouletree::store
