#include "store/trial_series.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/bounded_json.hpp"
#include "base/mapped_file.hpp"
#include "base/number_of.hpp"
#include "store/profile_folder.hpp"

namespace jouletree::store {
namespace {

using LineJson = nlohmann::json;

Time moment_at(double seconds) {
  return Time(std::chrono::duration_cast<Time::duration>(std::chrono::duration<double>(seconds)));
}

/// Nothing was measured for thirty years, and a larger number would not fit a clock.
bool is_moment(double seconds) { return std::abs(seconds) < 1e9; }

void add_window(measure::Trials& trials, const measure::Window& window, double value) {
  if (trials.windows.empty()) trials.begin = window.begin;
  trials.end = window.end;
  trials.windows.push_back(window);
  trials.runs += window.runs;
  trials.seconds.push_back(value);
}

/// Puts each line into the series that it belongs to.
class SeriesReader {
 public:
  /// False for what is no window.
  bool take(const LineJson& line) {
    try {
      if (line.value("set_aside", false)) return true;
      const double begin_s = line.at("begin_s").get<double>();
      const double end_s = line.at("end_s").get<double>();
      const double seconds = line.at("seconds_per_run").get<double>();
      if (!is_moment(begin_s) || !is_moment(end_s)) return false;
      const measure::Window window{moment_at(begin_s), moment_at(end_s),
                                   line.at("runs").get<std::int64_t>()};
      TrialSeries& series = series_of(line);
      add_window(series.time, window, seconds);
      const LineJson& joules = line.at("energy_j");
      // Of all that ran in the window: several copies of an operator share it.
      if (joules.is_number() && end_s > begin_s)
        add_window(series.energy, window, joules.get<double>() / (end_s - begin_s) * seconds);
      return true;
    } catch (const LineJson::exception&) {
      return false;
    }
  }

  std::vector<TrialSeries> finish() {
    for (TrialSeries& one : series_) {
      if (!one.time.seconds.empty()) one.time.time = summarize(one.time.seconds);
      if (!one.energy.seconds.empty()) one.energy.time = summarize(one.energy.seconds);
    }
    return std::move(series_);
  }

 private:
  TrialSeries& series_of(const LineJson& line) {
    const auto kind = line.at("kind").get<std::string>();
    const auto name = line.at("name").get<std::string>();
    const auto key = line.value("key", std::string());
    const auto [place, is_new] = places_.try_emplace({kind, name, key}, series_.size());
    if (is_new) {
      TrialSeries& added = series_.emplace_back();
      added.kind = kind;
      added.name = name;
      added.key = key;
      if (line.contains("also")) added.also = line.at("also").get<std::vector<std::string>>();
    }
    return series_[place->second];
  }

  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> places_;
  std::vector<TrialSeries> series_;
};

}  // namespace

const TrialSeries* ProfileTrials::whole() const {
  const auto found = std::find_if(series.begin(), series.end(),
                                  [](const TrialSeries& one) { return one.kind == "whole"; });
  return found == series.end() ? nullptr : &*found;
}

const TrialSeries* ProfileTrials::module(std::string_view scope) const {
  const auto found = std::find_if(series.begin(), series.end(), [&](const TrialSeries& one) {
    return (one.kind == "module" && one.name == scope) ||
           std::find(one.also.begin(), one.also.end(), scope) != one.also.end();
  });
  return found == series.end() ? nullptr : &*found;
}

const TrialSeries* ProfileTrials::operation(std::string_view scope) const {
  const TrialSeries* found = nullptr;
  for (const TrialSeries& one : series) {
    if (one.kind != "operator" || one.name != scope) continue;
    if (found != nullptr) return nullptr;
    found = &one;
  }
  return found;
}

ProfileTrials parse_trials(std::string_view text) {
  SeriesReader reader;
  std::size_t damaged = 0;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.empty()) continue;
    const LineJson json = parse_json_if_any<LineJson>(line);
    if (!json.is_object() || !reader.take(json)) ++damaged;
  }
  ProfileTrials trials;
  trials.series = reader.finish();
  if (damaged > 0)
    trials.missing = fmt::format("{} of its trials cannot be read", number_of(damaged, "line"));
  return trials;
}

ProfileTrials trials_in(const std::filesystem::path& folder) {
  const std::filesystem::path file = profile_file(folder, kTrialsFile);
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) {
    ProfileTrials none;
    none.missing = fmt::format("the folder holds no {}", kTrialsFile);
    return none;
  }
  return parse_trials(MappedFile(file).bytes());
}

ProfileTrials trials_of_seconds(const std::vector<double>& seconds) {
  ProfileTrials trials;
  if (seconds.empty()) {
    trials.missing = "nothing is kept but medians and intervals";
    return trials;
  }
  TrialSeries& whole = trials.series.emplace_back();
  whole.kind = "whole";
  whole.time.seconds = seconds;
  whole.time.time = summarize(seconds);
  trials.missing = "only windows of the whole model are kept";
  return trials;
}

}  // namespace jouletree::store
