#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jouletree/error.hpp"
#include "jouletree/operator_csv.hpp"
#include "jouletree/predict.hpp"
#include "support/synthetic_runs.hpp"

namespace jouletree {
namespace {

using ::testing::HasSubstr;

TrainOptions options_of(std::string_view method) {
  TrainOptions options;
  options.method = method;
  if (method == "forest") options.config = R"({"trees": 3})";
  return options;
}

std::string problem_of(const std::string& text) {
  try {
    (void)Predictor::parse(text, "p.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    return error.what();
  }
  return "no problem";
}

class EveryMethod : public ::testing::TestWithParam<std::string_view> {};

TEST_P(EveryMethod, AFileGivesTheSamePredictionsAsThePredictorThatWroteIt) {
  const std::vector<TreeRun> runs = test::synthetic_runs();
  const Predictor trained = Predictor::train(runs, options_of(GetParam()));
  const Predictor read = Predictor::parse(trained.text(), "p.json");
  EXPECT_EQ(read.text(), trained.text());
  const auto expected = trained.predict(runs[0], FeatureSet::All);
  const auto found = read.predict(runs[0], FeatureSet::All);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_TRUE(expected[i].energy_j);
    EXPECT_EQ(found[i].energy_j, expected[i].energy_j);
    EXPECT_EQ(found[i].time_s, expected[i].time_s);
    ASSERT_TRUE(found[i].energy_range);
    EXPECT_EQ(found[i].energy_range->low, expected[i].energy_range->low);
  }
}

TEST_P(EveryMethod, TrainingTwiceWritesTheSameFile) {
  const std::vector<TreeRun> runs = test::synthetic_runs();
  EXPECT_EQ(Predictor::train(runs, options_of(GetParam())).text(),
            Predictor::train(runs, options_of(GetParam())).text());
}

TEST_P(EveryMethod, PredictsItsOwnTrainingDataRoughly) {
  const std::vector<TreeRun> runs = test::synthetic_runs();
  const Predictor predictor = Predictor::train(runs, options_of(GetParam()));
  const auto predicted = predictor.predict(runs[5], FeatureSet::All);
  EXPECT_NEAR(*predicted[0].energy_j, *runs[5].nodes[0].energy_j,
              0.25 * *runs[5].nodes[0].energy_j);
  EXPECT_LT(predicted[0].energy_range->low, *predicted[0].energy_j);
  EXPECT_GT(predicted[0].energy_range->high, *predicted[0].energy_j);
}

TEST_P(EveryMethod, RefusesSettingsItDoesNotKnow) {
  TrainOptions options = options_of(GetParam());
  options.config = R"({"colour": "red"})";
  EXPECT_THROW((void)Predictor::train(test::synthetic_runs(), options), Error);
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod, ::testing::ValuesIn(prediction_methods()),
                         [](const auto& method) { return std::string(method.param); });

TEST(Predictor, NamesTheMethodsWhereItDoesNotKnowOne) {
  try {
    (void)Predictor::train(test::synthetic_runs(), options_of("magic"));
    FAIL() << "no problem";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    EXPECT_STREQ(error.what(),
                 "there is no method 'magic'; there are ledger, irene, neuralpower, forest");
  }
  std::string unknown = Predictor::train(test::synthetic_runs(), {}).text();
  unknown.replace(unknown.find("\"ledger\""), 8, "\"magic\"");
  EXPECT_THAT(problem_of(unknown), HasSubstr("p.json: has the unknown method 'magic'"));
}

TEST(Predictor, TakesTheFirstMethodUnlessToldOtherwise) {
  EXPECT_EQ(TrainOptions().method, prediction_methods().front());
  EXPECT_EQ(PredictorInfo().method, prediction_methods().front());
}

TEST(Predictor, RefusesOtherFilesAndOtherVersions) {
  const std::string good = Predictor::train(test::synthetic_runs(), {}).text();
  std::string newer = good;
  newer.replace(newer.find("\"version\": 3"), 12, "\"version\": 4");
  EXPECT_THAT(problem_of(newer), HasSubstr("p.json: is a predictor of version 4, but this program "
                                           "reads version 3; train it anew"));
  EXPECT_THAT(problem_of("{}"), HasSubstr("is not a predictor; make one with jouletree train"));
  EXPECT_THAT(problem_of("hello"), HasSubstr("is not a predictor, or a damaged one"));
  std::string damaged = good;
  damaged.replace(damaged.find("\"modules\""), 9, "\"modulos\"");
  EXPECT_THAT(problem_of(damaged), HasSubstr("a damaged one"));
}

/// Four models, the last one from another machine.
std::vector<TreeRun> placed_runs() {
  std::vector<TreeRun> runs = test::synthetic_runs();
  runs.resize(16);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    runs[i].measured_on = MeasuredOn{"Fast CPU",     "0001", "a system", "ONNX Runtime", "1.30.0",
                                     i < 12 ? 1 : 2, "cpu",  "all",      "sequential"};
    runs[i].measured_at = i % 2 == 0 ? "2026-01-02T00:00:00Z" : "2026-01-03T00:00:00Z";
  }
  return runs;
}

TEST(Predictor, NamesWhereItsDataWereMeasured) {
  TrainOptions options;
  options.median_error = 12.5;
  const Predictor trained = Predictor::train(placed_runs(), options);
  const Predictor read = Predictor::parse(trained.text(), "p.json");
  EXPECT_EQ(read.text(), trained.text());
  EXPECT_EQ(read.info().median_error, 12.5);
  const std::vector<TrainedOn>& places = read.info().measured_on;
  ASSERT_EQ(places.size(), 2U);
  EXPECT_EQ(places[0].place, *placed_runs().front().measured_on);
  EXPECT_EQ(places[0].runs, 12U);
  EXPECT_EQ(places[0].from, "2026-01-02T00:00:00Z");
  EXPECT_EQ(places[0].to, "2026-01-03T00:00:00Z");
  EXPECT_EQ(places[1].place.threads, 2);
}

TEST(Predictor, OfDataThatDoNotSayWhereNothingIsSaid) {
  const Predictor trained = Predictor::train(test::synthetic_runs(), {});
  EXPECT_TRUE(trained.info().measured_on.empty());
  EXPECT_FALSE(trained.info().median_error);
  // As older programs wrote it.
  std::string text = trained.text();
  const std::string key = ",\n  \"measured_on\": []";
  const std::size_t found = text.find(key);
  ASSERT_NE(found, std::string::npos);
  text.erase(found, key.size());
  EXPECT_TRUE(Predictor::parse(text, "p.json").info().measured_on.empty());
}

TEST(Predictor, RefusesPlacesThatNobodyWrites) {
  const std::string text = Predictor::train(placed_runs(), {}).text();
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"\"threads\": 1", "\"threads\": -1"},
           {"\"threads\": 1", "\"threads\": \"x\""},
           {"\"machine\": \"Fast CPU\"", "\"machine\": 5"},
           {"\"machine_key\"", "\"machine_kex\""}}) {
    std::string damaged = text;
    damaged.replace(damaged.find(from), from.size(), to);
    EXPECT_THAT(problem_of(damaged), HasSubstr("p.json")) << to;
  }
}

