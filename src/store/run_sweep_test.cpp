#include "store/run_sweep.hpp"

#include <fstream>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/csv.hpp"
#include "jouletree/error.hpp"
#include "store/recording.hpp"
#include "store/sweep_json.hpp"
#include "support/scripted_engine.hpp"
#include "support/scripted_machine.hpp"
#include "support/temp_folder.hpp"

namespace jouletree::store {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// Two models of which one run takes 100 µs per size, and 2 W per size above nothing.
class RunSweepTest : public testing::Test {
 protected:
  RunSweepTest() {
    settings_.folder = temp_.path() / "study";
    settings_.root = "/nowhere";
    settings_.runs = 3;
    settings_.run.seconds = Seconds(0.2);
    settings_.run.warm_up = Seconds(0.02);
    settings_.run.step = Seconds(0.05);
    settings_.plan.settings = {{"runs", 3}, {"seconds", 2}};
    for (const char* name : {"small", "big"}) {
      PlannedModel model;
      model.name = name;
      model.folder = name;
      model.formats.size_name = "n";
      for (const int size : {10, 20, 30, 40}) {
        measure::SweepFormat format;
        format.name = std::to_string(size);
        format.size = size;
        format.dims["n"] = size;
        model.formats.formats.push_back(format);
      }
      settings_.plan.models.push_back(model);
    }
    settings_.open = [this](std::size_t model, const measure::SweepFormat& format) {
      opened_.push_back(settings_.plan.models[model].folder + "/" + format.name);
      if (refused_ == opened_.back()) throw Error(ErrorKind::BadInput, "the model is too large");
      const double factor = model == 0 ? 1 : 3;
      auto engine = std::make_shared<test::ScriptedEngine>(
          machine_, std::vector<test::ScriptedOperator>{
                        {"/Relu", "Relu", Seconds(1e-4 * format.size * factor), 20}});
      engine->end_in(test::ScriptedEngine::Call::RunEach, dies_in_, dies_in_);
      return OpenedModel{engine, {"model.onnx", {}, {}, 1}};
    };
    settings_.tell = [this](const SweepRunDone& done) { told_.push_back(done); };
  }

  SweepOutcome run() { return run_sweep(settings_, energy_, machine_.clock()); }
  AnalysedStudy study() const { return analyse(read_study(settings_.folder)); }
  [[nodiscard]] std::string problem() {
    try {
      (void)run();
    } catch (const Error& error) {
      return error.what();
    }
    return "none";
  }

