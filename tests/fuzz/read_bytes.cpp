#include "read_bytes.hpp"

#include <cmath>
#include <sstream>

#include "base/scratch_folder.hpp"
#include "engines/data/npy_file.hpp"
#include "engines/data/proto_file.hpp"
#include "jouletree/error.hpp"
#include "jouletree/operator_csv.hpp"
#include "jouletree/predict.hpp"
#include "memory_file.hpp"
#include "store/recorded_power.hpp"
#include "store/recording.hpp"
#include "store/stored_run_json.hpp"
#include "support/npy_bytes.hpp"
#include "support/synthetic_runs.hpp"
#include "support/zip_bytes.hpp"

namespace jouletree::test {
namespace {

const TreeRun& usual_run() {
  static const TreeRun kRun = synthetic_run("bert-a", 4, 32, 2);
  return kRun;
}

const Predictor& usual_predictor() {
  static const Predictor kPredictor = [] {
    TrainOptions options;
    return Predictor::train({usual_run(), synthetic_run("bert-b", 8, 32, 2)}, options);
  }();
  return kPredictor;
}

void check_predictions(const Predictor& predictor, const TreeRun& run) {
  const FeatureSet features = predictor.usable_features(run);
  for (const NodePrediction& node : predictor.predict(run, features)) {
    for (const auto& value : {node.energy_j, node.time_s}) require(!value || std::isfinite(*value));
  }
  for (const std::size_t node : {std::size_t{0}, run.nodes.size() - 1})
    (void)predictor.explain(run, node, features);
}

}  // namespace

void read_tree_bytes(std::string_view bytes) {
  try {
    const TreeRuns read = read_tree_lines(bytes, "fuzz.jsonl");
    (void)evaluate(read.runs, read.runs);
    for (const TreeRun& run : read.runs) {
      (void)family_of(run);
      check_predictions(usual_predictor(), run);
    }
  } catch (const Error&) {
  }
}

void read_predictor_bytes(std::string_view bytes) {
  try {
    const Predictor predictor = Predictor::parse(bytes, "fuzz.json");
    check_predictions(predictor, usual_run());
    (void)predictor.explain();
    (void)predictor.trained_ranges();
    (void)predictor.foreign(usual_run());
    (void)Predictor::parse(predictor.text(), "again.json");
  } catch (const Error&) {
  }
}

void read_table_bytes(std::string_view bytes) {
  try {
    for (const TreeRun& run : parse_operator_csv(bytes, "fuzz.csv").runs)
      check_predictions(usual_predictor(), run);
  } catch (const Error&) {
  }
}

void read_data_bytes(std::string_view bytes) {
  const MemoryFile file(bytes);
  static const ScratchFolder kFolder;
  engines::ScratchFiles scratch(kFolder.path());
  const auto attempt = [](const auto& read) {
    try {
      read();
    } catch (const Error&) {
    }
  };
  attempt([&] { (void)engines::read_npy(file.path(), scratch).bytes(); });
  attempt([&] { (void)engines::read_proto(file.path(), scratch).bytes(); });
  attempt([&] {
    for (const auto& tensor : engines::read_npz(file.path(), scratch)) (void)tensor.bytes();
  });
}

void read_recording_bytes(std::string_view bytes) {
  try {
    (void)store::parse_summary(std::string(bytes), "fuzz.json");
  } catch (const Error&) {
  }
  std::vector<store::PowerRow> rows;
  std::istringstream lines{std::string(bytes)};
  for (std::string line; std::getline(lines, line);)
    if (auto row = store::parse_power_line(line)) rows.push_back(std::move(*row));
  (void)runs_json(store::runs_of_rows(rows));
}

const std::vector<OtherReader>& other_readers() {
  static const std::vector<OtherReader> kReaders = [] {
    std::vector<std::string> predictors;
    for (const std::string_view method : prediction_methods()) {
      TrainOptions options;
      options.method = method;
      if (method == "forest") options.config = R"({"trees": 2})";
      predictors.push_back(
          Predictor::train({usual_run(), synthetic_run("bert-b", 8, 32, 1)}, options).text());
    }
    const std::string array = npy_bytes<std::int32_t>("<i4", "(1, 2)", {1, 2});
    const std::string line =
        R"({"date": "2021-11-18 10:11:12", "run": 1, "duration_s": 1, "metrics": {"cpu": {"intel_power": 5, "per_process_cpu_uses": {"all": 0.5}}, "gpu": {"nvidia_draw_absolute": 9, "per_gpu_power_draw": {"0": 9}}}})"
        "\n\"END OF RECORDING SEGMENT\"\n";
    return std::vector<OtherReader>{
        {"tree", read_tree_bytes, {tree_lines({synthetic_run("bert-a", 1, 8, 1)})}},
        {"predictor", read_predictor_bytes, predictors},
        {"table",
         read_table_bytes,
         {"name,type,input_size,output_size,kernel_size,params,macs,flops,bytes,time_s,energy_j\n"
          "conv,Conv,1x3x8x8,1x4x8x8,3x3,108,6912,13824,2048,0.001,0.02\n",
          "op_class;op_key;exec_mode;phase;runtime_mean_s;energy_per_iter_mJ;input_shape\n"
          "Linear;a;fwd;x;0,01;5;\"[1, 2]\"\n"}},
        {"data",
         read_data_bytes,
         {array, zip_bytes({{"a.npy", array}, {"b.npy", array, true}}),
          std::string("\x08\x02\x10\x05\x2A\x02\x01\x02")}},
        {"recording", read_recording_bytes, {line, runs_json(store::runs_of_rows({}))}},
        {"settings", read_settings_bytes, settings_seeds()},
        {"plan", read_plan_bytes, plan_seeds()},
        {"foreign", read_foreign_bytes, foreign_seeds()},
        {"profile", read_profile_bytes, profile_seeds()},
        {"study", read_study_bytes, study_seeds()}};
  }();
  return kReaders;
}

}  // namespace jouletree::test
