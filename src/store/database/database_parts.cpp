#include "store/database/database_parts.hpp"

#include <charconv>

#include <fmt/format.h>

#include "measure/part_conditions.hpp"
#include "store/database/measured_record.hpp"
#include "store/database/source_files.hpp"

namespace jouletree::store {
namespace {

using Of = MeasurementRecord::Of;

Id subject_of(const measure::PartIdentity& identity) {
  if (identity.is_module) {
    ModuleRecord module;
    module.key = identity.key;
    return module.id();
  }
  OperatorRecord one;
  one.key = identity.key;
  return one.id();
}

std::string setting(const measure::Environment& environment, const std::string& name) {
  const auto found = environment.settings.find(name);
  return found == environment.settings.end() ? std::string() : found->second;
}

}  // namespace

SourceRecord source_of(const measure::Environment& environment) {
  SourceRecord source;
  source.kind = SourceRecord::Kind::Measured;
  source.format = "profile";
  source.name = environment.model_file;
  // Whoever adds the source first decides: parts are kept before their profile.
  source.header = kept_profile_header();
  // Several short profiles of one model may begin in the same second.
  source.content_key = fmt::format("{} {} {}", machine_record(environment).id(), environment.date,
                                   environment.began_ns);
  return source;
}

void DatabaseParts::begin(const measure::Environment& environment, const ModelTree& tree) {
  tree_ = &tree;
  machine_ = machine_record(environment);
  engine_ = engine_record(environment);
  source_ = source_of(environment);
  date_ = environment.date;
  insufficient_ = 0;
  const std::string precision = setting(environment, "precision");
  std::from_chars(precision.data(), precision.data() + precision.size(), asked_precision_);
}

std::optional<measure::Measured> DatabaseParts::find(const measure::PartIdentity& identity,
                                                     const measure::WantedPart& wanted) {
  if (reuse_ == Reuse::Nothing) return std::nullopt;
  Database::Wanted like{identity.is_module ? Of::Module : Of::Operator, subject_of(identity),
                        machine_.id(), engine_.id(), identity.conditions};
  std::optional<measure::Measured> best;
  bool is_known = false;
  const auto suits = [&](const MeasurementRecord& record) {
    is_known = true;
    measure::Measured measured = measured_of(record);
    if (!measure::is_good_enough(measured, wanted)) return false;
    best = std::move(measured);
    return true;
  };
  const auto record = database_.newest(like, suits);
  if (!record) {
    like.conditions += measure::kHurriedConditions;
    if (!identity.is_module &&
        (is_known || database_.newest(like, [](const MeasurementRecord&) { return true; })))
      ++insufficient_;
    return std::nullopt;
  }
  best->reused = measure::ReusedFrom{record->measured_at, database_.source_name(record->source)};
  return best;
}

void DatabaseParts::keep(std::span<const measure::PartToKeep> parts) {
  if (parts.empty()) return;
  std::vector<OperatorRecord> operators;
  std::vector<ModuleRecord> modules;
  std::vector<MeasurementRecord> measurements;
  for (const measure::PartToKeep& part : parts) {
    MeasurementRecord one = measurement_record(part.measured);
    if (part.identity.is_module) {
      ModuleRecord& module = modules.emplace_back();
      module.key = part.identity.key;
      module.type = part.node.type;
      module.operators = part.node.totals.operators;
      one.of = Of::Module;
      one.subject = module.id();
    } else {
      operators.push_back(operator_record(*tree_, part.node, part.identity.key));
      one.of = Of::Operator;
      one.subject = operators.back().id();
    }
    one.conditions = part.identity.conditions;
    if (part.measured.hurried) one.conditions += measure::kHurriedConditions;
    one.measured_at = date_;
    one.asked_precision = asked_precision_;
    measurements.push_back(std::move(one));
  }
  sql::Transaction transaction(database_.connection());
  database_.wait_for_writers();
  const Id machine = database_.add(machine_);
  const Id engine = database_.add(engine_);
  const Id source = database_.add(source_);
  for (MeasurementRecord& one : measurements) {
    one.machine = machine;
    one.engine = engine;
    one.source = source;
  }
  database_.add(operators);
  for (const ModuleRecord& module : modules) database_.add(module);
  database_.add(measurements);
  transaction.commit();
}

}  // namespace jouletree::store