TEST(Adaptation, RemembersWhereTheOtherDeviceWas) {
  const std::vector<TreeRun> runs = placed_runs();
  const Predictor first = Predictor::train({runs.begin(), runs.begin() + 12}, {});
  const Predictor adapted = Predictor::adapt(first, {runs.begin() + 12, runs.end()});
  const PredictorInfo& info = Predictor::parse(adapted.text(), "p.json").info();
  ASSERT_EQ(info.measured_on.size(), 1U);
  EXPECT_EQ(info.measured_on.front().place.threads, 2);
  ASSERT_EQ(info.adapted_from.size(), 1U);
  EXPECT_EQ(info.adapted_from.front().place.threads, 1);
}

TEST(Predictor, UsesWhatARunHas) {
  const std::vector<TreeRun> runs = test::synthetic_runs();
  const Predictor predictor = Predictor::train(runs, {});
  EXPECT_EQ(predictor.usable_features(runs[0]), FeatureSet::All);
  TreeRun leaves = runs[0];
  leaves.nodes[1].time_s.reset();
  EXPECT_EQ(predictor.usable_features(leaves), FeatureSet::Leaves);
  TreeRun bare = runs[0];
  bare.nodes.back().time_s.reset();
  EXPECT_EQ(predictor.usable_features(bare), FeatureSet::Specs);
  TrainOptions specs;
  specs.features = FeatureSet::Specs;
  const Predictor modest = Predictor::train(runs, specs);
  EXPECT_EQ(modest.usable_features(runs[0]), FeatureSet::Specs);
  EXPECT_THROW((void)modest.predict(runs[0], FeatureSet::All), Error);
}

