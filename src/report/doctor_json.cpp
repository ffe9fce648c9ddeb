#include <ostream>

#include <nlohmann/json.hpp>

#include "base/json_or_null.hpp"
#include "report/doctor_report.hpp"

namespace jouletree::report {
namespace {

using Json = nlohmann::ordered_json;

Json meter_json(const MeterInfo& meter) {
  return {{"name", meter.name},
          {"source", meter.source},
          {"device", meter.device},
          {"model", text_or_null(meter.model)},
          {"level", name_of(meter.level)},
          {"kind", name_of(meter.kind)},
          {"provenance", name_of(meter.provenance)},
          {"period_s", Seconds(meter.update_period).count()},
          {"resolution", meter.resolution ? Json(*meter.resolution) : Json(nullptr)},
          {"resolution_unit", meter.kind == MeterKind::Power ? "W" : "J"},
          {"method", meter.method}};
}

}  // namespace

void print_doctor_json(const measure::MachineCheck& check, std::ostream& out) {
  Json json = {{"verdict", {{"state", name_of(check.verdict)}, {"text", check.verdict_text}}},
               {"machine", {{"cpu", text_or_null(check.cpu_model)}, {"cpus", check.cpus}}},
               {"meters", Json::array()},
               {"total", {{"rule", check.rule}, {"summed", check.summed}}},
               {"missing", Json::array()},
               {"findings", Json::array()},
               {"notes", check.notes}};
  for (const MeterInfo& meter : check.meters) json["meters"].push_back(meter_json(meter));
  for (const Missing& missing : check.missing) {
    json["missing"].push_back(
        {{"source", missing.source}, {"what", missing.what}, {"fix", text_or_null(missing.fix)}});
  }
  for (const measure::Finding& finding : check.findings) {
    json["findings"].push_back({{"topic", finding.topic},
                                {"weight", name_of(finding.weight)},
                                {"what", finding.what},
                                {"fix", text_or_null(finding.fix)}});
  }
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace jouletree::report