  test::TempFolder temp_;
  test::ScriptedMachine machine_;
  test::ScriptedEnergy energy_{machine_, std::chrono::milliseconds(10)};
  SweepSettings settings_;
  std::vector<std::string> opened_;
  std::vector<SweepRunDone> told_;
  std::string refused_;
  int dies_in_ = 0;
};

TEST_F(RunSweepTest, EveryRunLeavesItsFiles) {
  EXPECT_EQ(run().failed, 0U);
  EXPECT_THAT(told_, SizeIs(24));
  for (const char* file : {"power_metrics.json", "latency.csv", "environment.json", "run.json"})
    EXPECT_TRUE(fs::is_regular_file(settings_.folder / "big/input_20/run_3" / file)) << file;
  const Recording recording = read_recording(settings_.folder / "small/input_10/run_1");
  EXPECT_THAT(recording.power.rows, SizeIs(4)) << "stretches of 50 ms";
  EXPECT_EQ(recording.latencies->count, 200U);
  EXPECT_NEAR(recording.latencies->median_s, 1e-3, 1e-9);
  EXPECT_NEAR(recording.runs.runs[0].total.energy_j.value.value(), 4, 0.2) << "20 W for 0.2 s";
  EXPECT_FALSE(fs::exists(settings_.folder / ".jouletree-run"));
}

TEST_F(RunSweepTest, RoundsHaveEveryFormatOnceInAnOrderOfTheirOwn) {
  (void)run();
  std::vector<std::vector<std::string>> rounds(3);
  for (std::size_t i = 0; i < opened_.size(); ++i) rounds[i / 8].push_back(opened_[i]);
  for (const auto& round : rounds)
    EXPECT_THAT(std::set<std::string>(round.begin(), round.end()), SizeIs(8));
  EXPECT_NE(rounds[0], rounds[1]);
  const auto first = opened_;
  opened_.clear();
  settings_.folder = temp_.path() / "again";
  (void)run();
  EXPECT_EQ(opened_, first) << "the seed decides";
  opened_.clear();
  settings_.folder = temp_.path() / "other";
  settings_.seed = 2;
  (void)run();
  EXPECT_NE(opened_, first);
}

TEST_F(RunSweepTest, TheStudyTellsWhatTheMachineKnows) {
  (void)run();
  const AnalysedStudy found = study();
  ASSERT_THAT(found.study.models, SizeIs(2));
  EXPECT_EQ(found.study.models[0].engine, "Scripted 1.0");
  const auto& law = found.series[1][0].laws.at("latency_median_s");
  ASSERT_TRUE(law);
  EXPECT_NEAR(law->exponent, 1, 1e-3);
  EXPECT_NEAR(law->factor, 3e-4, 1e-6);
  const auto spreads = measure::spreads_of(found.study.models[0].formats[2]);
  EXPECT_EQ(spreads.at("energy_j").n, 3U);
  EXPECT_NEAR(spreads.at("energy_j").median, 30e-4 * 20, 3e-3);
  EXPECT_NEAR(spreads.at("energy_above_idle_j").median, 30e-4 * 15, 3e-3);
  EXPECT_TRUE(found.of_all);
  EXPECT_EQ(found.of_all->rows, 24U);
}

TEST_F(RunSweepTest, GoesOnWhereItEnded) {
  int left = 5;
  settings_.check = [&] {
    if (told_.size() == 5 && left > 0) throw Error(ErrorKind::Failed, "stopped");
  };
  EXPECT_THROW((void)run(), Error);
  EXPECT_EQ(read_study(settings_.folder).runs(), 5U);
  left = 0;
  const auto before = opened_.size();
  (void)run();
  EXPECT_EQ(opened_.size() - before, 24U - 5);
  EXPECT_EQ(told_.back().done, 24U);
  EXPECT_EQ(told_.back().left_s, std::nullopt);
  EXPECT_EQ(read_study(settings_.folder).runs(), 24U);
}

TEST_F(RunSweepTest, WhatAKilledRunLeftDoesNotCount) {
  (void)run();
  const fs::path gathered = settings_.folder / ".jouletree-run";
  fs::create_directories(gathered);
  std::ofstream(gathered / "power_metrics.json") << "half a li";
  fs::remove_all(settings_.folder / "small/input_10/run_2");
  const auto before = opened_.size();
  (void)run();
  EXPECT_EQ(opened_.size() - before, 1U);
  EXPECT_FALSE(fs::exists(gathered));
  EXPECT_THAT(read_study(settings_.folder).notes, IsEmpty());
}

TEST_F(RunSweepTest, OtherSettingsAreRefused) {
  (void)run();
  settings_.plan.settings["seconds"] = 5;
  EXPECT_THAT(problem(),
              HasSubstr("holds a study of other settings: seconds was 2 there and is 5"));
  settings_.plan.settings["seconds"] = 2;
  settings_.plan.models[0].formats.formats.pop_back();
  EXPECT_THAT(problem(), HasSubstr("the sizes, or a model file, are others"));
  settings_.plan.models.pop_back();
  EXPECT_THAT(problem(), HasSubstr("the models were [\"small\",\"big\"] there"));
}

TEST_F(RunSweepTest, ASizeThatTheModelDoesNotTakeCostsThatSizeAlone) {
  refused_ = "big/40";
  EXPECT_EQ(run().failed, 1U) << "it is not asked three times";
  const AnalysedStudy found = study();
  EXPECT_EQ(found.study.runs(), 21U);
  EXPECT_THAT(found.study.models[1].formats[3].failures,
              ElementsAre("run 1: the model is too large"));
  EXPECT_FALSE(sweep_json(found)["complete"].get<bool>());
  refused_.clear();
  EXPECT_EQ(run().failed, 0U);
  EXPECT_THAT(study().study.models[1].formats[3].failures, IsEmpty());
}

TEST_F(RunSweepTest, AnEngineThatEndsCostsARun) {
  dies_in_ = 2;
  settings_.plan.models.pop_back();
  settings_.plan.models[0].formats.formats.resize(1);
  EXPECT_EQ(run().failed, 3U);
  EXPECT_EQ(read_study(settings_.folder).runs(), 0U);
}

TEST_F(RunSweepTest, TheBudgetEndsItBetweenRuns) {
  settings_.budget = Seconds(40);
  const Time begin = machine_.now();
  EXPECT_TRUE(run().out_of_time);
  EXPECT_LE(Seconds(machine_.now() - begin).count(), 40);
  const std::size_t runs = read_study(settings_.folder).runs();
  EXPECT_GE(runs, 10U);
  EXPECT_LE(runs, 13U);
  settings_.budget = Seconds(1);
  (void)run();
  EXPECT_EQ(read_study(settings_.folder).runs(), runs + 1) << "one run at least";
}

TEST_F(RunSweepTest, MediansAndQuartilesStandInTheCsv) {
  (void)run();
  const AnalysedStudy found = study();
  const CsvTable rows(sweep_csv(found, SweepRows::Formats), "results.csv");
  ASSERT_EQ(rows.rows(), 8U);
  EXPECT_EQ(rows.at(1, "model"), "small");
  EXPECT_EQ(rows.at(1, "size"), "20");
  EXPECT_EQ(rows.at(1, "runs"), "3");
  EXPECT_EQ(rows.at(1, "energy_provenance"), "measured");
  EXPECT_NEAR(std::stod(rows.at(1, "latency_median_s")), 2e-3, 1e-9);
  EXPECT_TRUE(rows.has("energy_j.q1") && rows.has("energy_j.q3"));
  EXPECT_TRUE(rows.has("energy_j:scripted:counter"));
  const CsvTable single(sweep_csv(found, SweepRows::Runs), "runs.csv");
  EXPECT_EQ(single.rows(), 24U);
}

TEST_F(RunSweepTest, TheJsonHasWhatThePageNeeds) {
  (void)run();
  const auto json = sweep_json(study());
  EXPECT_EQ(json["format"], "jouletree-sweep");
  EXPECT_EQ(json["version"], 1);
  EXPECT_TRUE(json["complete"].get<bool>());
  const auto& model = json["models"][0];
  EXPECT_EQ(model["size"], "n");
  const auto& format = model["formats"][0];
  EXPECT_EQ(format["dims"]["n"], 10);
  EXPECT_EQ(format["quantities"]["latency_median_s"]["provenance"], "measured");
  EXPECT_LE(format["latencies"]["quantiles"].size(), 60U);
  EXPECT_EQ(format["latencies"]["n"], 600);
  EXPECT_TRUE(model["series"][0]["breaks"]["energy_j"].is_null()) << "four sizes";
  EXPECT_EQ(json["quantities"]["energy_j"]["unit"], "J");
  EXPECT_EQ(model["correlations"]["spearman"].size(), model["correlations"]["quantities"].size());
}

TEST_F(RunSweepTest, ANoteSaysWhereOthersDisturbedIt) {
  (void)run();
  EXPECT_THAT(study().study.notes, IsEmpty());
  SweepStudy disturbed = read_study(settings_.folder);
  for (measure::StudyRun& one : disturbed.models[1].formats[2].runs)
    one.values.at("throughput_per_s").value /= 2;
  EXPECT_THAT(analyse(std::move(disturbed)).study.notes,
              ElementsAre(HasSubstr("big: in 1 of 4 input formats inferences took over 1.3")));
}

TEST_F(RunSweepTest, ANoteSaysInHowManyRunsOthersUsedTheMachine) {
  (void)run();
  SweepStudy shared = read_study(settings_.folder);
  std::vector<measure::StudyRun>& runs = shared.models[1].formats[2].runs;
  for (measure::StudyRun& one : runs) one.values["cpu_share"] = {0.95, "measured"};
  runs[0].values["cpu_share"].value = 0.6;
  EXPECT_THAT(analyse(std::move(shared)).study.notes,
              ElementsAre(HasSubstr("runs other processes used over 20 % of the busy CPU time")));
}

/// As the experiments of AIPowerMeter leave them: no run.json, runs from 0, dates without a zone.
class ForeignStudyTest : public testing::Test {
 protected:
  void add_run(const std::string& folder, double watts, double latency_s) const {
    std::string lines;
    for (int second = 10; second < 20; second += 2) {
      lines += fmt::format(
          R"({{"date": "2024-03-01 12:00:{}.000000", "metrics": {{"cpu": {{"intel_power": {}, )"
          R"("per_process_mem_use_abs": {{"71": 1000, "72": 500}}}}}}}})"
          "\n",
          second, watts);
    }
    (void)temp_.write(folder + "/power_metrics.json", lines);
    std::string latencies;
    for (int i = 0; i < 100; ++i) latencies += fmt::format("{}\n", latency_s);
    (void)temp_.write(folder + "/latency.csv", latencies);
  }