TEST(Predictor, HasNoIntervalsWhereItSawOneModelOnly) {
  std::vector<TreeRun> runs = test::synthetic_runs();
  runs.resize(4);
  const Predictor predictor = Predictor::train(runs, {});
  const auto predicted = predictor.predict(runs[0], FeatureSet::All);
  EXPECT_TRUE(predicted[0].energy_j);
  EXPECT_FALSE(predicted[0].energy_range);
}

TEST(Predictor, OperatorsHaveIntervalsFromRowsThatAreLeftOutWhereItSawOneModelOnly) {
  std::vector<TreeRun> runs = test::synthetic_runs();
  runs.resize(4);
  TrainOptions options;
  options.features = FeatureSet::Specs;
  const Predictor predictor = Predictor::train(runs, options);
  const TreeRun unseen = test::synthetic_run("other", 8, 64, 2, 0.01, 128);
  const auto predicted = Predictor::parse(predictor.text(), "p").predict(unseen, options.features);
  std::size_t held = 0;
  std::size_t operators = 0;
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    if (unseen.nodes[i].level != NodeLevel::Operator) continue;
    ++operators;
    ASSERT_TRUE(predicted[i].time_range);
    const double truth = *unseen.nodes[i].time_s;
    if (predicted[i].time_range->low <= truth && truth <= predicted[i].time_range->high) ++held;
  }
  EXPECT_GE(held, operators * 7 / 10);
}

TEST(Predictor, ModulesHaveIntervalsAlsoWhereNoneWasMeasured) {
  std::vector<TreeRun> runs = test::synthetic_runs();
  for (TreeRun& run : runs) {
    for (RunNode& node : run.nodes) {
      if (node.level != NodeLevel::Module) continue;
      node.energy_j.reset();
      node.time_s.reset();
    }
  }
  TrainOptions options;
  options.features = FeatureSet::Specs;
  const Predictor predictor = Predictor::train(runs, options);
  const auto predicted = predictor.predict(runs[0], FeatureSet::Specs);
  for (std::size_t i = 0; i < predicted.size(); ++i)
    EXPECT_TRUE(predicted[i].energy_range) << runs[0].nodes[i].id;
}

TEST(Predictor, ExplainsItselfInUnitsOfPeople) {
  const Predictor predictor = Predictor::train(test::synthetic_runs(), {});
  bool has_power = false;
  for (const Explanation& line : predictor.explain())
    if (line.of == "linear" && line.term == "power beside the GPU") has_power = line.unit == "W";
  EXPECT_TRUE(has_power);
  const std::vector<TreeRun> runs = test::synthetic_runs();
  double sum = 0;
  for (const Explanation& line : predictor.explain(runs[0], 0, FeatureSet::Specs))
    if (line.target == "energy") sum += line.cost;
  EXPECT_NEAR(sum, *predictor.predict(runs[0], FeatureSet::Specs)[0].energy_j, 1e-9);
}

TEST(FilledLines, CarryPredictionsAndKeepTheRest) {
  std::vector<TreeRun> runs = test::synthetic_runs();
  runs.resize(2);
  const std::string text = "\n" + test::tree_lines(runs);
  const TreeRuns read = read_tree_lines(text, "data.jsonl");
  const Predictor predictor = Predictor::train(test::synthetic_runs(), {});
  std::vector<std::vector<NodePrediction>> predictions;
  for (const TreeRun& run : read.runs)
    predictions.push_back(predictor.predict(run, FeatureSet::Specs));
  std::ostringstream filled;
  write_filled_lines(text, read.runs, predictions, Provenance::Measured, filled);
  const TreeRuns again = read_tree_lines(filled.str(), "filled.jsonl");
  ASSERT_EQ(again.runs.size(), 2U);
  for (std::size_t i = 0; i < again.runs[1].nodes.size(); ++i) {
    EXPECT_EQ(again.runs[1].nodes[i].predicted_energy_j, predictions[1][i].energy_j);
    EXPECT_EQ(again.runs[1].nodes[i].energy_j, runs[1].nodes[i].energy_j);
  }
}

