#include <array>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "base/bounded_json.hpp"
#include "base/scratch_folder.hpp"
#include "jouletree/error.hpp"
#include "jouletree/tree_files.hpp"
#include "memory_file.hpp"
#include "read_bytes.hpp"
#include "report/measured_differences.hpp"
#include "report/profile_report.hpp"
#include "report/sweep_report.hpp"
#include "sections.hpp"
#include "store/environment_json.hpp"
#include "store/profile_folder.hpp"
#include "store/profile_json.hpp"
#include "store/profile_trials.hpp"
#include "store/profile_view_json.hpp"
#include "store/sweep_json.hpp"
#include "support/sample_profile.hpp"

namespace jouletree::test {
namespace {

namespace fs = std::filesystem;
using FolderJson = nlohmann::ordered_json;

std::string_view section(const Sections& sections, std::string_view name) {
  const auto found = sections.find(name);
  return found == sections.end() ? std::string_view() : found->second;
}

report::ComparedProfile compared(const Sections& sections) {
  const auto json = parse_json_if_any<FolderJson>(section(sections, store::kProfileFile));
  (void)store::environment_in(parse_json_if_any<FolderJson>(section(sections, "environment.json")));
  const store::ProfileView view = store::parse_view(json, "fuzz");
  (void)store::json_text(store::view_json(view));
  std::ostringstream out;
  report::print_profile_table(view, {}, {}, out);
  report::ComparedProfile profile =
      report::compared_profile(view, section(sections, store::kTreeFile), "fuzz", "fuzz");
  profile.trials = store::parse_trials(section(sections, store::kTrialsFile));
  return profile;
}

/// The files of a profile that a folder would hold.
std::string sample_profile_text() {
  const SampleProfile sample;
  const store::ProfileView view = store::view_of(sample.profile, 0.9);
  std::ostringstream tree;
  write_tree_line(sample.profile.tree, tree, measure::figures_of(sample.profile));
  std::ostringstream trials;
  store::write_trials(sample.profile, trials);
  return text_of(
      {{store::kProfileFile, store::json_text(store::profile_json(sample.profile, view))},
       {store::kTreeFile, tree.str()},
       {store::kTrialsFile, trials.str()}});
}

const fs::path& study_folder() {
  static const ScratchFolder kFolder;
  return kFolder.path();
}

/// Names of files that a study may hold.
constexpr std::array kStudyFiles = {"study.json",
                                    "failures.json",
                                    "input_a/run_1/run.json",
                                    "input_a/run_1/environment.json",
                                    "input_a/run_1/power_metrics.json",
                                    "input_a/run_1/latency.csv",
                                    "input_8x3/run_0/power_metrics.json",
                                    "input_8x3/run_0/summary.json",
                                    "input_8x3/run_0/latency.csv",
                                    "input_16x3/run_0/power_metrics.json",
                                    "input_16x3/run_0/latency.json"};

/// Files that are not written stay away; folders stay.
void write_study(const Sections& sections) {
  static const bool kMade = [] {
    for (const char* const name : kStudyFiles)
      fs::create_directories((study_folder() / name).parent_path());
    return true;
  }();
  require(kMade);
  static std::set<std::string> written;
  for (const std::string& name : written) fs::remove(study_folder() / name);
  written.clear();
  for (const char* const name : kStudyFiles) {
    const auto found = sections.find(name);
    if (found == sections.end()) continue;
    std::ofstream(study_folder() / name, std::ios::binary) << found->second;
    written.insert(name);
  }
}

}  // namespace

void read_profile_bytes(std::string_view bytes) {
  static const report::ComparedProfile kUsual =
      compared(sections_of(profile_seeds().front(), store::kProfileFile));
  try {
    const report::ComparedProfile profile = compared(sections_of(bytes, store::kProfileFile));
    const report::Differences differences = report::difference_between(kUsual, profile);
    std::ostringstream out;
    report::print_differences(differences, {}, out);
    out << report::differences_json({differences});
  } catch (const Error&) {
  }
}

std::vector<std::string> profile_seeds() { return {sample_profile_text()}; }

void read_study_bytes(std::string_view bytes) {
  write_study(sections_of(bytes, kStudyFiles.front()));
  try {
    const store::AnalysedStudy study = store::analyse(store::read_study(study_folder()));
    (void)store::json_text(store::sweep_json(study));
    (void)store::sweep_csv(study, store::SweepRows::Runs);
    (void)store::sweep_csv(study, store::SweepRows::Formats);
    std::ostringstream out;
    report::print_sweep(study, out);
  } catch (const Error&) {
  }
}

std::vector<std::string> study_seeds() {
  const std::string line =
      R"({"date": "2024-03-01 12:00:10.000000", "metrics": {"cpu": {"intel_power": 5, "per_process_mem_use_abs": {"71": 1000}}, "gpu": {"nvidia_draw_absolute": 9}}})"
      "\n"
      R"({"date": "2024-03-01 12:00:12.000000", "metrics": {"cpu": {"intel_power": 6}}})"
      "\n";
  const std::string run =
      R"({"format": "jouletree-sweep-run", "version": 1, "model": "m", "engine": "onnxruntime", "input_format": "a", "run": 1, "began": "2026-01-02T03:04:05Z", "size": 8, "batch": 2, "threads": 1, "inputs": {"x": [2, 8]}, "dims": {"n": 8}, "inferences": 3, "time_s": 1, "quantities": {"latency_median_s": {"value": 0.1, "unit": "s", "provenance": "measured"}, "energy_j": {"value": 3, "unit": "J", "provenance": "estimated"}}, "latency_sample_s": [0.1, 0.1, 0.2]})"
      "\n";
  const std::string study =
      R"({"format": "jouletree-study", "version": 1, "settings": {"runs": 2}, "models": [{"model": "m", "folder": ".", "bytes": 10, "size": "n", "formats": [{"format": "a", "size": 8, "batch": 2, "threads": 1, "dims": {"n": 8}}, {"format": "8x3", "size": 24, "batch": null, "threads": null, "dims": {}}]}]})"
      "\n";
  return {text_of({{"study.json", study},
                   {"failures.json", "{\"./a\": [\"run 2: no more memory\"]}\n"},
                   {"input_a/run_1/run.json", run},
                   {"input_a/run_1/environment.json", "{\"cpu\": \"Fake\", \"cpus\": 2}\n"},
                   {"input_8x3/run_0/power_metrics.json", line},
                   {"input_8x3/run_0/latency.csv", "0.1\n0.2\n"}}),
          text_of({{"input_8x3/run_0/power_metrics.json", line},
                   {"input_8x3/run_0/latency.csv", "0.1\n0.2\n"},
                   {"input_16x3/run_0/power_metrics.json", line},
                   {"input_16x3/run_0/latency.json", "[0.1, 0.3]\n"}})};
}

}  // namespace jouletree::test
