#include "store/sweep_run_folder.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/bounded_json.hpp"
#include "base/json_or_null.hpp"
#include "base/json_problem.hpp"
#include "base/replaced_file.hpp"
#include "base/statistics.hpp"
#include "jouletree/error.hpp"
#include "meters/time_stamp.hpp"
#include "store/environment_json.hpp"
#include "store/json_member.hpp"
#include "store/power_line.hpp"
#include "store/profile_json.hpp"
#include "store/recording.hpp"
#include "store/run_folder.hpp"

namespace jouletree::store {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kRunFile = "run.json";
constexpr const char* kLatencies = "latency.csv";
constexpr const char* kRunFormat = "jouletree-sweep-run";
constexpr int kRunVersion = 1;

[[noreturn]] void refuse_run(const fs::path& path, const std::string& problem) {
  throw Error(ErrorKind::BadInput, fmt::format("{}: {}", path.string(), problem));
}

void write_power(const fs::path& folder, const measure::SweepRun& run) {
  RunFolder lines(folder, RunFolder::Mode::New);
  for (const measure::RunSample& sample : run.samples) lines.add(power_line(lines.run(), sample));
  lines.end_run();
  if (!lines.problem().empty()) throw Error(ErrorKind::BadInput, lines.problem());
}

void write_latencies(const fs::path& file, const std::vector<double>& latencies_s) {
  constexpr std::size_t kAtOnce = 1 << 16;
  ReplacedFile out(file);
  fmt::memory_buffer text;
  for (const double seconds : latencies_s) {
    fmt::format_to(std::back_inserter(text), "{}\n", seconds);
    if (text.size() < kAtOnce) continue;
    out.write({text.data(), text.size()});
    text.clear();
  }
  out.write({text.data(), text.size()});
  out.commit();
}

Json sweep_run_json(const SweepRunFacts& facts, const measure::SweepRun& run,
                    const measure::KnownValues& values) {
  Json quantities = Json::object();
  for (const auto& [name, known] : values) {
    quantities[name] = {{"value", known.value},
                        {"unit", measure::quantity_of(name).unit},
                        {"provenance", known.provenance}};
  }
  return {{"format", kRunFormat},
          {"version", kRunVersion},
          {"model", facts.model},
          {"engine", facts.engine},
          {"input_format", facts.format},
          {"run", facts.run},
          {"began", facts.began},
          {"size", or_null(facts.size)},
          {"batch", or_null(facts.batch)},
          {"threads", or_null(facts.threads)},
          {"inputs", facts.inputs},
          {"dims", facts.dims},
          {"inferences", run.latencies_s.size()},
          {"time_s", std::chrono::duration<double>(run.end - run.begin).count()},
          {"quantities", std::move(quantities)},
          {"latency_sample_s", measure::latency_sample(run.latencies_s)}};
}

template <class Value>
std::optional<Value> known_number(const Json& json, const char* key) {
  const Json& found = member(json, key);
  return found.is_number() ? std::optional(found.get<Value>()) : std::nullopt;
}

/// Throws what nlohmann throws for what is missing.
StoredSweepRun parse_run(const Json& json) {
  StoredSweepRun stored;
  SweepRunFacts& facts = stored.facts.emplace();
  facts.model = json.at("model").get<std::string>();
  facts.engine = json.at("engine").get<std::string>();
  facts.format = json.at("input_format").get<std::string>();
  facts.began = json.at("began").get<std::string>();
  facts.run = json.at("run").get<int>();
  facts.size = known_number<double>(json, "size");
  facts.batch = known_number<Dim>(json, "batch");
  facts.threads = known_number<int>(json, "threads");
  facts.inputs = json.at("inputs").get<std::map<std::string, Dims>>();
  facts.dims = json.at("dims").get<std::map<std::string, Dim>>();
  stored.run.inferences = json.at("inferences").get<std::int64_t>();
  for (const auto& [name, quantity] : json.at("quantities").items()) {
    if (!member(quantity, "value").is_number()) continue;
    stored.run.values[name] = {quantity.at("value").get<double>(),
                               quantity.at("provenance").get<std::string>()};
  }
  stored.run.latency_sample = json.at("latency_sample_s").get<std::vector<double>>();
  std::sort(stored.run.latency_sample.begin(), stored.run.latency_sample.end());
  return stored;
}

std::string whole_file(const fs::path& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) refuse_run(file, "is not a file");
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

StoredSweepRun read_own(const fs::path& file) {
  const std::string text = whole_file(file);
  try {
    const Json json = parse_json<Json>(text);
    if (member(json, "format") != kRunFormat) refuse_run(file, "is no run of a sweep");
    if (json.at("version").get<int>() > kRunVersion) {
      refuse_run(file,
                 fmt::format("is of version {}, and this program reads version {}; use a newer one",
                             json.at("version").get<int>(), kRunVersion));
    }
    return parse_run(json);
  } catch (const Json::exception& error) {
    refuse_run(file, json_problem(error, text));
  }
}

/// One per line; older experiments of AIPowerMeter left a list in latency.json.
std::vector<double> latencies_in(const fs::path& folder) {
  std::vector<double> seconds;
  const fs::path file = folder / kLatencies;
  const fs::path list = folder / "latency.json";
  std::error_code error;
  if (!fs::is_regular_file(file, error) && fs::is_regular_file(list, error)) {
    const Json json = parse_json_if_any<Json>(whole_file(list));
    for (const Json& one : json)
      if (one.is_number()) seconds.push_back(one.get<double>());
    return seconds;
  }
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);)
    if (const auto one = meters::parse_decimal(line)) seconds.push_back(*one);
  return seconds;
}

