#include "store/score_fit.hpp"

#include <gmock/gmock.h>

#include "jouletree/error.hpp"

namespace jouletree::store {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

ProfileContent profile_of_bert() {
  ProfileContent profile;
  profile.model = "bert";
  profile.engine = "ONNX Runtime 1.30.0";
  profile.model_bytes = 4'400'000;
  profile.counted = {{"params", "", {1'000'000.0, false, {}, {}, Provenance::Counted}}};
  return profile;
}

Score score_named(const std::string& model, const std::string& engine,
                  std::optional<std::int64_t> params) {
  Score score;
  score.model = model;
  score.engine = engine;
  score.params = params;
  return score;
}

std::vector<std::string> notes_of(const Score& score) {
  return score_that_fits(profile_of_bert(), score).notes;
}

TEST(ScoreFit, TheSameModelNeedsNoNote) {
  EXPECT_THAT(notes_of(score_named("BERT.onnx", "ONNX Runtime 1.30.0", 1'000'000)), IsEmpty());
  EXPECT_THAT(notes_of(score_named("zoo: bert", "ONNX Runtime 1.29.0", {})), IsEmpty());
  EXPECT_THAT(notes_of(score_named("Sequential", "PyTorch 2.13.0", 1'000'000)), IsEmpty());
  Score same_file = score_named("renamed.onnx", "ONNX Runtime 1.30.0", {});
  same_file.model_bytes = 4'400'000;
  EXPECT_THAT(notes_of(same_file), IsEmpty());
}

TEST(ScoreFit, AnotherModelIsRefusedWithBothNames) {
  for (const Score& other : {score_named("conv.onnx", "ONNX Runtime 1.30.0", 900'000),
                             score_named("Conv", "PyTorch 2.13.0", 30'000)}) {
    EXPECT_THAT([&] { (void)notes_of(other); },
                ThrowsMessage<Error>(testing::AllOf(HasSubstr(other.model),
                                                    HasSubstr("bert (1,000,000 parameters)"),
                                                    HasSubstr("different models"))));
  }
}

TEST(ScoreFit, WhatNobodyCanTellIsNoted) {
  EXPECT_THAT(notes_of(score_named("predict", "Python", {})),
              ElementsAre(HasSubstr("nothing in them tells")));
  EXPECT_THAT(notes_of(score_named("Bert", "PyTorch 2.13.0", 1'002'000)),
              ElementsAre(HasSubstr("check that both are the same model")))
      << "exporters fold normalisation";
}

}  // namespace
}  // namespace jouletree::store