TEST(FilledRows, AddColumnsToEachOperatorAndRefuseToAddThemTwice) {
  const std::string text =
      "name,type,input_size,output_size,kernel_size,stride,padding,params,macs,flops,bytes,time_s,"
      "energy_j,provenance\n"
      "a,LayerNorm,,4x8,,,,16,0,160,256,,,counted\n"
      "\"b,\"\"c\"\"\",LayerNorm,,4x8,,,,16,0,160,256,,,counted\n";
  const TreeRuns read = parse_operator_csv(text, "layers.csv");
  const Predictor predictor = Predictor::train(test::synthetic_runs(), {});
  const std::vector<std::vector<NodePrediction>> predictions = {
      predictor.predict(read.runs.at(0), FeatureSet::Specs)};
  std::ostringstream filled;
  write_filled_rows(text, read.runs, predictions, Provenance::Estimated, filled);
  const TreeRuns again = parse_operator_csv(filled.str(), "layers.csv");
  ASSERT_EQ(again.runs.at(0).nodes.size(), 3U);
  EXPECT_EQ(again.runs[0].nodes[2].scope, "root.b,\"c\"");
  ASSERT_TRUE(predictions[0][2].energy_j);
  EXPECT_EQ(again.runs[0].nodes[2].predicted_energy_j, predictions[0][2].energy_j);
  EXPECT_THAT(filled.str(), HasSubstr(",predicted,estimated,"));
  EXPECT_THROW(
      write_filled_rows(filled.str(), again.runs, predictions, Provenance::Measured, filled),
      Error);
}

TEST(FilledRows, KeepTheirPlacesWhereTheRowsOfAModelStandApart) {
  const std::string text =
      "model_name,level,name,type,output_size,params,macs,flops,bytes,time_s\n"
      "one,ml,a,LayerNorm,4x8,16,0,160,256,\n"
      "two,ml,b,LayerNorm,64x8,16,0,2560,4096,\n"
      "one,model,,,,16,0,320,512,\n"
      "one,ml,c,LayerNorm,128x8,16,0,5120,8192,\n";
  const TreeRuns read = parse_operator_csv(text, "set.csv");
  const Predictor predictor = Predictor::train(test::synthetic_runs(), {});
  std::vector<std::vector<NodePrediction>> predictions;
  for (const TreeRun& run : read.runs)
    predictions.push_back(predictor.predict(run, FeatureSet::Specs));
  std::ostringstream filled;
  write_filled_rows(text, read.runs, predictions, Provenance::Measured, filled);
  const TreeRuns again = parse_operator_csv(filled.str(), "set.csv");
  ASSERT_EQ(again.runs.size(), read.runs.size());
  for (std::size_t r = 0; r < again.runs.size(); ++r) {
    for (std::size_t i = 0; i < again.runs[r].nodes.size(); ++i) {
      if (again.runs[r].nodes[i].row == 0) continue;
      EXPECT_EQ(again.runs[r].nodes[i].scope, read.runs[r].nodes[i].scope);
      EXPECT_EQ(again.runs[r].nodes[i].predicted_energy_j, predictions[r][i].energy_j);
    }
  }
  EXPECT_NE(predictions[0][1].energy_j, predictions[0][2].energy_j);
}

TEST(Predictor, RemembersThatItsEnergiesWereEstimated) {
  std::vector<TreeRun> runs = test::synthetic_runs();
  EXPECT_EQ(Predictor::train(runs, {}).info().energy, Provenance::Measured);
  runs[0].nodes[0].is_estimated = true;
  const Predictor predictor = Predictor::train(runs, {});
  EXPECT_EQ(Predictor::parse(predictor.text(), "p").info().energy, Provenance::Estimated);
}

/// The same work, named as an ONNX file does.
TreeRun as_onnx(TreeRun run) {
  for (RunNode& node : run.nodes) {
    if (node.type == "Linear") node.type = "Gemm";
    if (node.type == "LayerNorm") node.type = "LayerNormalization";
  }
  return run;
}

TEST(Predictor, TellsOperatorsOfAnotherEngineAndWidensTheirIntervals) {
  const std::vector<TreeRun> runs = test::synthetic_runs();
  const Predictor predictor = Predictor::parse(Predictor::train(runs, {}).text(), "p");
  EXPECT_FALSE(predictor.foreign(runs[0]));
  const TreeRun other = as_onnx(runs[0]);
  const auto foreign = predictor.foreign(other);
  ASSERT_TRUE(foreign);
  EXPECT_EQ(foreign->of_run, Vocabulary::Onnx);
  EXPECT_EQ(foreign->of_training, std::vector{Vocabulary::TorchModules});
  const NodePrediction own = predictor.predict(runs[0], FeatureSet::Specs)[0];
  const NodePrediction priced = predictor.predict(other, FeatureSet::Specs)[0];
  const auto width = [](const NodePrediction& node) {
    return (node.energy_range->high - node.energy_range->low) / *node.energy_j;
  };
  EXPECT_TRUE(priced.foreign);
  EXPECT_GT(width(priced), 0.15);
  EXPECT_GT(width(priced), 2 * width(own));
  EXPECT_FALSE(priced.beyond_training) << "its sizes are within those of the training data";
  EXPECT_TRUE(
      predictor.predict(as_onnx(test::synthetic_run("huge", 64, 2048, 1)), FeatureSet::Specs)[0]
          .beyond_training);
}

