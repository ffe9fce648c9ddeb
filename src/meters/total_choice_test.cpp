#include "meters/total_choice.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace jouletree::meters {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

MeterInfo meter(Level level, const std::string& device,
                Provenance provenance = Provenance::Measured) {
  MeterInfo info;
  info.level = level;
  info.device = device;
  info.provenance = provenance;
  return info;
}

std::vector<std::size_t> chosen(const std::vector<MeterInfo>& meters,
                                std::optional<Level> level = std::nullopt) {
  return choose_total(meters, level).meters;
}

TEST(TotalChoiceTest, SumsPackagesMemoryAndCardsButNothingTwice) {
  EXPECT_THAT(chosen({meter(Level::Psys, "psys"), meter(Level::Package, "package-0"),
                      meter(Level::Core, "package-0"), meter(Level::Uncore, "package-0"),
                      meter(Level::Dram, "package-0"), meter(Level::Gpu, "gpu-0"),
                      meter(Level::Other, "x"), meter(Level::Battery, "BAT0")}),
              ElementsAre(1, 4, 5));
}

TEST(TotalChoiceTest, SumsThePartsOfAPackageThatHasNoMeterOfItsOwn) {
  EXPECT_THAT(chosen({meter(Level::Package, "package-0"), meter(Level::Core, "package-0"),
                      meter(Level::Core, "package-1"), meter(Level::Uncore, "package-1")}),
              ElementsAre(0, 2, 3));
}

TEST(TotalChoiceTest, PrefersTheMeterAtThePlug) {
  EXPECT_THAT(chosen({meter(Level::Package, "package-0"), meter(Level::Wall, "meter")}),
              ElementsAre(1));
}

TEST(TotalChoiceTest, TakesTheBoardWhereNoPackageIsMeasured) {
  EXPECT_THAT(
      chosen({meter(Level::Rail, "a"), meter(Level::Board, "board"), meter(Level::Gpu, "gpu-0")}),
      ElementsAre(1));
  EXPECT_THAT(chosen({meter(Level::Rail, "a"), meter(Level::Rail, "b")}), ElementsAre(0, 1));
}

TEST(TotalChoiceTest, DoesNotAddAnEstimateToAMeasurement) {
  EXPECT_THAT(chosen({meter(Level::Package, "package-0"),
                      meter(Level::Package, "cpu", Provenance::Estimated)}),
              ElementsAre(0));
  EXPECT_THAT(
      chosen({meter(Level::Gpu, "gpu-0"), meter(Level::Package, "cpu", Provenance::Estimated)}),
      ElementsAre(0, 1));
}

TEST(TotalChoiceTest, NamesOnlyWhatTheSumContains) {
  const auto rule = [](const std::vector<MeterInfo>& meters) {
    return choose_total(meters, std::nullopt).rule;
  };
  const MeterInfo package = meter(Level::Package, "package-0");
  const MeterInfo memory = meter(Level::Dram, "package-0");
  const MeterInfo card = meter(Level::Gpu, "gpu-0");
  const MeterInfo estimate = meter(Level::Package, "cpu", Provenance::Estimated);
  EXPECT_EQ(rule({package}), "CPU packages");
  EXPECT_EQ(rule({package, memory}), "CPU packages and their memory");
  EXPECT_EQ(rule({package, memory, card}), "CPU packages, their memory and graphics cards");
  EXPECT_EQ(rule({estimate}), "CPUs, from how busy they are");
  // What is measured and what is not stands beside each.
  EXPECT_EQ(rule({estimate, card}),
            "graphics cards (measured) and CPUs (estimated from how busy they are)");
  EXPECT_EQ(rule({package, estimate}), "CPU packages");
  EXPECT_EQ(rule({meter(Level::Core, "package-0")}), "CPU cores");
  EXPECT_EQ(rule({}), "nothing that can be read");
}

TEST(TotalChoiceTest, FollowsTheUser) {
  const std::vector<MeterInfo> meters = {meter(Level::Package, "package-0"),
                                         meter(Level::Psys, "psys")};
  EXPECT_THAT(chosen(meters, Level::Psys), ElementsAre(1));
  EXPECT_THAT(chosen(meters, Level::Wall), IsEmpty());
}

}  // namespace
}  // namespace jouletree::meters
