#include <algorithm>

#include <fmt/format.h>

#include "base/number_of.hpp"
#include "report/page/page_columns.hpp"
#include "report/page/page_items.hpp"
#include "report/plot.hpp"
#include "report/run_report.hpp"
#include "report/show_report.hpp"

namespace jouletree::report {
namespace {

using Json = nlohmann::ordered_json;

/// Of a curve; a page does not grow with the length of a run.
constexpr int kMostPoints = 1200;
constexpr std::size_t kMostListedRuns = 200;

/// Spans as columns of numbers. Those of long curves are means, with the bounds of what they stand
/// for.
Json curve_json(const PlotCurve& curve, double end_s) {
  Json json = {{"name", curve.name},
               {"provenance", curve.provenance},
               {"begin", Json::array()},
               {"end", Json::array()},
               {"value", Json::array()}};
  const auto add = [&](double begin_s, double stop_s, double value) {
    json["begin"].push_back(page_number(begin_s));
    json["end"].push_back(page_number(stop_s));
    json["value"].push_back(page_number(value));
  };
  if (curve.spans.size() <= kMostPoints) {
    for (const PlotSpan& span : curve.spans) add(span.begin_s, span.end_s, span.value);
    return json;
  }
  json["low"] = Json::array();
  json["high"] = Json::array();
  const auto columns = columns_of(curve, end_s, kMostPoints);
  const double width_s = end_s / kMostPoints;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!columns[i]) continue;
    const double begin_s = static_cast<double>(i) * width_s;
    add(begin_s, begin_s + width_s, columns[i]->mean);
    json["low"].push_back(page_number(columns[i]->lowest));
    json["high"].push_back(page_number(columns[i]->highest));
  }
  return json;
}

Json plots_json(const std::vector<store::PowerRow>& rows) {
  Json plots = Json::array();
  for (const Plot& plot : plots_of(rows)) {
    Json json = {{"title", plot.title},
                 {"unit", plot.unit},
                 {"end", page_number(plot.end_s)},
                 {"curves", Json::array()}};
    for (const PlotCurve& curve : plot.curves)
      json["curves"].push_back(curve_json(curve, plot.end_s));
    plots.push_back(std::move(json));
  }
  return plots;
}

std::string command_text(const StoredRun& run) {
  std::string text;
  for (const std::string& word : run.command) text += text.empty() ? word : " " + word;
  return text;
}

std::string end_text(const StoredRun& run) {
  if (!run.complete) return "no summary";
  if (run.signal) return fmt::format("signal {}", *run.signal);
  return run.exit_code ? fmt::format("exit code {}", *run.exit_code) : "";
}

Json run_json(const StoredRun& run) {
  const std::string measured(name_of(Provenance::Measured));
  Json json = {{"number", run.number},
               {"command", command_text(run)},
               {"began", run.begin},
               {"end", end_text(run)}};
  json["time"] = page_quantity({run.time_s, measured}, "s");
  json["energy"] =
      page_quantity({run.total.energy_j.value, run.total.provenance, run.total.energy_j.low,
                     run.total.energy_j.high, !run.total.missing.empty()},
                    "J");
  json["power"] = page_quantity({run.total.power_w, run.total.provenance}, "W");
  return json;
}

Json recording_metric(const char* name, const char* title, const PageColumn::Cell& cell,
                      const char* unit) {
  Json json = {{"name", name}, {"title", title}};
  json.update(page_quantity(cell, unit));
  return json;
}

}  // namespace

Json recording_item(const store::Recording& recording, const std::string& label,
                    const std::string& source) {
  Json item = empty_item("recording", label, source);
  const RunsTotal total = total_of(recording.runs);
  const std::string measured(name_of(Provenance::Measured));
  const Figure energy = shown_energy(total);
  item["metrics"].push_back(recording_metric("time_s", "Time", {total.time_s, measured}, "s"));
  item["metrics"].push_back(recording_metric(
      "energy_j", "Energy",
      {energy.value, total.provenance, energy.low, energy.high, total.is_lower_bound()}, "J"));
  item["metrics"].push_back(
      recording_metric("power_w", "Mean power", {total.power_w, total.provenance}, "W"));
  const auto& runs = recording.runs.runs;
  if (runs.size() == 1 && !runs.front().command.empty())
    item["facts"].push_back({"command", command_text(runs.front())});
  item["facts"].push_back({"runs", std::to_string(runs.size())});
  if (!runs.empty()) item["facts"].push_back({"began", runs.front().begin});
  const auto without = static_cast<std::size_t>(
      std::count_if(runs.begin(), runs.end(), [](const StoredRun& run) { return !run.complete; }));
  if (without > 0) {
    item["warnings"].push_back(fmt::format(
        "{} {} no summary: still going on, or interrupted; figures come from the recorded lines",
        number_of(without, "run"), agreeing(without, "has", "have")));
  }
  for (const std::string& note : recording.notes) item["notes"].push_back(note);
  if (runs.size() == 1)
    for (const std::string& note : runs.front().notes) item["notes"].push_back(note);
  Json list = Json::array();
  const std::size_t first = runs.size() > kMostListedRuns ? runs.size() - kMostListedRuns : 0;
  for (std::size_t i = first; i < runs.size(); ++i) list.push_back(run_json(runs[i]));
  item["recording"] = {{"plots", plots_json(recording.power.rows)}, {"runs", std::move(list)}};
  return item;
}

}  // namespace jouletree::report
