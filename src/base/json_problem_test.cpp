#include "base/json_problem.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace jouletree {
namespace {

using Json = nlohmann::ordered_json;

template <class Work>
std::string problem_of(const Work& work, std::string_view text = {}) {
  try {
    work();
  } catch (const std::exception& error) {
    return json_problem(error, text);
  }
  return "none";
}

std::string problem_of_text(const std::string& text) {
  return problem_of([&] { [[maybe_unused]] const Json json = Json::parse(text); }, text);
}

TEST(JsonProblem, TellsThePlaceOfWhatIsNotJson) {
  EXPECT_EQ(problem_of_text("{\n  \"a\": 1,\n  b: 2}"), "line 3, column 3 is not valid JSON");
  EXPECT_EQ(problem_of_text("a letter"), "line 1, column 1 is not valid JSON");
  EXPECT_EQ(problem_of([] { [[maybe_unused]] const Json json = Json::parse("x"); }),
            "it is not valid JSON");
}

TEST(JsonProblem, TellsThatATextEndsTooEarly) {
  EXPECT_EQ(problem_of_text("{\"a\": [1, 2"), "it ends too early; it may have been cut off");
}

TEST(JsonProblem, NamesTheMissingKey) {
  const Json json = {{"a", 1}};
  EXPECT_EQ(problem_of([&] { (void)json.at("it's"); }), "the key 'it's' is missing");
}

TEST(JsonProblem, NamesTheTypes) {
  const Json json = {{"a", "text"}};
  EXPECT_EQ(problem_of([&] { (void)json.at("a").get<double>(); }),
            "a value should be of type number, but is string");
  EXPECT_EQ(problem_of([&] { (void)json.at("a").at("b"); }),
            "its content is not laid out as expected");
}

TEST(JsonProblem, NeverPassesOnTheTextOfTheLibrary) {
  const Json json = {{"a", {1, 2}}};
  for (const std::string& problem :
       {problem_of([&] { (void)json.at("a").at(7); }), problem_of([&] { (void)json.at("b"); }),
        problem_of([&] { (void)json.at("a").get<std::string>(); }),
        problem_of([&] { (void)json.items().begin().key().at(99); }),
        problem_of([] { [[maybe_unused]] const Json big = Json::parse("[1e999]"); }),
        problem_of_text("\"\xFF\"")})
    EXPECT_EQ(problem.find("json.exception"), std::string::npos) << problem;
}

TEST(JsonProblem, LeavesOtherExceptionsAsTheyAre) {
  EXPECT_EQ(json_problem(std::runtime_error("no room")), "no room");
}

}  // namespace
}  // namespace jouletree