TEST(Predictor, ToldInWordsOfModulesTheSameWorkCostsTheSame) {
  const std::vector<TreeRun> runs = test::synthetic_runs();
  TrainOptions options;
  options.features = FeatureSet::Specs;
  const Predictor predictor = Predictor::train(runs, options);
  const auto own = predictor.predict(runs[0], FeatureSet::Specs);
  const TreeRun other = as_onnx(runs[0]);
  const auto told = predictor.predict(other, FeatureSet::Specs);
  ASSERT_EQ(told.size(), own.size());
  for (std::size_t i = 0; i < own.size(); ++i) {
    EXPECT_NEAR(*told[i].energy_j, *own[i].energy_j, 1e-9 * *own[i].energy_j);
    double sum = 0;
    for (const Explanation& line : predictor.explain(other, i, FeatureSet::Specs))
      if (line.target == "energy") sum += line.cost;
    EXPECT_NEAR(sum, *told[i].energy_j, 1e-6 * *told[i].energy_j);
  }
}

TEST(Predictor, KnowsWhatAnyOfItsTrainingDataIsMadeOf) {
  std::vector<TreeRun> runs = test::synthetic_runs();
  std::vector<TreeRun> mixed = runs;
  for (TreeRun run : runs) {
    run = as_onnx(std::move(run));
    run.file = "onnx.jsonl";
    run.model += "-onnx";
    mixed.push_back(std::move(run));
  }
  const Predictor predictor = Predictor::train(mixed, {});
  EXPECT_FALSE(predictor.foreign(runs[0]));
  EXPECT_FALSE(predictor.foreign(as_onnx(runs[0])));
  TreeRun recorded = as_onnx(runs[0]);
  recorded.vocabulary = "aten";
  EXPECT_TRUE(predictor.foreign(recorded)) << "the file says that another engine ran it";
}

TEST(Predictor, IntervalsOfForeignOperatorsGrowWithTheirLevel) {
  const std::vector<TreeRun> runs = test::synthetic_runs();
  double last = 0;
  for (const double level : {0.5, 0.8, 0.9, 0.99}) {
    TrainOptions options;
    options.level = level;
    const auto predicted =
        Predictor::train(runs, options).predict(as_onnx(runs[0]), FeatureSet::Specs);
    EXPECT_GT(predicted[0].energy_range->high, last);
    last = predicted[0].energy_range->high;
  }
}

TEST(Predictor, TimesAloneAreEnoughForTime) {
  std::vector<TreeRun> runs = test::synthetic_runs();
  for (TreeRun& run : runs)
    for (RunNode& node : run.nodes) node.energy_j.reset();
  const auto predicted = Predictor::train(runs, {}).predict(runs[0], FeatureSet::Specs);
  EXPECT_NEAR(*predicted[0].time_s, *runs[0].nodes[0].time_s, 0.1 * *runs[0].nodes[0].time_s);
  EXPECT_FALSE(predicted[0].energy_j);
  EXPECT_FALSE(predicted[0].power_w());
}

class ExplainedMethod : public testing::TestWithParam<std::string_view> {};

TEST_P(ExplainedMethod, HasTermsAndPartsThatAddUpToAPrediction) {
  const std::vector<TreeRun> runs = test::synthetic_runs();
  TrainOptions options;
  options.method = GetParam();
  options.features = FeatureSet::Specs;
  const Predictor predictor = Predictor::train(runs, options);
  EXPECT_FALSE(predictor.explain().empty());
  EXPECT_FALSE(predictor.trained_ranges().empty());
  const auto predicted = predictor.predict(runs[0], FeatureSet::Specs);
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    double sum = 0;
    for (const Explanation& line : predictor.explain(runs[0], i, FeatureSet::Specs))
      if (line.target == "energy") sum += line.cost;
    EXPECT_NEAR(sum, *predicted[i].energy_j, 1e-6 * *predicted[i].energy_j) << runs[0].nodes[i].id;
  }
}

INSTANTIATE_TEST_SUITE_P(All, ExplainedMethod, testing::ValuesIn(prediction_methods()),
                         [](const auto& method) { return std::string(method.param); });

