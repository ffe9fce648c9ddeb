// Tables of whole models: how they are counted, and what a predictor learns from them.
#include <cmath>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jouletree/error.hpp"
#include "report/counted_tables.hpp"
#include "report/training_data.hpp"
#include "support/random_cell.hpp"

namespace jouletree::report {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

store::ModelTable random_table(std::size_t rows, int size, int channels, unsigned seed) {
  std::mt19937 random(seed);
  store::ModelTable table;
  table.name = "models.csv";
  table.folder = ".";
  for (std::size_t i = 0; i < rows; ++i) {
    store::ModelRow& row = table.rows.emplace_back();
    row.model = test::random_cell(random);
    row.others = {
        {"size", std::to_string(size)}, {"channels", std::to_string(channels)}, {"cells", "1"}};
    row.line = i + 2;
    row.position = static_cast<std::int64_t>(i + 1);
  }
  return table;
}

/// What an imaginary device takes for an operator: a launch, and what takes longer of moving and
/// computing, which goes faster with more channels.
double hidden_seconds(const RunNode& node) {
  if (node.mflops.value_or(0) == 0 && node.mebibytes.value_or(0) == 0) return 0;
  const bool is_product = node.macs.value_or(0) > 0;
  const double channels =
      node.output_shapes.empty() || node.output_shapes[0].size() < 2 ? 1 : node.output_shapes[0][1];
  const double gflops = is_product ? 10 * channels / (channels + 8) : 2;
  return 3e-6 + std::max(*node.mflops * 1e-3 / gflops, *node.mebibytes / 6e3);
}

std::vector<TreeRun> measured_runs(const store::ModelTable& table, double noise, unsigned seed,
                                   ChannelLayout layout = ChannelLayout::Plain) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(1, noise);
  std::vector<TreeRun> runs = counted_runs(table, {}, layout);
  for (TreeRun& run : runs) {
    double sum = 0;
    for (const RunNode& node : run.nodes)
      if (node.level == NodeLevel::Operator) sum += hidden_seconds(node);
    run.nodes[0].time_s = sum * normal(random);
    run.nodes[0].energy_j = 5 * sum * normal(random);
  }
  return runs;
}

double median_error(const Predictor& predictor, const std::vector<TreeRun>& runs) {
  std::vector<double> errors;
  for (const TreeRun& run : runs) {
    const auto predicted = predictor.predict(run, FeatureSet::Specs);
    errors.push_back(std::abs(*predicted[0].time_s / *run.nodes[0].time_s - 1));
  }
  std::nth_element(errors.begin(), errors.begin() + static_cast<std::ptrdiff_t>(errors.size() / 2),
                   errors.end());
  return errors[errors.size() / 2];
}

std::string table_problem(const store::ModelTable& table, const TableChoice& choice = {}) {
  try {
    (void)counted_runs(table, choice, ChannelLayout::Plain);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    return error.what();
  }
  return "no problem";
}

TEST(WholeModels, TeachWhatOthersOfTheirKindTake) {
  const std::vector<TreeRun> runs = measured_runs(random_table(80, 16, 16, 1), 0.01, 2);
  const Predictor predictor = Predictor::train(runs, {});
  const std::vector<TreeRun> others = measured_runs(random_table(40, 16, 16, 3), 0.01, 4);
  EXPECT_LT(median_error(predictor, others), 0.015);
  int inside = 0;
  for (const TreeRun& run : others) {
    const auto predicted = predictor.predict(run, FeatureSet::Specs);
    ASSERT_TRUE(predicted[0].time_range);
    EXPECT_FALSE(predicted[0].beyond_training);
    EXPECT_FALSE(predicted[1].time_range) << "how a whole divides is not known as well";
    inside += predicted[0].time_range->low <= *run.nodes[0].time_s &&
                      *run.nodes[0].time_s <= predicted[0].time_range->high
                  ? 1
                  : 0;
  }
  EXPECT_GE(inside, 32);
  EXPECT_EQ(predictor.info().layout, ChannelLayout::Plain);
  EXPECT_TRUE(predictor.info().fused);
}

