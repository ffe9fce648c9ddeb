#include "store/recorded_value.hpp"

#include <gtest/gtest.h>

namespace jouletree::store {
namespace {

using OrderedJson = nlohmann::ordered_json;

std::optional<double> watts(const char* text) {
  return recorded_watts(OrderedJson::parse(text)).value;
}
bool understood(const char* text) { return recorded_watts(OrderedJson::parse(text)).understood; }

TEST(RecordedValue, ReadsNumbersAndTextsWithUnits) {
  EXPECT_EQ(watts("83.5"), 83.5);
  EXPECT_EQ(watts("\"83.5\""), 83.5);
  EXPECT_EQ(watts("\" 83.5 W \""), 83.5);
  EXPECT_EQ(watts("\"83500 mW\""), 83.5);
  EXPECT_EQ(recorded_bytes(OrderedJson("2 MiB")).value, 2 << 20);
  EXPECT_EQ(recorded_number(OrderedJson("35 %")).value, 35);
}

TEST(RecordedValue, SumsPartsByNumber) {
  EXPECT_EQ(watts("[1.5, 2]"), 3.5);
  EXPECT_EQ(watts(R"({"0": 60, "1": "40 W"})"), 100);
  EXPECT_EQ(watts(R"({"package-0": 30, "package-1": 20})"), 50);
  // Not once more on top.
  EXPECT_EQ(watts(R"({"0": 60, "1": 40, "all": 100})"), 100);
}

TEST(RecordedValue, UnknownIsNotZero) {
  for (const char* text : {"null", "-1", "\"N/A\"", "\"[Not Supported]\"", "\"\"", "{}", "[]",
                           R"({"0": 60, "1": null})"}) {
    EXPECT_FALSE(watts(text)) << text;
    EXPECT_TRUE(understood(text)) << text;
  }
}

TEST(RecordedValue, SaysWhatItDoesNotUnderstand) {
  for (const char* text : {"\"35 %\"", "\"12 hp\"", "\"lots\"", "true",
                           R"({"power": 60, "limit": 250})", R"({"0": {"power": 3}})"}) {
    EXPECT_FALSE(watts(text)) << text;
    EXPECT_FALSE(understood(text)) << text;
  }
}

TEST(RecordedValue, TakesTheMemoryThatIsUsed) {
  EXPECT_EQ(recorded_bytes(OrderedJson::parse(R"({"used": 5, "total": 9, "free": 4})")).value, 5);
  EXPECT_EQ(recorded_bytes(OrderedJson::parse(R"({"77": 5, "78": null})")).value, 5);
}

}  // namespace
}  // namespace jouletree::store
