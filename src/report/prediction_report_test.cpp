#include <sstream>

#include <gmock/gmock.h>

#include "report/predict_report.hpp"

namespace jouletree::report {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

/// A model with one operator that costs something and one that does not.
TreeRun small_run() {
  TreeRun run;
  run.model = "tiny";
  run.nodes.resize(3);
  run.nodes[0].scope = "root";
  run.nodes[0].children = {1, 2};
  run.nodes[1].scope = "root.Conv";
  run.nodes[2].scope = "root.Flatten";
  return run;
}

std::string printed(const std::vector<NodePrediction>& nodes, const TreeRun& run = small_run()) {
  std::ostringstream out;
  const PredictedRun predicted{run, nodes, FeatureSet::Specs, Provenance::Measured, std::nullopt};
  print_prediction_tree(predicted, 2, {}, out);
  return out.str();
}

NodePrediction costing(double seconds, bool beyond) {
  NodePrediction node;
  node.time_s = seconds;
  node.beyond_training = beyond;
  return node;
}

TEST(PredictionTree, SaysOnceWhatHoldsForEveryRow) {
  const std::string text = printed({costing(2, true), costing(2, true), costing(0, true)});
  EXPECT_THAT(text, HasSubstr("Every row is beyond the training data"));
  EXPECT_THAT(text, Not(HasSubstr("beyond training data")));
}

TEST(PredictionTree, MarksTheRowsThatAreBeyondTheTrainingData) {
  const std::string text = printed({costing(2, true), costing(2, false), costing(0, true)});
  EXPECT_THAT(text, Not(HasSubstr("Every row")));
  const std::size_t mark = text.find("beyond training data");
  ASSERT_NE(mark, std::string::npos);
  // Nothing is doubtful about an operator that costs nothing.
  EXPECT_EQ(text.find("beyond training data", mark + 1), std::string::npos);
}

TEST(PredictionTree, NamesOperatorsThatAreUnlikeAllTrainingData) {
  NodePrediction unseen = costing(2, true);
  unseen.unseen_work = true;
  TreeRun run = small_run();
  run.nodes[0].level = NodeLevel::Model;
  run.nodes[1].type = "Conv";
  const std::string text = printed({unseen, unseen, costing(0, false)}, run);
  EXPECT_THAT(text, ContainsRegex("Conv +Conv .*unlike all training data"));
  EXPECT_THAT(text, ContainsRegex("tiny .*partly unlike all training data"));
  EXPECT_THAT(text, HasSubstr("The training data hold nothing like Conv (1 of 1 operator, 100 %"));
}

TEST(PredictionTree, TellsTheLevelOfIntervalsAndTheAssumptionsOfTheCounts) {
  TreeRun run = small_run();
  run.notes = {"open dimensions counted as 1: batch (set them with --dim NAME=SIZE)"};
  const std::string text = printed({costing(2, false), costing(2, false), costing(0, false)}, run);
  EXPECT_THAT(text, HasSubstr("90 % interval"));
  EXPECT_THAT(text, HasSubstr("Note: open dimensions counted as 1: batch (set them with --dim "
                              "NAME=SIZE).\n"));
}

TEST(PredictionTree, SaysWhyThereAreNoIntervals) {
  const std::string without = printed({costing(2, false), costing(2, false), costing(0, false)});
  EXPECT_THAT(without, HasSubstr("There are no intervals"));
  NodePrediction root = costing(2, false);
  root.time_range = Range{1, 3};
  const std::string with = printed({root, costing(2, false), costing(0, false)});
  EXPECT_THAT(with, Not(HasSubstr("There are no intervals")));
}

TEST(PredictionTree, BlamesNoWidthOnUnseenWorkWhereThereAreNoIntervals) {
  NodePrediction unseen = costing(2, true);
  unseen.unseen_work = true;
  EXPECT_THAT(printed({unseen, unseen, costing(0, false)}), Not(HasSubstr("intervals are wide")));
  unseen.energy_range = Range{1, 3};
  EXPECT_THAT(printed({unseen, unseen, costing(0, false)}), HasSubstr("intervals are wide"));
}

}  // namespace
}  // namespace jouletree::report
