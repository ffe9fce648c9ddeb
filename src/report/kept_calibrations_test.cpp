#include "report/kept_calibrations.hpp"

#include <fstream>

#include <gmock/gmock.h>

#include "jouletree/error.hpp"
#include "report/predictor_choice.hpp"
#include "store/run_place.hpp"
#include "support/environment_variable.hpp"
#include "support/fake_machine.hpp"
#include "support/synthetic_runs.hpp"

namespace jouletree::report {
namespace {

using test::EnvironmentVariable;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using tree::PlacePart;

/// A fake machine with a data folder of its own, in which no engine is.
class KeptCalibrations : public testing::Test {
 protected:
  KeptCalibrations() { root_.write("proc/cpuinfo", "model name\t: Fast (R) CPU @ 2 GHz\n"); }

  [[nodiscard]] MeasuredOn here(int threads = 1) const {
    return store::place_here(root_.path(), threads);
  }

  static Predictor trained(const MeasuredOn& place, const std::string& date = "2026-01-02",
                           std::size_t runs = 24) {
    std::vector<TreeRun> all = test::synthetic_runs();
    all.resize(runs);
    for (TreeRun& run : all) {
      run.measured_on = place;
      run.measured_at = date + "T00:00:00Z";
      run.vocabulary = "onnx";
    }
    return Predictor::train(all, {});
  }

  [[nodiscard]] PredictorRequest request(const std::string& file = {}) const {
    return {file, {}, root_.path(), "onnxruntime"};
  }

  ChosenPredictor choose(const PredictorRequest& request) {
    return choose_predictor(request,
                            [&](const std::string& warning) { warnings_.push_back(warning); });
  }

  std::string problem_of(const PredictorRequest& request, ErrorKind kind) {
    try {
      (void)choose(request);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), kind);
      return error.what();
    }
    return "no problem";
  }

  [[nodiscard]] std::string written(const Predictor& predictor) const {
    return data_.write("named.json", predictor.text()).string();
  }

  test::FakeRoot root_;
  test::TempFolder data_;
  EnvironmentVariable folder_{"XDG_DATA_HOME", data_.path().string()};
  EnvironmentVariable none_{"ONNXRUNTIME_ROOT", "/there/is/none"};
  std::vector<std::string> warnings_;
};

TEST_F(KeptCalibrations, HaveAFileForEachMachineEngineAndNumberOfThreads) {
  MeasuredOn place = here(2);
  place.version = "1.30.0";
  const std::string name = calibration_file(place).filename().string();
  EXPECT_EQ(name, "fast-r-cpu-2-ghz-" + place.machine_key.substr(0, 8) +
                      "-onnx-runtime-1.30-2-threads.json");
  EXPECT_EQ(calibration_file(place).parent_path(), data_.path() / "jouletree/calibrations");
  place.version = "1.30.7";
  EXPECT_EQ(calibration_file(place).filename(), name);
  place.device = "cuda:0";
  EXPECT_THAT(calibration_file(place).filename().string(), HasSubstr("-cuda-0.json"));
}

TEST_F(KeptCalibrations, TheOneOfThisMachineIsFoundWithoutAName) {
  const KeptPlace kept = keep_calibration(trained(here()));
  EXPECT_EQ(kept.stays, "");
  keep_calibration(trained(here(2)));
  const ChosenPredictor chosen = choose(request());
  EXPECT_TRUE(chosen.use.is_of_here);
  EXPECT_EQ(chosen.use.name, kept.file.string());
  EXPECT_THAT(chosen.use.differs, IsEmpty());
  EXPECT_THAT(use_note(chosen.use),
              AllOf(HasSubstr("the calibration of this machine"), HasSubstr("2026-01-02")));
  PredictorRequest two = request();
  two.threads = 2;
  EXPECT_EQ(choose(two).predictor.info().measured_on.front().place.threads, 2);
}

TEST_F(KeptCalibrations, WhereThereIsNoneThatIsToldWithWhatThereIs) {
  EXPECT_THAT(problem_of(request(), ErrorKind::Missing),
              AllOf(HasSubstr("'jouletree calibrate' makes one"), Not(HasSubstr("there are"))));
  keep_calibration(trained(here(2)));
  MeasuredOn other = here();
  other.machine = "Slow CPU";
  other.machine_key = "0123456789abcdef";
  const KeptPlace elsewhere = keep_calibration(trained(other));
  EXPECT_THAT(problem_of(request(), ErrorKind::Missing),
              AllOf(HasSubstr("2 threads, measured 2026-01-02 (--threads 2)"),
                    HasSubstr("Slow CPU"), HasSubstr("--predictor " + elsewhere.file.string())));
  PredictorRequest three = request();
  three.threads = 3;
  EXPECT_THAT(problem_of(three, ErrorKind::Missing), HasSubstr("calibrate --threads 3'"));
}

TEST_F(KeptCalibrations, AnotherVersionOfTheEngineIsAnotherPlace) {
  MeasuredOn older = here();
  older.version = "1.22.0";
  keep_calibration(trained(older));
  MeasuredOn newer = here();
  newer.version = "1.30.0";
  const auto all = kept_calibrations(calibrations_folder(), [](const std::string&) {});
  EXPECT_EQ(calibration_for(all, newer), nullptr);
  // An engine that is not there cannot be another one.
  EXPECT_NE(calibration_for(all, here()), nullptr);
}

