#include <algorithm>
#include <array>
#include <cctype>

#include "store/database/import_tables.hpp"

namespace jouletree::store {
namespace {

/// "cpu" and "cuda:0" say which part of a machine ran, not which machine.
bool is_part_of_machine(const std::string& device) {
  constexpr std::array<std::string_view, 9> kParts = {"cpu", "gpu", "cuda", "tpu", "npu",
                                                      "mps", "xpu", "rocm", "igpu"};
  std::string word = device.substr(0, device.find(':'));
  for (char& letter : word)
    letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return std::find(kParts.begin(), kParts.end(), word) != kParts.end();
}

}  // namespace

PlaceColumns::PlaceColumns(const TableRows& table)
    : machine_(table.first_of({"machine", "gpu_config", "hardware"})),
      device_(table.column("device")),
      engine_(table.column("engine")),
      version_(table.column("engine_version")),
      threads_(table.first_of({"threads", "num_threads"})) {}

void PlaceColumns::set(const TableRows& table, SourceWriter& writer, MeasurementRecord& one) const {
  std::string machine = table.text(machine_);
  EngineRecord engine;
  engine.name = table.text(engine_);
  engine.version = table.text(version_);
  engine.threads = whole_number(table.above_zero(threads_));
  const std::string& device = table.text(device_);
  if (machine.empty() && !writer.knows_machine() && !is_part_of_machine(device)) {
    machine = device;
  } else {
    engine.device = device;
  }
  one.machine = writer.machine(machine);
  one.engine = writer.engine(engine);
}

}  // namespace jouletree::store