  test::TempFolder temp_;
};

TEST_F(ForeignStudyTest, IsCompiledAlike) {
  for (const int size : {50, 100, 200})
    for (const int run : {0, 1})
      add_run(fmt::format("input_{}/run_{}", size, run), 40 + run, 1e-3 * size);
  const AnalysedStudy found = analyse(read_study(temp_.path()));
  ASSERT_THAT(found.study.models, SizeIs(1));
  const auto& formats = found.study.models[0].formats;
  ASSERT_THAT(formats, SizeIs(3));
  EXPECT_EQ(formats[1].size, 100);
  EXPECT_THAT(formats[1].runs, SizeIs(2));
  EXPECT_EQ(formats[1].runs[0].inferences, 100);
  const auto spreads = measure::spreads_of(formats[1]);
  EXPECT_NEAR(spreads.at("energy_j").median, 40.5 * 0.1, 1e-9);
  EXPECT_EQ(spreads.at("energy_j").provenance, "measured");
  EXPECT_NEAR(spreads.at("latency_median_s").median, 0.1, 1e-12);
  EXPECT_EQ(spreads.at("peak_pss_bytes").median, 1500);
  EXPECT_NEAR(found.series[0][0].laws.at("energy_j")->exponent, 1, 1e-9);
}

TEST_F(ForeignStudyTest, HalfWrittenRunsAreLeftOutAndNamed) {
  add_run("net/input_50/run_1", 40, 1e-3);
  (void)temp_.write("net/input_50/run_2/power_metrics.json", "{\"date\": \"2024");
  (void)temp_.write("net/input_50/run_3/latency.csv", "1\n");
  const SweepStudy study = read_study(temp_.path());
  EXPECT_EQ(study.runs(), 1U);
  EXPECT_EQ(study.models[0].name, "net");
  EXPECT_THAT(study.notes, ElementsAre(HasSubstr("run_2"), HasSubstr("run_3")));
}

TEST_F(ForeignStudyTest, RefusesFoldersWithoutRuns) {
  const auto problem = [](const fs::path& folder) {
    try {
      (void)read_study(folder);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(problem(temp_.path()), HasSubstr("holds no runs"));
  EXPECT_THAT(problem(temp_.path() / "none"), HasSubstr("there is no such folder"));
  (void)temp_.write("study.json", "{\"format\": \"jouletree-study\", \"version\": 99}");
  EXPECT_THAT(problem(temp_.path()), HasSubstr("is of version 99"));
  (void)temp_.write("study.json", "{\"format\": ");
  EXPECT_THAT(problem(temp_.path()), HasSubstr("study.json: it ends too early"));
}

TEST_F(ForeignStudyTest, OlderLatenciesAreAList) {
  add_run("input_50/run_0", 40, 1e-3);
  fs::remove(temp_.path() / "input_50/run_0/latency.csv");
  (void)temp_.write("input_50/run_0/latency.json", "[0.25, 0.5, 0.75]");
  const SweepStudy study = read_study(temp_.path());
  ASSERT_EQ(study.runs(), 1U);
  EXPECT_EQ(study.models[0].formats[0].runs[0].values.at("latency_median_s").value, 0.5);
}

TEST_F(ForeignStudyTest, LooksNowhereElse) {
  (void)temp_.write("study.json",
                    R"({"format": "jouletree-study", "version": 1, "settings": {}, "models": )"
                    R"([{"model": "m", "folder": "../other", "size": "n", "formats": []}]})");
  EXPECT_THROW((void)read_study(temp_.path()), Error);
}

TEST_F(ForeignStudyTest, IsNotGoneOnWith) {
  add_run("input_50/run_0", 40, 1e-3);
  try {
    begin_study(temp_.path(), {nlohmann::ordered_json::object(), {}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("holds runs of another program"));
  }
}

}  // namespace
}  // namespace jouletree::store
