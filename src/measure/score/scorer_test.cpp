#include "measure/score/scorer.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jouletree/error.hpp"

namespace jouletree::measure {
namespace {

/// A tensor with its own bytes.
template <class Stored>
class Given {
 public:
  Given(DataType type, Dims dims, const std::vector<Stored>& elements)
      : type_(type), dims_(std::move(dims)), bytes_(elements.size() * sizeof(Stored), '\0') {
    std::memcpy(bytes_.data(), elements.data(), bytes_.size());
  }
  [[nodiscard]] TensorView view() const { return {type_, dims_, bytes_}; }

 private:
  DataType type_;
  Dims dims_;
  std::string bytes_;
};

Given<float> floats(Dims dims, const std::vector<float>& elements) {
  return {DataType::Float32, std::move(dims), elements};
}
Given<std::int64_t> classes(Dims dims, const std::vector<std::int64_t>& elements) {
  return {DataType::Int64, std::move(dims), elements};
}

template <class Outputs, class Labels>
Score scored(const std::vector<std::string>& metrics, const Outputs& outputs, const Labels& labels,
             ScoreReading reading = {}) {
  Scorer scorer(metrics, reading);
  scorer.add(outputs.view(), labels.view());
  Score score;
  scorer.finish(score);
  return score;
}

template <class Outputs, class Labels>
double value_of(const std::string& metric, const Outputs& outputs, const Labels& labels,
                ScoreReading reading = {}) {
  return scored({metric}, outputs, labels, reading).metrics.at(0).value;
}

template <class Call>
std::string problem_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// Best classes 2, 0, 1, 1; right ones 2, 1, 1, 0.
const Given<float> kLogits = floats({4, 3}, {0, 1, 5, 4, 3, 0, 0, 2, 1, 1, 6, 0});
const Given<std::int64_t> kLabels = classes({4}, {2, 1, 1, 0});

TEST(Scorer, CountsTheBestAndTheBestTwoClasses) {
  EXPECT_DOUBLE_EQ(value_of("top1", kLogits, kLabels), 0.5);
  EXPECT_DOUBLE_EQ(value_of("accuracy", kLogits, kLabels), 0.5);
  EXPECT_DOUBLE_EQ(value_of("error", kLogits, kLabels), 0.5);
  EXPECT_DOUBLE_EQ(value_of("top2", kLogits, kLabels), 1.0);
  EXPECT_DOUBLE_EQ(value_of("top5", kLogits, kLabels), 1.0);
}

TEST(Scorer, TakesTheLowerOfEqualClasses) {
  const auto equal = floats({2, 3}, {1, 1, 1, 1, 1, 1});
  EXPECT_DOUBLE_EQ(value_of("top1", equal, classes({2}, {0, 1})), 0.5);
  EXPECT_DOUBLE_EQ(value_of("top2", equal, classes({2}, {1, 2})), 0.5);
}

TEST(Scorer, ComputesCrossEntropyOfLogitsAndOfProbabilities) {
  const auto logits = floats({1, 2}, {0, std::log(3.0F)});  // 1/4 and 3/4
  EXPECT_NEAR(value_of("loss", logits, classes({1}, {0})), std::log(4.0), 1e-6);
  EXPECT_NEAR(value_of("perplexity", logits, classes({1}, {0})), 4.0, 1e-5);
  const auto shares = floats({1, 2}, {0.25F, 0.75F});
  EXPECT_NEAR(value_of("loss", shares, classes({1}, {0})), std::log(4.0), 1e-6);
  ScoreReading as_logits;
  as_logits.outputs = ScoreKind::Logits;
  EXPECT_NEAR(value_of("loss", shares, classes({1}, {0}), as_logits),
              std::log(std::exp(0.25) + std::exp(0.75)) - 0.25, 1e-6);
}

TEST(Scorer, DoesNotOverflowOnLargeLogits) {
  const auto logits = floats({1, 2}, {1000, 0});
  EXPECT_NEAR(value_of("loss", logits, classes({1}, {0})), 0, 1e-9);
  EXPECT_NEAR(value_of("loss", logits, classes({1}, {1})), 1000, 1e-3);
}

TEST(Scorer, CountsAProbabilityOfZeroAsTheSmallestOfItsType) {
  const auto shares = floats({1, 2}, {0, 1});
  EXPECT_NEAR(value_of("loss", shares, classes({1}, {0})),
              -std::log(std::numeric_limits<float>::epsilon()), 1e-6);
}

TEST(Scorer, AveragesPrecisionRecallAndF1OverTheClasses) {
  // By class, hits / chosen / right: 0: 0/1/1, 1: 1/2/2, 2: 1/1/1.
  EXPECT_DOUBLE_EQ(value_of("precision", kLogits, kLabels), (0 + 0.5 + 1) / 3);
  EXPECT_DOUBLE_EQ(value_of("recall", kLogits, kLabels), (0 + 0.5 + 1) / 3);
  EXPECT_DOUBLE_EQ(value_of("f1", kLogits, kLabels), (0 + 0.5 + 1) / 3);
}

TEST(Scorer, ReadsOneColumnAsTheSecondOfTwoClasses) {
  const auto probabilities = floats({4, 1}, {0.9F, 0.2F, 0.6F, 0.4F});
  const auto labels = classes({4}, {1, 0, 0, 1});
  const Score score = scored({"top1", "f1_binary", "auc", "loss"}, probabilities, labels);
  EXPECT_DOUBLE_EQ(score.metrics[0].value, 0.5);
  EXPECT_DOUBLE_EQ(score.metrics[1].value, 0.5);
  EXPECT_DOUBLE_EQ(score.metrics[2].value, 0.75);
  EXPECT_NEAR(score.metrics[3].value,
              -(std::log(0.9) + std::log(0.8) + std::log(0.4) + std::log(0.4)) / 4, 1e-6);
  EXPECT_THAT(score.notes, testing::ElementsAre(testing::HasSubstr("probability of class 1")));
  const auto logits = floats({3}, {2, -1, 0.5F});
  EXPECT_DOUBLE_EQ(value_of("top1", logits, classes({3, 1}, {1, 0, 0})), 2.0 / 3);
  EXPECT_NEAR(
      value_of("loss", logits, classes({3}, {1, 0, 1})),
      (std::log1p(std::exp(-2)) + std::log1p(std::exp(-1)) + std::log1p(std::exp(-0.5))) / 3, 1e-6);
}

TEST(Scorer, CountsEqualScoresHalfUnderTheCurve) {
  const auto scores = floats({4, 2}, {0, 1, 0, 1, 0, 3, 0, 0});
  EXPECT_DOUBLE_EQ(value_of("auc", scores, classes({4}, {1, 0, 1, 0})), 3.5 / 4);
  EXPECT_THAT(problem_of([&] {
                value_of("auc", scores, classes({4}, {1, 1, 1, 1}));
              }),
              testing::HasSubstr("both classes"));
  EXPECT_THAT(problem_of([&] { value_of("auc", kLogits, kLabels); }),
              testing::HasSubstr("two classes, but the model has 3"));
}

TEST(Scorer, ReadsOneHotLabelsAndShares) {
  const auto one_hot = classes({4, 3}, {0, 0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 0});
  EXPECT_DOUBLE_EQ(value_of("top1", kLogits, one_hot), 0.5);
  EXPECT_DOUBLE_EQ(value_of("loss", kLogits, one_hot), value_of("loss", kLogits, kLabels));
  const auto logits = floats({1, 2}, {0, 0});
  EXPECT_NEAR(value_of("loss", logits, floats({1, 2}, {0.3F, 0.7F})), std::log(2), 1e-6);
  EXPECT_THAT(problem_of([&] {
                value_of("top1", kLogits, classes({4, 3}, std::vector<std::int64_t>(12, 1)));
              }),
              testing::HasSubstr("add up to 3"));
}

TEST(Scorer, FindsTheClassesOfImagesAndOfTokens) {
  // Two classes, two pixels: channels first.
  const auto image = floats({1, 2, 1, 2}, {1, 0, 0, 5});
  EXPECT_DOUBLE_EQ(value_of("top1", image, classes({1, 1, 2}, {0, 1})), 1.0);
  EXPECT_DOUBLE_EQ(value_of("top1", image, classes({1, 1, 2}, {0, 0})), 0.5);
  // Three tokens of two classes: classes last.
  const auto tokens = floats({1, 3, 2}, {1, 0, 0, 1, 1, 0});
  EXPECT_DOUBLE_EQ(value_of("top1", tokens, classes({1, 3}, {0, 1, 1})), 2.0 / 3);
  ScoreReading last;
  last.class_axis = -1;
  const auto square = floats({1, 2, 2}, {1, 0, 0, 5});
  EXPECT_DOUBLE_EQ(value_of("top1", square, classes({1, 2}, {0, 1}), last), 1.0);
}

TEST(Scorer, LeavesIgnoredLabelsOut) {
  const auto tokens = floats({1, 3, 2}, {1, 0, 0, 1, 1, 0});
  EXPECT_DOUBLE_EQ(value_of("top1", tokens, classes({1, 3}, {0, 1, -100})), 1.0);
  EXPECT_THAT(problem_of([&] {
                value_of("top1", tokens, classes({1, 3}, {-100, -100, -100}));
              }),
              testing::HasSubstr("all labels are -100"));
}

TEST(Scorer, SaysHowManyLabelsCount) {
  const auto tokens = floats({1, 3, 2}, {1, 0, 0, 1, 1, 0});
  const Score score = scored({"top1"}, tokens, classes({1, 3}, {0, 1, -100}));
  EXPECT_THAT(score.notes, testing::Contains("1 of 3 labels is -100 and was not scored; the score "
                                             "is of the other 2"));
  // Ignored ones before it do not change the number of a bad one.
  EXPECT_THAT(problem_of([&] {
                value_of("top1", kLogits, classes({4}, {-100, -100, 1, 3}));
              }),
              testing::HasSubstr("label 3 of example 3"));
}

TEST(Scorer, AsksForTheAxisWhereTwoFit) {
  // Tokens of two classes, classes last; along the second axis both answers would be wrong.
  const auto tokens = floats({1, 2, 2}, {0, 9, 5, 0});
  const auto right = classes({1, 2}, {1, 0});
  const auto asks =
      testing::AllOf(testing::HasSubstr("1x2x2 and the labels are 1x2"),
                     testing::HasSubstr("--class-axis 1"), testing::HasSubstr("--class-axis -1"));
  EXPECT_THAT(problem_of([&] { value_of("top1", tokens, right); }), asks);
  ScoreReading last;
  last.class_axis = -1;
  EXPECT_DOUBLE_EQ(value_of("top1", tokens, right, last), 1);
  ScoreReading second;
  second.class_axis = 1;
  EXPECT_DOUBLE_EQ(value_of("top1", floats({1, 2, 2}, {0, 9, 5, 8}), right, second), 1);
  EXPECT_THAT(problem_of([&] {
                value_of("top1", floats({1, 2, 2, 2}, std::vector<float>(8)),
                         classes({1, 2, 2}, {0, 0, 0, 0}));
              }),
              testing::HasSubstr("--class-axis"));
}

TEST(Scorer, AsksForTheAxisOfOneHotLabelsUnlessTheyShowIt) {
  const auto outputs = floats({1, 2, 2}, {9, 0, 8, 1});
  const auto both = floats({1, 2, 2}, {1, 0, 0, 1});
  EXPECT_THAT(problem_of([&] { value_of("top1", outputs, both); }),
              testing::HasSubstr("--class-axis"));
  const auto along_second = floats({1, 2, 2}, {1, 1, 0, 0});
  EXPECT_DOUBLE_EQ(value_of("top1", outputs, along_second), 0.5);
  const auto along_last = floats({1, 2, 2}, {1, 0, 1, 0});
  EXPECT_THAT(problem_of([&] { value_of("top1", outputs, along_last); }),
              testing::HasSubstr("say --class-axis -1"));
  ScoreReading last;
  last.class_axis = -1;
  EXPECT_DOUBLE_EQ(value_of("top1", outputs, along_last, last), 1);
  // What one batch shows holds for the next.
  Scorer scorer({"top1"}, {});
  scorer.add(outputs.view(), along_second.view());
  scorer.add(outputs.view(), both.view());
  Score score;
  scorer.finish(score);
  EXPECT_DOUBLE_EQ(score.metrics[0].value, 0.75);
}

TEST(Scorer, TakesSharesOfSeveralClassesForTheLossAlone) {
  const auto shares = floats({2, 2}, {0, 1, 0.25F, 0.75F});
  const auto logits = floats({2, 2}, {0, 0, 0, 0});
  EXPECT_NEAR(value_of("perplexity", logits, shares), 2, 1e-6);
  for (const char* const metric : {"top1", "top2", "error", "f1", "f1_binary", "auc"}) {
    EXPECT_THAT(problem_of([&] {
                  scored({"loss", metric}, logits, shares);
                }),
                testing::HasSubstr(std::string(metric) +
                                   " needs one right class for each example, "
                                   "but the labels of example 1 are shares of several; loss and "
                                   "perplexity take shares"));
  }
}

TEST(Scorer, SaysThatTopKOfAsManyClassesSaysNothing) {
  EXPECT_THAT(scored({"top7"}, kLogits, kLabels).notes,
              testing::Contains("top7 is 100 % for any model of 3 classes"));
  EXPECT_THAT(scored({"top2"}, kLogits, kLabels).notes,
              testing::Not(testing::Contains(testing::HasSubstr("100 %"))));
}

TEST(Scorer, RefusesOutputsWithoutClasses) {
  EXPECT_THAT(problem_of([&] {
                value_of("top1", floats({2, 0}, {}), classes({2}, {0, 0}));
              }),
              testing::HasSubstr("2x0 and the labels are 2"));
}

TEST(Scorer, TakesClassesThatTheModelReturns) {
  EXPECT_DOUBLE_EQ(value_of("top1", classes({3}, {1, 0, 2}), classes({3}, {1, 1, 2})), 2.0 / 3);
  EXPECT_THAT(problem_of([&] { value_of("loss", kLabels, kLabels); }),
              testing::HasSubstr("needs a score for each class"));
}

TEST(Scorer, ComparesNumbers) {
  const auto outputs = floats({4, 1}, {1, 2, 3, 5});
  const auto targets = floats({4}, {1, 2, 4, 3});
  EXPECT_DOUBLE_EQ(value_of("mse", outputs, targets), 1.25);
  EXPECT_DOUBLE_EQ(value_of("rmse", outputs, targets), std::sqrt(1.25));
  EXPECT_DOUBLE_EQ(value_of("mae", outputs, targets), 0.75);
  EXPECT_NEAR(value_of("r2", outputs, targets), 0, 1e-12);
  EXPECT_DOUBLE_EQ(value_of("r2", floats({2, 2}, {0, 7, 2, 7}), floats({2, 2}, {0, 7, 2, 7})), 1);
  EXPECT_THAT(problem_of([&] {
                value_of("mse", outputs, floats({4, 2}, std::vector<float>(8)));
              }),
              testing::HasSubstr("4x1 and the labels are 4x2"));
}

TEST(Scorer, GivesTheSameWhicheverWayTheDataAreCut) {
  const std::vector<std::string> metrics = {"top1", "top2", "loss", "f1", "mse"};
  const auto one_hot = floats({4, 3}, {0, 0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 0});
  const Score whole = scored(metrics, kLogits, one_hot);
  Scorer scorer(metrics, {});
  for (const std::size_t row : {0U, 1U, 2U, 3U}) {
    const TensorView outputs{DataType::Float32, {1, 3}, kLogits.view().bytes.substr(row * 12, 12)};
    const TensorView labels{DataType::Float32, {1, 3}, one_hot.view().bytes.substr(row * 12, 12)};
    scorer.add(outputs, labels);
  }
  Score cut;
  scorer.finish(cut);
  EXPECT_EQ(cut.examples, 4);
  EXPECT_EQ(cut.labels_hash, whole.labels_hash);
  for (std::size_t i = 0; i < metrics.size(); ++i)
    EXPECT_DOUBLE_EQ(cut.metrics[i].value, whole.metrics[i].value) << metrics[i];
}

TEST(Scorer, ReadsShortFloats) {
  const Given<std::uint16_t> halves(DataType::Float16, {1, 3}, {0x3C00, 0xC000, 0x4200});  // 1 -2 3
  EXPECT_DOUBLE_EQ(value_of("top1", halves, classes({1}, {2})), 1);
  const Given<std::uint16_t> brains(DataType::BFloat16, {2}, {0x3F80, 0xC000});  // 1 -2
  EXPECT_DOUBLE_EQ(value_of("mae", brains, floats({2}, {0, 0})), 1.5);
}

TEST(Scorer, RefusesWhatDoesNotFit) {
  EXPECT_THAT(problem_of([&] {
                value_of("top1", kLogits, classes({3}, {0, 1, 2}));
              }),
              testing::HasSubstr("4 rows for 3 examples"));
  EXPECT_THAT(problem_of([&] {
                value_of("top1", kLogits, classes({4}, {0, 1, 3, 0}));
              }),
              testing::HasSubstr("label 3 of example 2 is none of the classes 0 to 2"));
  EXPECT_THAT(problem_of([&] {
                value_of("top1", kLogits, floats({4}, {0, 0.5F, 1, 0}));
              }),
              testing::HasSubstr("label 0.5 of example 1 is no class"));
  EXPECT_THAT(problem_of([&] { value_of("perplexty", kLogits, kLabels); }),
              testing::HasSubstr("did you mean 'perplexity'"));
  EXPECT_THAT(problem_of([&] { value_of("acc", kLogits, kLabels); }),
              testing::AllOf(testing::HasSubstr("did you mean 'accuracy'"),
                             testing::HasSubstr("accuracy (top1)")));
  EXPECT_THAT(problem_of([&] { value_of("top0", kLogits, kLabels); }),
              testing::HasSubstr("there is no metric 'top0'"));
  const auto nan = floats({2, 2}, {0, 1, std::nanf(""), 1});
  EXPECT_THAT(problem_of([&] {
                value_of("top1", nan, classes({2}, {0, 1}));
              }),
              testing::HasSubstr("NaN for example 1"));
  EXPECT_THAT(problem_of([&] {
                Score score;
                Scorer({"top1"}, {}).finish(score);
              }),
              testing::HasSubstr("no examples"));
}

TEST(Scorer, SaysWhenOutputsStopLookingLikeProbabilities) {
  Scorer scorer({"top1"}, {});
  scorer.add(floats({1, 1}, {0.5F}).view(), classes({1}, {1}).view());
  EXPECT_THAT(problem_of([&] {
                scorer.add(floats({1, 1}, {3.0F}).view(), classes({1}, {1}).view());
              }),
              testing::HasSubstr("logits or probabilities"));
}

TEST(Score, WeighsTheErrorWithItsExponent) {
  Score score = scored({"top1"}, kLogits, kLabels);
  score.energy_j = {8.0, false, 4.0, 12.0, Provenance::Measured};
  EXPECT_DOUBLE_EQ(*score.epr().value, 0.5 * 2);
  score.epr_alpha = 2;
  EXPECT_DOUBLE_EQ(*score.epr().value, 0.25 * 2);
  EXPECT_DOUBLE_EQ(*score.epr().low, 0.25);
  EXPECT_EQ(score.epr().provenance, Provenance::Measured);
  EXPECT_FALSE(scored({"mse"}, kLogits, kLogits).epr().value);
}

}  // namespace
}  // namespace jouletree::measure
