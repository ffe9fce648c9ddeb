#include "tree/run_places.hpp"

#include <gmock/gmock.h>

namespace jouletree::tree {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

MeasuredOn usual() {
  return {"Fast CPU", "0001", "Linux 6.1.0", "ONNX Runtime", "1.30.0",
          1,          "cpu",  "all",         "sequential"};
}

TEST(RunPlaces, AreToldWithoutWhatIsUsual) {
  EXPECT_EQ(place_text(usual()), "Fast CPU, ONNX Runtime 1.30.0, 1 thread");
  MeasuredOn odd = usual();
  odd.threads = 8;
  odd.device = "cuda:0";
  odd.level = "basic";
  odd.execution = "parallel";
  EXPECT_EQ(place_text(odd),
            "Fast CPU, ONNX Runtime 1.30.0, 8 threads, cuda:0, level basic, parallel");
  EXPECT_EQ(place_text({}), "");
}

TEST(RunPlaces, DifferInWhatBothSay) {
  EXPECT_THAT(differing_parts(usual(), usual()), IsEmpty());
  EXPECT_THAT(differing_parts(usual(), {}), IsEmpty());
  MeasuredOn other = usual();
  other.machine_key = "0002";
  other.threads = 2;
  other.level = "none";
  EXPECT_THAT(differing_parts(usual(), other),
              ElementsAre(PlacePart::Machine, PlacePart::Threads, PlacePart::Level));
}

TEST(RunPlaces, AMachineWithoutAKeyIsKnownByItsName) {
  MeasuredOn nameless = usual();
  nameless.machine_key.clear();
  EXPECT_THAT(differing_parts(usual(), nameless), IsEmpty());
  nameless.machine = "Slow CPU";
  EXPECT_THAT(differing_parts(usual(), nameless), ElementsAre(PlacePart::Machine));
}

TEST(RunPlaces, VersionsCountByTheirFirstTwoNumbers) {
  MeasuredOn other = usual();
  other.version = "1.30.9";
  EXPECT_THAT(differing_parts(usual(), other), IsEmpty());
  other.version = "1.31.0";
  EXPECT_THAT(differing_parts(usual(), other), ElementsAre(PlacePart::Version));
  other.engine = "PyTorch";
  EXPECT_THAT(differing_parts(usual(), other), ElementsAre(PlacePart::Engine));
  EXPECT_EQ(short_version("1.30.0"), "1.30");
  EXPECT_EQ(short_version("2"), "2");
}

}  // namespace
}  // namespace jouletree::tree