TEST_F(KeptCalibrations, TheNewestCountsAndDamagedOnesAreTold) {
  keep_calibration(trained(here()));
  data_.write("jouletree/calibrations/newer.json", trained(here(), "2026-02-03").text());
  data_.write("jouletree/calibrations/damaged.json", "{\"format\": \"jouletree predictor\"");
  data_.write("jouletree/calibrations/.hidden.json", "being written");
  EXPECT_THAT(choose(request()).use.name, HasSubstr("newer.json"));
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("damaged.json")));
}

TEST_F(KeptCalibrations, AMixtureIsNoCalibration) {
  std::vector<TreeRun> runs = test::synthetic_runs();
  for (std::size_t i = 0; i < runs.size(); ++i) runs[i].measured_on = here(i < 12 ? 1 : 2);
  const Predictor mixed = Predictor::train(runs, {});
  data_.write("jouletree/calibrations/mixed.json", mixed.text());
  EXPECT_THAT(problem_of(request(), ErrorKind::Missing), HasSubstr("there is no calibration"));
  EXPECT_THAT(mixture_text(mixed.info().measured_on), HasSubstr("2 places that differ"));
}

TEST_F(KeptCalibrations, AShortTrialDoesNotReplaceWhatTookLong) {
  const KeptPlace first = keep_calibration(trained(here()));
  const KeptPlace second = keep_calibration(trained(here(), "2026-02-03", 8));
  EXPECT_THAT(second.stays, HasSubstr("learned from 6 models, this one from 2"));
  EXPECT_EQ(choose(request()).predictor.info().models.size(), 6U);
  EXPECT_EQ(keep_calibration(trained(here(), "2026-02-03", 16)).stays, "");
  EXPECT_EQ(choose(request()).predictor.info().models.size(), 4U);
}

TEST_F(KeptCalibrations, AFolderThatCannotBeWrittenIsToldBefore) {
  const auto file = data_.write("a_file", "");
  const EnvironmentVariable elsewhere("XDG_DATA_HOME", file.string());
  EXPECT_THROW(prepare_calibrations(), Error);
}

TEST_F(KeptCalibrations, ANamedPredictorMayBeOfElsewhereAndSaysSo) {
  MeasuredOn other = here(4);
  other.machine = "Slow CPU";
  other.machine_key = "0123456789abcdef";
  const ChosenPredictor chosen = choose(request(written(trained(other))));
  EXPECT_FALSE(chosen.use.is_of_here);
  EXPECT_THAT(chosen.use.differs, ElementsAre(PlacePart::Machine, PlacePart::Threads));
  EXPECT_THAT(chosen.use.warning,
              AllOf(HasSubstr("is for another machine, 4 threads"), HasSubstr("Slow CPU"),
                    HasSubstr("'jouletree calibrate' makes a predictor of here")));
  // Measured data are from where they are from.
  PredictorRequest data = request(written(trained(other)));
  data.engine = {};
  EXPECT_EQ(choose(data).use.warning, "");
  EXPECT_EQ(choose(request(written(trained(here())))).use.warning, "");
}

TEST_F(KeptCalibrations, TheSameCpuInAnotherStateIsAnotherMachine) {
  MeasuredOn other = here();
  other.machine_key = "0123456789abcdef";
  other.system = "Linux 5.10";
  EXPECT_THAT(
      choose(request(written(trained(other)))).use.warning,
      AllOf(HasSubstr("this CPU in another machine or state"), HasSubstr("Linux 5.10 there")));
}

TEST_F(KeptCalibrations, ThreadsThatAPredictorWasNotMeasuredWithAreRefused) {
  PredictorRequest wanted = request(written(trained(here(2))));
  wanted.threads = 2;
  EXPECT_EQ(choose(wanted).use.warning, "");
  wanted.threads = 4;
  EXPECT_THAT(problem_of(wanted, ErrorKind::BadInput),
              AllOf(HasSubstr("was measured with 2 threads"), HasSubstr("calibrate --threads 4")));
  wanted.file = written(Predictor::train(test::synthetic_runs(), {}));
  EXPECT_THAT(choose(wanted).use.warning, HasSubstr("does not say with how many threads"));
}

TEST_F(KeptCalibrations, PredictorsAreToldFromModelsByTheirContent) {
  EXPECT_TRUE(names_predictor(written(trained(here()))));
  EXPECT_TRUE(names_predictor("sqlite:some.sqlite"));
  EXPECT_TRUE(names_predictor("absent.json"));
  EXPECT_TRUE(names_predictor(data_.write("model.onnx", trained(here()).text()).string()));
  EXPECT_FALSE(names_predictor("resnet-18"));
  EXPECT_FALSE(names_predictor("absent.onnx"));
  EXPECT_FALSE(names_predictor(
      data_.write("tree.json", test::tree_lines({test::synthetic_runs().front()})).string()));
}

}  // namespace
}  // namespace jouletree::report
