#include "meters/external_layout.hpp"

#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "jouletree/error.hpp"

namespace jouletree::meters {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kPlugs =
    "opening /dev/ttyUSB0\n"
    "#timestamp,#frame_is_ok,#U1,#U2,#U3,#current1,#activepow1,#current2,#activepow2\n"
    "1671527189.294241015,false,,,,,,,\n"
    "1671527189.304214184,true,232.3,0.0,0.0,0.1,20.9,0.4,80.5\n";

std::vector<NumberedLine> lines_of(const std::string& text) {
  std::vector<NumberedLine> lines;
  std::istringstream in(text);
  int number = 0;
  for (std::string line; std::getline(in, line);) lines.push_back({++number, line});
  return lines;
}

ExternalLayout layout_of(const std::string& text, std::vector<std::string> columns = {},
                         const std::string& by = "") {
  ExternalFile file;
  file.path = "meter.csv";
  file.columns = std::move(columns);
  file.device_column = by;
  const auto found = find_layout(file, lines_of(text), WallTime());
  EXPECT_TRUE(found) << text;
  return found.value_or(ExternalLayout{});
}

std::string error_of(const std::string& text, std::vector<std::string> columns = {},
                     const std::string& by = "") {
  try {
    (void)layout_of(text, std::move(columns), by);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    return error.what();
  }
  ADD_FAILURE() << "was understood: " << text;
  return "";
}

std::vector<std::string> names(const ExternalLayout& layout) {
  std::vector<std::string> names;
  for (const ExternalChannel& channel : layout.channels) names.push_back(channel.name);
  return names;
}

/// The watts that the channel finds in a row.
double watts(const ExternalChannel& channel, const std::string& row) {
  const auto parsed = channel.layout.parse(row, WallTime());
  EXPECT_TRUE(parsed) << row;
  return parsed ? parsed->power.value : -1;
}

TEST(ExternalLayout, AsksWhichPlugOfAWattmeter) {
  const std::string error = error_of(kPlugs);
  EXPECT_THAT(error, HasSubstr("--external meter.csv:activepow1"));
  EXPECT_THAT(error, HasSubstr("7 '#activepow1' (20.9)"));
  EXPECT_THAT(error, HasSubstr("9 '#activepow2' (80.5)"));
}

TEST(ExternalLayout, TakesPlugsByTitleOrNumber) {
  const std::string row = "1671527189.3,true,232.3,0.0,0.0,0.1,20.9,0.4,80.5";
  for (const char* name : {"activepow2", "#activepow2", "ActivePow2", "9"}) {
    const ExternalLayout one = layout_of(kPlugs, {name});
    ASSERT_THAT(names(one), ElementsAre("activepow2")) << name;
    EXPECT_EQ(watts(one.channels[0], row), 80.5);
    EXPECT_EQ(one.channels[0].level, Level::Wall);
    EXPECT_EQ(one.lines_before_rows, 2);
  }
  const ExternalLayout both = layout_of(kPlugs, {"activepow1", "activepow2"});
  EXPECT_THAT(names(both), ElementsAre("activepow1", "activepow2"));
  EXPECT_THAT(names(layout_of(kPlugs, {"all"})), ElementsAre("activepow1", "activepow2"));
}

TEST(ExternalLayout, LeavesOutFramesThatHoldNothing) {
  const RowLayout layout = layout_of(kPlugs, {"activepow1"}).channels[0].layout;
  EXPECT_TRUE(layout.skips("1671527189.294241015,false,,,,,,,"));
  EXPECT_FALSE(layout.skips("1671527189.3,true,232.3,0.0,0.0,0.1,20.9,0.4,80.5"));
}

TEST(ExternalLayout, RefusesAColumnThatIsNoPower) {
  EXPECT_THAT(error_of(kPlugs, {"current1"}), HasSubstr("holds no watts"));
  EXPECT_THAT(error_of(kPlugs, {"U1"}), HasSubstr("holds no watts"));
  EXPECT_THAT(error_of(kPlugs, {"1"}), HasSubstr("holds no watts"));
  EXPECT_THAT(error_of(kPlugs, {"activepow9"}), HasSubstr("has no column 'activepow9'"));
  EXPECT_THAT(error_of(kPlugs, {"77"}), HasSubstr("has no column '77'"));
}

TEST(ExternalLayout, OneWattmeterWithOnePlugNeedsNoChoice) {
  const ExternalLayout layout = layout_of(
      "#timestamp;#frame_is_ok;#U1;#current1;#activepow1\n1671527189.3;true;230,1;0,1;20,9\n");
  ASSERT_EQ(layout.channels.size(), 1U);
  EXPECT_EQ(watts(layout.channels[0], "1671527189.3;true;230,1;0,1;20,9"), 20.9);
  EXPECT_EQ(names(layout_of("#timestamp #U1 #activepow1\n1671527189.3 230 20.9\n"))[0], "");
}

TEST(ExternalLayout, FindsWattsOfNvidiaSmiByTheirUnit) {
  const char* row = "2024/05/01 12:00:00.123, 35 %, 83.51 W, 1024 MiB, 45";
  const ExternalLayout layout = layout_of(std::string(row) + "\n");
  ASSERT_EQ(layout.channels.size(), 1U);
  EXPECT_EQ(watts(layout.channels[0], row), 83.51);
  EXPECT_EQ(layout.channels[0].level, Level::Gpu);
  EXPECT_EQ(layout.channels[0].device, "gpu-0");
  EXPECT_EQ(layout.lines_before_rows, 0);
}

TEST(ExternalLayout, NeverGuessesAColumnOfNvidiaSmiWithoutUnits) {
  const std::string error = error_of("2024/05/01 12:00:00.123, 35, 83.51\n");
  EXPECT_THAT(error, HasSubstr("1 '2024/05/01 12:00:00.123' (time), 2 '35', 3 '83.51'"));
  EXPECT_THAT(error, HasSubstr("--external meter.csv:2"));
  // Not even the only one, which may be anything that was asked for.
  (void)error_of("2024/05/01 12:00:00.123, 35\n");
  const ExternalLayout chosen = layout_of("2024/05/01 12:00:00.123, 35, 83.51\n", {"3"});
  EXPECT_EQ(watts(chosen.channels.at(0), "2024/05/01 12:00:00.123, 35, 83.51"), 83.51);
  EXPECT_EQ(chosen.channels[0].level, Level::Gpu);
}

TEST(ExternalLayout, NeverTakesUtilisationForWatts) {
  (void)error_of("2024/05/01 12:00:00.123, 35 %\n");
  EXPECT_THAT(error_of("2024/05/01 12:00:00.123, 35 %, 83.51 W\n", {"2"}),
              HasSubstr("holds no watts"));
  EXPECT_THAT(error_of("timestamp, utilization.gpu [%], power.draw [W]\n", {"utilization.gpu"}),
              HasSubstr("holds no watts"));
}

TEST(ExternalLayout, ReadsTitlesOfNvidiaSmi) {
  const ExternalLayout layout = layout_of(
      "timestamp, utilization.gpu [%], power.draw [W], power.limit [W], power.draw.average [W]\n"
      "2024/05/01 12:00:00.123, 35 %, 83.51 W, 250.00 W, 80.00 W\n");
  ASSERT_EQ(layout.channels.size(), 1U);
  EXPECT_EQ(layout.channels[0].layout.power_column, 2U);
  EXPECT_EQ(layout.channels[0].level, Level::Gpu);
}

TEST(ExternalLayout, TellsCardsApartWhoseRowsTakeTurns) {
  std::string rows;
  for (int i = 0; i < 6; ++i) {
    for (int card = 0; card < 2; ++card) {
      rows +=
          fmt::format("2024/05/01 12:00:0{}.00{}, {}, {}.5 W, 35 %\n", i, card, card, 60 + card);
    }
  }
  const ExternalLayout layout = layout_of(rows);
  EXPECT_THAT(names(layout), ElementsAre("gpu-0", "gpu-1"));
  const RowLayout& second = layout.channels[1].layout;
  EXPECT_TRUE(second.skips("2024/05/01 12:00:00.000, 0, 60.5 W, 35 %"));
  EXPECT_FALSE(second.skips("2024/05/01 12:00:00.000, 1, 61.5 W, 35 %"));
  EXPECT_THAT(names(layout_of("timestamp, index, power.draw [W]\n" + rows)),
              ElementsAre("gpu-0", "gpu-1"));
  EXPECT_THAT(names(layout_of(rows, {"3"}, "2")), ElementsAre("3:gpu-0", "3:gpu-1"));
}

TEST(ExternalLayout, TellsCardsApartByTheirIdentifiers) {
  const ExternalLayout layout = layout_of(
      "2024/05/01 12:00:00.000, GPU-5a3c, 60.5 W\n2024/05/01 12:00:00.001, GPU-77ff, 40.5 W\n");
  EXPECT_THAT(names(layout), ElementsAre("GPU-5a3c", "GPU-77ff"));
}

TEST(ExternalLayout, RefusesRowsOfSeveralCardsThatCannotBeToldApart) {
  std::string rows;
  for (int i = 0; i < 6; ++i) {
    rows +=
        fmt::format("2024/05/01 12:00:0{}.000, 60.5 W\n2024/05/01 12:00:0{}.001, 40.5 W\n", i, i);
  }
  EXPECT_THAT(error_of(rows), HasSubstr("no column tells them apart"));
}

/// Two cards of one name, six times.
std::string rows_of_two(const std::string& first, const std::string& second) {
  std::string rows;
  for (int i = 0; i < 6; ++i) {
    rows += fmt::format("2024/05/01 12:00:0{}.000, NVIDIA A100, {}60.5 W\n", i, first);
    rows += fmt::format("2024/05/01 12:00:0{}.001, NVIDIA A100, {}40.5 W\n", i, second);
  }
  return rows;
}

TEST(ExternalLayout, RefusesAColumnThatDoesNotTellCardsApart) {
  const std::string problem = error_of(rows_of_two("", ""), {"3"}, "2");
  EXPECT_THAT(problem, HasSubstr("column 2 does not tell the devices apart"));
  EXPECT_THAT(problem, HasSubstr("no column tells them apart; record one"));
  EXPECT_THAT(error_of(rows_of_two("left, ", "right, "), {"4"}, "2"),
              HasSubstr("column 3 may tell them apart; name it: --external meter.csv:4,by=3"));
  EXPECT_THAT(names(layout_of(rows_of_two("left, ", "right, "), {"4"}, "3")),
              ElementsAre("4:left", "4:right"));
}

TEST(ExternalLayout, AdviceOnSeveralCardsNamesAColumnThatWorks) {
  EXPECT_THAT(error_of(rows_of_two("left, ", "right, "), {"4"}), HasSubstr("meter.csv:4,by=3"));
  EXPECT_THAT(error_of(rows_of_two("", ""), {"3"}), Not(HasSubstr("by=")));
}

TEST(ExternalLayout, ReadsWhatNvidiaSmiDmonPrints) {
  const ExternalLayout layout = layout_of(
      "#Time        gpu    pwr  gtemp  mtemp\n#HH:MM:SS    Idx      W      C      C\n"
      " 12:00:00      0     83     45      -\n 12:00:00      1     60     45      -\n");
  EXPECT_THAT(names(layout), ElementsAre("gpu-0", "gpu-1"));
  EXPECT_EQ(watts(layout.channels[1], " 12:00:01      1     60     45      -"), 60);
}

TEST(ExternalLayout, SaysWhereNoColumnCanBeWatts) {
  EXPECT_THAT(error_of("2024/05/01 12:00:00.000, 97 %, 1024 MiB\n"),
              HasSubstr("no column holds watts; record the power as well"));
  EXPECT_THAT(error_of("timestamp, utilization.gpu [%]\n2024/05/01 12:00:00.000, 97 %\n"),
              HasSubstr("no column holds watts"));
  EXPECT_THAT(error_of("time,voltage,#cosphi1\n1700000000,230,0.9\n"),
              HasSubstr("no column holds watts"));
}

TEST(ExternalLayout, NeverTakesAnotherQuantityForWatts) {
  for (const char* title : {"voltage", "gpu_util", "utilization.gpu [%]", "temperature_c", "fan",
                            "energy_wh", "memory.used", "cosphi1", "usage"}) {
    EXPECT_THAT(error_of(fmt::format("time,{}\n1700000000,97\n1700000001,97\n", title)),
                HasSubstr("no column holds watts"))
        << title;
  }
  for (const char* plain : {"time,value\n1700000000,97\n", "time,value\n1700000000,97 W\n"})
    EXPECT_EQ(layout_of(plain).channels.at(0).layout.power_column, 1U) << plain;
}

TEST(ExternalLayout, KnowsPowerByManyNames) {
  for (const char* title : {"power", "Watts", "P", "W", "current_power_w", "Active Power (kW)",
                            "Puissance [W]", "Leistung (W)", "Current power", "gpu_w"}) {
    const ExternalLayout layout =
        layout_of(fmt::format("time,voltage (V),{},energy (Wh),power factor\n1,2,3,4,5\n", title));
    EXPECT_EQ(layout.channels.at(0).layout.power_column, 2U) << title;
  }
}

}  // namespace
}  // namespace jouletree::meters