TEST(WholeModels, PricesCarryOverToSizesAndWidthsThatNoneOfThemHad) {
  std::vector<TreeRun> runs;
  for (const auto& [size, channels] : {std::pair{16, 8}, std::pair{16, 24}, std::pair{32, 8},
                                       std::pair{48, 16}, std::pair{48, 24}}) {
    const auto more =
        measured_runs(random_table(24, size, channels, static_cast<unsigned>(size + channels)),
                      0.02, static_cast<unsigned>(size * channels));
    runs.insert(runs.end(), more.begin(), more.end());
  }
  const Predictor predictor = Predictor::train(runs, {});
  EXPECT_LT(median_error(predictor, measured_runs(random_table(20, 32, 16, 6), 0.02, 7)), 0.05)
      << "between sizes";
  EXPECT_LT(median_error(predictor, measured_runs(random_table(20, 64, 32, 8), 0.02, 9)), 0.05)
      << "beyond them";
}

TEST(WholeModels, JoinMeasuredOperators) {
  std::vector<TreeRun> runs = measured_runs(random_table(60, 16, 16, 1), 0.01, 2);
  for (std::size_t i = 0; i < 10; ++i) {
    for (RunNode& node : runs[i].nodes) {
      if (node.level != NodeLevel::Operator || hidden_seconds(node) == 0) continue;
      node.time_s = hidden_seconds(node);
      node.energy_j = 5 * hidden_seconds(node);
    }
  }
  const Predictor predictor = Predictor::train(runs, {});
  const std::vector<TreeRun> others = measured_runs(random_table(30, 16, 16, 3), 0.01, 4);
  EXPECT_LT(median_error(predictor, others), 0.02);
}

TEST(WholeModels, TheirPricesAreNotNegativeAndTold) {
  const Predictor predictor =
      Predictor::train(measured_runs(random_table(60, 16, 16, 1), 0.01, 2), {});
  bool has_convolution = false;
  for (const Explanation& line : predictor.explain()) {
    EXPECT_GE(line.coefficient, 0) << line.of << " " << line.term;
    has_convolution = has_convolution || line.of.starts_with("conv");
  }
  EXPECT_TRUE(has_convolution);
  EXPECT_EQ(Predictor::parse(predictor.text(), "p.json").text(), predictor.text());
}

TEST(WholeModels, OnlyTheLedgerLearnsFromThem) {
  const std::vector<TreeRun> runs = measured_runs(random_table(5, 16, 16, 1), 0.01, 2);
  TrainOptions options;
  options.method = "forest";
  try {
    (void)Predictor::train(runs, options);
    FAIL() << "no problem";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("method forest learns from measured operators only"));
  }
}

TEST(WholeModels, AllThatCannotBeCountedAreNamed) {
  store::ModelTable table = random_table(4, 16, 16, 1);
  table.rows[0].model = "gone.onnx";
  table.rows[2].model = "|conv~0|+|none~0|none~1|+|none~0|none~1|none~2|";
  EXPECT_THAT(table_problem(table),
              AllOf(HasSubstr("models.csv: 2 of 4 models cannot be counted: line 2: gone.onnx: "
                              "there is no such file beside the table"),
                    HasSubstr("line 4: arch=|conv~0|"), Not(HasSubstr("line 3:"))));
}

TEST(WholeModels, ASettingThatNoModelHasIsRefused) {
  EXPECT_THAT(table_problem(random_table(2, 16, 16, 1), {{"colour=3"}, {}}),
              HasSubstr("--set colour=3: no model of this table has such a setting"));
  EXPECT_EQ(table_problem(random_table(2, 16, 16, 1), {{"classes=7"}, {}}), "no problem");
}

TEST(WholeModels, TheLayoutCountsThatPredictsBetter) {
  for (const ChannelLayout layout : {ChannelLayout::Blocked, ChannelLayout::Plain}) {
    store::ModelTable table = random_table(60, 16, 16, 1);
    const std::vector<TreeRun> measured = measured_runs(table, 0.005, 2, layout);
    for (std::size_t i = 0; i < measured.size(); ++i)
      table.rows[i].time_s = measured[i].nodes[0].time_s;
    const auto runs = with_tables({}, {table}, {}, [](const std::string&) {}, {});
    EXPECT_EQ(runs[0].expected_layout, layout);
  }
}

TEST(WholeModels, ATableWithoutNumbersTeachesNothing) {
  try {
    (void)with_tables({}, {random_table(2, 16, 16, 1)}, {}, [](const std::string&) {}, {});
    FAIL() << "no problem";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("tells neither a time nor an energy of any model"));
  }
}

}  // namespace
}  // namespace jouletree::report