void add_known(const std::string& name, const std::optional<double>& value,
               const std::string& provenance, measure::KnownValues& values) {
  if (value) values[name] = {*value, provenance.empty() ? "measured" : provenance};
}

/// The mean power of the domains of a recording, over all its runs.
void add_powers(const StoredRuns& runs, double seconds_each, measure::KnownValues& values) {
  const RunsTotal total = total_of(runs);
  if (total.is_lower_bound() || !total.power_w) return;
  add_known("power_w", total.power_w, total.provenance, values);
  add_known("energy_j", *total.power_w * seconds_each, total.provenance, values);
  std::map<std::string, std::pair<double, double>> domains;
  std::map<std::string, std::string> provenances;
  for (const StoredRun& run : runs.runs) {
    for (const StoredDomain& domain : run.domains) {
      if (!domain.energy_j.value || !domain.covered_s) continue;
      domains[domain.name].first += *domain.energy_j.value;
      domains[domain.name].second += *domain.covered_s;
      provenances[domain.name] = domain.provenance;
    }
  }
  for (const auto& [name, sums] : domains)
    if (sums.second > 0)
      add_known("energy_j:" + name, sums.first / sums.second * seconds_each, provenances[name],
                values);
}

/// A median over lines, as those who wrote them do.
class LineValues {
 public:
  void add_known(const std::string& name, const std::optional<double>& value) {
    if (value) lines_[name].push_back(*value);
  }
  void add_known(const std::string& prefix, const std::map<std::string, double>& by_card) {
    for (const auto& [card, value] : by_card) lines_[prefix + "gpu-" + card].push_back(value);
  }
  void put_into(measure::KnownValues& values) {
    for (auto& [name, all] : lines_) {
      std::sort(all.begin(), all.end());
      values[name] = {name.find("bytes") != std::string::npos ? all.back() : quantile(all, 0.5),
                      "measured"};
    }
  }

 private:
  std::map<std::string, std::vector<double>> lines_;
};

StoredSweepRun read_foreign(const fs::path& folder) {
  const Recording recording = read_recording(folder);
  std::vector<double> latencies = latencies_in(folder);
  StoredSweepRun stored;
  measure::KnownValues& values = stored.run.values;
  stored.run.inferences = static_cast<std::int64_t>(latencies.size());
  LineValues lines;
  for (const PowerRow& row : recording.power.rows) {
    lines.add_known("busy_cpus", row.busy_cpus);
    lines.add_known("cpu_share", row.cpu_share);
    lines.add_known("peak_pss_bytes", row.pss_bytes);
    lines.add_known("gpu_sm_share:", row.gpu_sm_share);
    lines.add_known("gpu_utilisation:", row.card_utilisation);
    lines.add_known("gpu_memory_bytes:", row.gpu_memory_bytes);
  }
  lines.put_into(values);
  if (latencies.empty()) refuse_run(folder / kLatencies, "holds no latencies of inferences");
  const Summary summary = summarize(latencies);
  std::sort(latencies.begin(), latencies.end());
  constexpr double kP90 = 0.9;
  add_known("latency_median_s", summary.median, "measured", values);
  add_known("latency_p90_s", quantile(latencies, kP90), "measured", values);
  if (summary.mean > 0) add_known("throughput_per_s", 1 / summary.mean, "measured", values);
  add_powers(recording.runs, summary.mean, values);
  stored.run.latency_sample = measure::latency_sample(std::move(latencies));
  return stored;
}

}  // namespace

void write_sweep_run(const fs::path& folder, const fs::path& gathered, const SweepRunFacts& facts,
                     const measure::SweepRun& run, const measure::KnownValues& values,
                     const measure::Environment& environment) {
  std::error_code error;
  fs::remove_all(gathered, error);
  write_power(gathered, run);
  write_latencies(gathered / kLatencies, run.latencies_s);
  replace_file(gathered / "environment.json", json_text(environment_json(environment)));
  replace_file(gathered / kRunFile, json_text(sweep_run_json(facts, run, values)));
  fs::create_directories(folder.parent_path(), error);
  if (!error) fs::rename(gathered, folder, error);
  if (error) refuse_run(folder, fmt::format("cannot be written: {}", error.message()));
}

StoredSweepRun read_sweep_run(const fs::path& folder, int number) {
  std::error_code error;
  const fs::path own = folder / kRunFile;
  StoredSweepRun stored = fs::is_regular_file(own, error) ? read_own(own) : read_foreign(folder);
  stored.run.number = number;
  return stored;
}

std::string sweep_format_folder(const std::string& format) { return "input_" + format; }

std::string sweep_run_folder(int run) { return fmt::format("run_{}", run); }

std::optional<int> sweep_run_number(const std::string& folder_name) {
  constexpr std::string_view kPrefix = "run_";
  if (!folder_name.starts_with(kPrefix)) return std::nullopt;
  int number = 0;
  const char* const end = folder_name.data() + folder_name.size();
  const auto parsed = std::from_chars(folder_name.data() + kPrefix.size(), end, number);
  if (parsed.ec != std::errc() || parsed.ptr != end || number < 0) return std::nullopt;
  return number;
}

}  // namespace jouletree::store