TEST(Evaluation, ComparesByIdAndCountsWhatIsMissingAsWrong) {
  std::vector<TreeRun> runs = {test::synthetic_run("m", 4, 32, 1)};
  std::vector<TreeRun> predicted = runs;
  for (RunNode& node : predicted[0].nodes) node.predicted_energy_j = 1.1 * *node.energy_j;
  const Evaluation good = evaluate(runs, predicted);
  EXPECT_NEAR(*good.errors.ml, 10, 1e-9);
  EXPECT_NEAR(*good.errors.model, 10, 1e-9);
  EXPECT_TRUE(good.warnings.empty());
  predicted[0].nodes[0].predicted_energy_j.reset();
  const Evaluation bad = evaluate(runs, predicted);
  EXPECT_EQ(*bad.errors.model, 100);
  ASSERT_EQ(bad.warnings.size(), 1U);
  EXPECT_THAT(bad.warnings[0], HasSubstr("1 node has no predicted_energy, the first is 'm|4|32|"));
}

TEST(Adaptation, FewRunsMoveAPredictorToAnotherDevice) {
  const Predictor old = Predictor::train(test::synthetic_runs(), {});
  // A device that is three times slower at products and five times at the rest.
  const auto slower = [](TreeRun run) {
    for (RunNode& node : run.nodes) {
      const double factor = node.type == "LayerNorm" ? 5 : 3;
      node.time_s = *node.time_s * factor;
      node.gpu_energy_j = *node.gpu_energy_j * factor;
      node.energy_j = *node.energy_j * factor;
    }
    return run;
  };
  const std::vector<TreeRun> all = test::synthetic_runs();
  const TreeRun unseen = slower(test::synthetic_run("new", 8, 64, 3, 0, 224));
  const auto error = [&](const Predictor& predictor) {
    return std::abs(
        *predictor.predict(unseen, FeatureSet::Specs)[0].energy_j / *unseen.nodes[0].energy_j - 1);
  };
  const Predictor adapted = Predictor::adapt(old, {slower(all[0]), slower(all[7])});
  EXPECT_GT(error(old), 0.5);
  EXPECT_LT(error(adapted), 0.1);
  EXPECT_TRUE(adapted.predict(unseen, FeatureSet::Specs)[0].energy_range);
}

TEST(Adaptation, NamesRunsThatDifferFromTheUsedOnes) {
  const std::vector<TreeRun> runs = {
      test::synthetic_run("a", 4, 32, 2), test::synthetic_run("b", 4, 33, 2),
      test::synthetic_run("c", 64, 512, 9), test::synthetic_run("d", 4, 34, 2)};
  EXPECT_EQ(most_informative(runs, {0}, 1), std::vector<std::size_t>{2});
  EXPECT_EQ(most_informative(runs, {0, 1}, 9).size(), 2U);
}

TEST(Predictor, WorkThatItNeverSawIsMarkedAndHasWideIntervals) {
  TrainOptions options;
  options.features = FeatureSet::Specs;
  const Predictor predictor = Predictor::train(test::synthetic_runs(), options);
  TreeRun run = test::synthetic_runs()[0];
  const auto usual = predictor.predict(run, FeatureSet::Specs);
  const std::size_t last = run.nodes.size() - 1;
  EXPECT_FALSE(usual[0].unseen_work);
  run.nodes[last].type = "TreeEnsembleClassifier";
  const auto odd = predictor.predict(run, FeatureSet::Specs);
  EXPECT_TRUE(odd[last].unseen_work);
  EXPECT_TRUE(odd[last].beyond_training);
  EXPECT_TRUE(odd[0].unseen_work) << "the model holds it";
  EXPECT_FALSE(odd[2].unseen_work);
  const auto ratio = [](const NodePrediction& node) {
    return node.energy_range->high / node.energy_range->low;
  };
  EXPECT_GT(ratio(odd[last]), 100);
  EXPECT_GT(ratio(odd[0]), ratio(usual[0]));
  EXPECT_LT(ratio(odd[0]), ratio(odd[last])) << "most of the model is known work";
}

TEST(Predictor, WhatWasMeasuredOfAnOperatorStandsForItsWork) {
  const Predictor predictor = Predictor::train(test::synthetic_runs(), {});
  TreeRun run = test::synthetic_runs()[0];
  run.nodes.back().type = "TreeEnsembleClassifier";
  EXPECT_FALSE(predictor.predict(run, FeatureSet::All).back().unseen_work);
}

}  // namespace
}  // namespace jouletree
