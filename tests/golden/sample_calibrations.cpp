#include "golden/sample_calibrations.hpp"

#include <fstream>

#include "jouletree/predict.hpp"
#include "report/kept_calibrations.hpp"
#include "store/run_place.hpp"
#include "support/environment_variable.hpp"
#include "support/priced_runs.hpp"
#include "support/synthetic_runs.hpp"

namespace jouletree::test {
namespace {

namespace fs = std::filesystem;

void write_text(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

Predictor calibration(const MeasuredOn& place, double speed) {
  std::vector<TreeRun> runs = priced_runs(speed);
  for (TreeRun& run : runs) {
    run.measured_on = place;
    run.measured_at = "2026-01-02T03:04:05Z";
  }
  TrainOptions options;
  options.features = FeatureSet::Specs;
  options.median_error = 4.5;
  return Predictor::train(runs, options);
}

/// As far as training looks.
void write_placed_profile(const fs::path& folder, const TreeRun& run, int threads) {
  write_text(folder / "profile.json", "{}\n");
  write_text(folder / "tree.jsonl", tree_lines({run}));
  write_text(folder / "environment.json",
             "{\"date\": \"2026-01-0" + std::to_string(threads) +
                 "T00:00:00Z\", \"cpu\": \"Fake CPU\", \"cpus\": 4, \"settings\": {\"engine\": "
                 "\"ONNX Runtime 1.30.0\", \"threads\": \"" +
                 std::to_string(threads) + "\", \"device\": \"cpu\", \"level\": \"all\"}}\n");
}

}  // namespace

void write_sample_calibrations(const fs::path& folder) {
  write_text(folder / "fake_machine/proc/cpuinfo", "model name\t: Fake CPU\n");
  MeasuredOn here = store::place_here(folder / "fake_machine", 1);
  here.version = "1.30.0";
  const fs::path data = fs::absolute(folder) / "home/.local/share";
  fs::remove_all(data / "jouletree/calibrations");
  const EnvironmentVariable home("XDG_DATA_HOME", data.string());
  report::keep_calibration(calibration(here, 1));
  MeasuredOn two = here;
  two.threads = 2;
  report::keep_calibration(calibration(two, 0.6));
  MeasuredOn elsewhere = here;
  elsewhere.machine = "Other CPU";
  elsewhere.machine_key = "0123456789abcdef";
  write_text(folder / "elsewhere.json", calibration(elsewhere, 2).text());
  const std::vector<TreeRun> runs = synthetic_runs();
  write_placed_profile(folder / "places/one", runs[0], 1);
  write_placed_profile(folder / "places/two", runs[4], 2);
}

}  // namespace jouletree::test
