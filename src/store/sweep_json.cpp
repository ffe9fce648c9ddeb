#include "store/sweep_json.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "base/csv.hpp"
#include "base/json_or_null.hpp"
#include "base/number_of.hpp"
#include "base/replaced_file.hpp"
#include "measure/environment.hpp"
#include "store/json_member.hpp"
#include "store/profile_json.hpp"

namespace jouletree::store {
namespace {

using Json = nlohmann::ordered_json;
using measure::StudyFormat;
using measure::StudyModel;

Json spreads_json(const StudyFormat& format) {
  Json json = Json::object();
  for (const auto& [name, spread] : measure::spreads_of(format)) {
    json[name] = {{"median", spread.median},
                  {"q1", spread.q1},
                  {"q3", spread.q3},
                  {"min", spread.min},
                  {"max", spread.max},
                  {"n", spread.n},
                  {"provenance", spread.provenance}};
  }
  return json;
}

Json latencies_json(const StudyFormat& format, std::int64_t inferences) {
  const measure::LatencyPoints points = measure::latencies_of(format);
  if (points.empty()) return nullptr;
  return {{"n", inferences}, {"quantiles", points}};
}

Json format_json(const StudyFormat& format) {
  std::int64_t inferences = 0;
  for (const measure::StudyRun& run : format.runs) inferences += run.inferences;
  return {{"format", format.name},
          {"folder", format.folder},
          {"size", or_null(format.size)},
          {"batch", or_null(format.batch)},
          {"threads", or_null(format.threads)},
          {"inputs", format.inputs},
          {"dims", format.dims},
          {"runs", format.runs.size()},
          {"planned_runs", format.planned_runs},
          {"inferences", inferences},
          {"failures", format.failures},
          {"quantities", spreads_json(format)},
          {"latencies", latencies_json(format, inferences)}};
}

Json law_json(const std::optional<PowerLaw>& law) {
  if (!law) return nullptr;
  return {{"exponent", law->exponent}, {"low", or_null(law->low)}, {"high", or_null(law->high)},
          {"factor", law->factor},     {"r2", or_null(law->r2)},   {"n", law->n}};
}

Json breaks_json(const std::optional<BrokenLine>& broken, const measure::StudySeries& series,
                 const StudyModel& model, const std::string& quantity) {
  if (!broken) return nullptr;
  // Positions are those of the formats that know the quantity.
  std::vector<double> sizes;
  for (const std::size_t i : series.formats)
    for (const measure::StudyRun& run : model.formats[i].runs) {
      if (!run.values.contains(quantity)) continue;
      sizes.push_back(*model.formats[i].size);
      break;
    }
  Json pieces = Json::array();
  for (const LinePiece& piece : broken->pieces) {
    pieces.push_back({{"first", sizes.at(piece.first)},
                      {"last", sizes.at(piece.last)},
                      {"slope", piece.line.slope},
                      {"intercept", piece.line.intercept}});
  }
  Json breaks = Json::array();
  for (std::size_t i = 0; i < broken->breaks.size(); ++i) {
    const BreakPoint& point = broken->breaks[i];
    const Line& before = broken->pieces[i].line;
    const double value_before = before.at(point.at);
    breaks.push_back(
        {{"after", sizes.at(point.after)},
         {"before", sizes.at(point.after + 1)},
         {"at", point.at},
         {"kind", name_of(point.kind)},
         {"jump", point.jump},
         {"jump_share", value_before != 0 ? Json(point.jump / value_before) : Json(nullptr)},
         {"slope_before", before.slope},
         {"slope_after", broken->pieces[i + 1].line.slope},
         {"p", point.p}});
  }
  return {{"criterion", "bootstrap"},
          {"level", kBreakLevel},
          {"pieces", std::move(pieces)},
          {"breaks", std::move(breaks)}};
}

Json study_series_json(const measure::StudySeries& series, const StudyModel& model) {
  Json formats = Json::array();
  for (const std::size_t i : series.formats) formats.push_back(model.formats[i].name);
  Json laws = Json::object();
  for (const auto& [name, law] : series.laws) laws[name] = law_json(law);
  Json breaks = Json::object();
  for (const auto& [name, broken] : series.breaks)
    breaks[name] = breaks_json(broken, series, model, name);
  return {{"batch", or_null(series.batch)},
          {"threads", or_null(series.threads)},
          {"formats", std::move(formats)},
          {"laws", std::move(laws)},
          {"breaks", std::move(breaks)}};
}

Json matrix_json(const CorrelationMatrix& matrix) {
  Json json = Json::array();
  for (const auto& row : matrix) {
    Json cells = Json::array();
    for (const auto& cell : row) cells.push_back(or_null(cell));
    json.push_back(std::move(cells));
  }
  return json;
}

Json correlations_json(const measure::StudyCorrelations& found) {
  return {{"rows", found.rows},
          {"quantities", found.quantities},
          {"spearman", matrix_json(found.spearman)},
          {"pearson", matrix_json(found.pearson)}};
}

Json model_json(const AnalysedStudy& study, std::size_t i) {
  const StudyModel& model = study.study.models[i];
  Json formats = Json::array();
  for (const StudyFormat& format : model.formats) formats.push_back(format_json(format));
  Json series = Json::array();
  for (const measure::StudySeries& one : study.series[i])
    series.push_back(study_series_json(one, model));
  return {{"model", model.name},
          {"folder", model.folder},
          {"engine", text_or_null(model.engine)},
          {"size", model.size_name},
          {"formats", std::move(formats)},
          {"series", std::move(series)},
          {"correlations", correlations_json(study.correlations[i])}};
}

void set_place(const StudyModel& model, const StudyFormat& format, CsvSheet& sheet) {
  sheet.begin_row();
  sheet.set("model", model.name);
  sheet.set("format", format.name);
  sheet.set("size", format.size);
  const auto real = [](const auto& value) {
    return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
  };
  sheet.set("batch", real(format.batch));
  sheet.set("threads", real(format.threads));
}

void add_format_row(const AnalysedStudy& study, const StudyModel& model, const StudyFormat& format,
                    CsvSheet& sheet) {
  set_place(model, format, sheet);
  sheet.set("runs", static_cast<double>(format.runs.size()));
  std::int64_t inferences = 0;
  for (const measure::StudyRun& run : format.runs) inferences += run.inferences;
  sheet.set("inferences", static_cast<double>(inferences));
  const auto spreads = measure::spreads_of(format);
  const auto energy = spreads.find("energy_j");
  sheet.set("energy_provenance", energy == spreads.end() ? "" : energy->second.provenance);
  for (const measure::Quantity& quantity : study.quantities) {
    const auto found = spreads.find(quantity.name);
    const auto value = [&](double measure::QuantitySpread::*part) {
      return found == spreads.end() ? std::nullopt : std::optional(found->second.*part);
    };
    sheet.set(quantity.name, value(&measure::QuantitySpread::median));
    sheet.set(quantity.name + ".q1", value(&measure::QuantitySpread::q1));
    sheet.set(quantity.name + ".q3", value(&measure::QuantitySpread::q3));
  }
}

void add_run_rows(const AnalysedStudy& study, const StudyModel& model, const StudyFormat& format,
                  CsvSheet& sheet) {
  for (const measure::StudyRun& run : format.runs) {
    set_place(model, format, sheet);
    sheet.set("run", static_cast<double>(run.number));
    sheet.set("inferences", static_cast<double>(run.inferences));
    const auto energy = run.values.find("energy_j");
    sheet.set("energy_provenance", energy == run.values.end() ? "" : energy->second.provenance);
    for (const measure::Quantity& quantity : study.quantities) {
      const auto found = run.values.find(quantity.name);
      sheet.set(quantity.name,
                found == run.values.end() ? std::nullopt : std::optional(found->second.value));
    }
  }
}

/// Of a run that nobody disturbs, the mean is near the median.
constexpr double kDisturbed = 1.3;

bool is_disturbed(const StudyFormat& format) {
  const auto spreads = measure::spreads_of(format);
  const auto latency = spreads.find("latency_median_s");
  const auto throughput = spreads.find("throughput_per_s");
  if (latency == spreads.end() || throughput == spreads.end()) return false;
  return 1 > kDisturbed * latency->second.median * throughput->second.median;
}

void note_disturbed(const StudyModel& model, std::vector<std::string>& notes) {
  const auto disturbed = std::count_if(model.formats.begin(), model.formats.end(), is_disturbed);
  if (disturbed == 0) return;
  notes.push_back(fmt::format(
      "{}: in {} of {} inferences took over {} times as long on average as in the median: other "
      "processes may have disturbed them, and energies hold that",
      model.name, disturbed,
      number_of(static_cast<std::int64_t>(model.formats.size()), "input format"), kDisturbed));
}

/// Of the time in which CPUs were busy, what a run has for itself on a quiet machine.
constexpr double kAlone = 0.8;

bool is_shared(const measure::StudyRun& run) {
  const auto share = run.values.find("cpu_share");
  return share != run.values.end() && share->second.value < kAlone &&
         run.values.contains("energy_j");
}

void note_shared_machine(const StudyModel& model, std::vector<std::string>& notes) {
  std::int64_t shared = 0;
  std::int64_t all = 0;
  for (const StudyFormat& format : model.formats) {
    shared += std::count_if(format.runs.begin(), format.runs.end(), is_shared);
    all += static_cast<std::int64_t>(format.runs.size());
  }
  if (shared == 0) return;
  notes.push_back(fmt::format(
      "{}: in {} of {} other processes used over {:.0f} % of the busy CPU time; energy is that of "
      "the whole machine, and holds theirs",
      model.name, shared, number_of(all, "run"), 100 * (1 - kAlone)));
}

}  // namespace

AnalysedStudy analyse(SweepStudy study) {
  AnalysedStudy analysed;
  analysed.quantities = measure::quantities_of(study.models);
  std::vector<const StudyModel*> all;
  for (const StudyModel& model : study.models) {
    all.push_back(&model);
    analysed.series.push_back(measure::series_of(model, analysed.quantities));
    analysed.correlations.push_back(measure::correlations_of({&model}, analysed.quantities));
    note_disturbed(model, study.notes);
    // What others recorded has shares of other meanings.
    if (!study.settings.is_null()) note_shared_machine(model, study.notes);
  }
  if (all.size() > 1) analysed.of_all = measure::correlations_of(all, analysed.quantities);
  analysed.study = std::move(study);
  return analysed;
}

Json sweep_json(const AnalysedStudy& analysed) {
  const SweepStudy& study = analysed.study;
  Json quantities = Json::object();
  quantities["size"] = {{"title", "Input size"}, {"unit", ""}};
  for (const char* name : {"batch", "threads"}) {
    const bool is_there =
        !analysed.correlations.empty() &&
        std::any_of(analysed.correlations.begin(), analysed.correlations.end(),
                    [&](const measure::StudyCorrelations& found) {
                      return std::find(found.quantities.begin(), found.quantities.end(), name) !=
                             found.quantities.end();
                    });
    if (is_there)
      quantities[name] = {{"title", name == std::string_view("batch") ? "Batch" : "Threads"},
                          {"unit", "1"}};
  }
  for (const measure::Quantity& quantity : analysed.quantities)
    quantities[quantity.name] = {{"title", quantity.title}, {"unit", quantity.unit}};
  Json models = Json::array();
  for (std::size_t i = 0; i < study.models.size(); ++i) models.push_back(model_json(analysed, i));
  return {{"format", "jouletree-sweep"},
          {"version", 1},
          {"program", measure::read_environment("/nowhere").program},
          {"began", member(study.machine, "date")},
          {"complete", study.runs() >= study.planned_runs()},
          {"machine", study.machine},
          {"settings", study.settings},
          {"quantities", std::move(quantities)},
          {"models", std::move(models)},
          {"correlations", analysed.of_all ? correlations_json(*analysed.of_all) : Json(nullptr)},
          {"notes", study.notes}};
}

std::string sweep_csv(const AnalysedStudy& study, SweepRows rows) {
  CsvSheet sheet;
  for (const StudyModel& model : study.study.models) {
    for (const StudyFormat& format : model.formats) {
      if (rows == SweepRows::Formats) {
        add_format_row(study, model, format, sheet);
      } else {
        add_run_rows(study, model, format, sheet);
      }
    }
  }
  std::ostringstream text;
  sheet.print(text);
  return text.str();
}

void write_sweep(const AnalysedStudy& study, const std::filesystem::path& folder) {
  replace_file(folder / kSweepFile, json_text(sweep_json(study)));
  replace_file(folder / kResultsFile, sweep_csv(study, SweepRows::Formats));
}

}  // namespace jouletree::store
