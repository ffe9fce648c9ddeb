#include "predict/stored_fits.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jouletree/error.hpp"
#include "support/synthetic_runs.hpp"

namespace jouletree::predict {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

Json predictor_of(std::string_view method) {
  TrainOptions options;
  options.method = method;
  if (method == "forest") options.config = R"({"trees": 3})";
  return Json::parse(Predictor::train(test::synthetic_runs(), options).text());
}

std::string refusal_of(const std::string& text) {
  try {
    (void)Predictor::parse(text, "p.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    EXPECT_THAT(error.what(), HasSubstr("p.json: "));
    return error.what();
  }
  return "no problem";
}

/// What reading says where the values at the paths are replaced.
std::string refusal_with(Json json, const char* pointer, const Json& value) {
  const Json::json_pointer place(pointer);
  EXPECT_TRUE(json.contains(place)) << pointer;
  json[place] = value;
  return refusal_of(json.dump());
}

TEST(StoredFits, AForestLooksAtFeaturesThatAreThere) {
  const Json forest = predictor_of("forest");
  const std::string group = forest.at("energy").at("fit").at("operators").begin().key();
  const std::string node = "/energy/fit/operators/" + group + "/0/0";
  for (const Json& feature : {Json(10), Json(50), Json(1000000), Json(-2), Json(1e300), Json(1.5)})
    EXPECT_THAT(refusal_with(forest, (node + "/0").c_str(), feature),
                HasSubstr("the feature of a forest is no whole number from -1 to 9"));
  EXPECT_THAT(refusal_with(forest, "/energy/fit/modules/0/0/0", 99), HasSubstr("from -1 to 9"));
}

TEST(StoredFits, ATreeOfAForestLeadsForwardsAndIsNotEmpty) {
  const Json forest = predictor_of("forest");
  const std::string tree =
      "/energy/fit/operators/" + forest["energy"]["fit"]["operators"].begin().key() + "/0";
  const Json circle = {{0, 1.0, 0, 0}};
  EXPECT_THAT(refusal_with(forest, tree.c_str(), circle), HasSubstr("a branch of a forest"));
  EXPECT_THAT(refusal_with(forest, tree.c_str(), {{0, 1.0, -1, 4294967297}}),
              HasSubstr("a branch of a forest"));
  EXPECT_THAT(refusal_with(forest, tree.c_str(), Json::array()), HasSubstr("is empty"));
  EXPECT_THAT(refusal_with(forest, "/energy/fit/modules", Json::array()),
              HasSubstr("has no trees"));
}

TEST(StoredFits, AWaveHasASize) {
  const Json ledger = predictor_of("ledger");
  for (const auto& [group, price] : ledger["energy"]["fit"]["groups"].items()) {
    if (!price.contains("wave")) continue;
    for (const char* size : {"tile_rows", "tile_columns", "slots"}) {
      const std::string place = "/energy/fit/groups/" + group + "/wave/" + size;
      for (const Json& value : {Json(0), Json(-1), Json(1e30)})
        EXPECT_THAT(refusal_with(ledger, place.c_str(), value), HasSubstr("is not above 0"));
      EXPECT_THAT(refusal_with(ledger, place.c_str(), nullptr), HasSubstr("should be of type"));
    }
  }
}

TEST(StoredFits, AMeasuredPriceIsNotNull) {
  Json ledger = predictor_of("ledger");
  ledger["energy"]["fit"]["measured"]["linear"] = nullptr;
  EXPECT_NE(refusal_of(ledger.dump()), "no problem");
  ledger = predictor_of("ledger");
  ledger["time"]["fit"]["measured_any"] = nullptr;
  EXPECT_EQ(refusal_of(ledger.dump()), "no problem");
}

TEST(StoredFits, LayersOfNeuralPowerHaveAllTheirCoefficients) {
  const Json power = predictor_of("neuralpower");
  const std::string layer =
      "/energy/fit/layers/" + power["energy"]["fit"]["layers"].begin().key() + "/time/";
  for (const Json& list : {Json::array(), Json::array({1.0, 2.0, 3.0})})
    EXPECT_THAT(refusal_with(power, (layer + "coefficients").c_str(), list),
                HasSubstr("but must be"));
  for (const Json& degree : {Json(0), Json(4), Json(1e30), Json(2.5)})
    EXPECT_THAT(refusal_with(power, (layer + "degree").c_str(), degree),
                HasSubstr("a degree is no whole number from 1 to 3"));
  for (const Json& range : {Json::array({0, 1}), Json::array({-1, -1}), Json::array({2, 1})})
    EXPECT_THAT(refusal_with(power, (layer + "trained_values").c_str(), range),
                HasSubstr("are no range"));
}

TEST(StoredFits, IrenesVectorsFitItsFeatures) {
  const Json irene = predictor_of("irene");
  const std::string type =
      "/energy/fit/operators/" + irene["energy"]["fit"]["operators"].begin().key() + "/";
  for (const std::string& place :
       {std::string("/energy/fit/weights"), type + "coefficients", type + "standardizer/mean",
        type + "standardizer/scale", std::string("/energy/fit/standardizer/mean")}) {
    for (const Json& list : {Json::array(), Json::array({1.0})})
      EXPECT_THAT(refusal_with(irene, place.c_str(), list), HasSubstr("but must be")) << place;
  }
  Json scale = irene["energy"]["fit"]["standardizer"]["scale"];
  scale[0] = 0;
  EXPECT_THAT(refusal_with(irene, "/energy/fit/standardizer/scale", scale),
              HasSubstr("is not above 0"));
  EXPECT_THAT(refusal_with(irene, "/energy/fit/config/num_epochs", 1e300),
              HasSubstr("num_epochs is no whole number"));
}

TEST(StoredFits, WhatAllMethodsHaveIsChecked) {
  const Json ledger = predictor_of("ledger");
  for (const Json& level : {Json(0), Json(1), Json(-0.9), Json(1e9)})
    EXPECT_THAT(refusal_with(ledger, "/level", level), HasSubstr("the level of intervals is"));
  EXPECT_THAT(refusal_with(ledger, "/version", 1e300), HasSubstr("the version is no whole number"));
  EXPECT_THAT(refusal_with(ledger, "/trained_on/runs", -1), HasSubstr("runs is no whole number"));
  EXPECT_THAT(refusal_with(ledger, "/energy/log_half_widths/all/model", -1),
              HasSubstr("a half-width is -1"));
  const std::string group = ledger["trained_ranges"].begin().key();
  EXPECT_THAT(refusal_with(ledger, ("/trained_ranges/" + group + "/mflops").c_str(), {2, 1}),
              HasSubstr("are no range"));
}

TEST(StoredFits, NumbersThatDoNotFitAndDeepNestingAreSaidSo) {
  Json ledger = predictor_of("ledger");
  ledger["level"] = "LEVEL";
  ledger["config"] = "DEEP";
  std::string text = ledger.dump();
  text.replace(text.find("\"LEVEL\""), 7, "1e999");
  EXPECT_THAT(refusal_of(text), HasSubstr("a number is too large"));
  text.replace(text.find("1e999"), 5, "0.9");
  text.replace(text.find("\"DEEP\""), 6, std::string(100000, '[') + std::string(100000, ']'));
  EXPECT_THAT(refusal_of(text), HasSubstr("nested too deeply"));
}

TEST(StoredFits, NoValueThatIsReplacedByAnotherKindEndsTheProgram) {
  // Each place of a file, one after the other.
  for (const std::string_view method : prediction_methods()) {
    const Json good = predictor_of(method);
    const std::vector<TreeRun> runs = test::synthetic_runs();
    const Json flat = good.flatten();
    std::size_t step = 0;
    for (const auto& [place, value] : flat.items()) {
      // Long lists are all alike.
      if (++step % (1 + flat.size() / 8) != 0) continue;
      for (const Json& other : {Json(nullptr), Json(-1), Json(0), Json(1e18), Json("x"),
                                Json(1e300), Json::array(), Json::object()}) {
        Json changed = good;
        changed[Json::json_pointer(place)] = other;
        try {
          const Predictor read = Predictor::parse(changed.dump(), "p.json");
          (void)read.predict(runs[0], read.usable_features(runs[0]));
          (void)read.explain();
          (void)read.explain(runs[0], 0, read.usable_features(runs[0]));
        } catch (const Error& error) {
          EXPECT_THAT(error.kind(), AnyOf(ErrorKind::BadInput));
        }
      }
    }
  }
}

TEST(StoredFits, TheLevelOfIntervalsIsAShare) {
  TrainOptions options;
  for (const double level : {0.0, 1.0, -1.0, std::nan("")}) {
    options.level = level;
    EXPECT_THROW((void)Predictor::train(test::synthetic_runs(), options), Error);
    EXPECT_THROW((void)crossvalidate(test::synthetic_runs(), LeaveOut::Model, options), Error);
  }
}

}  // namespace
}  // namespace jouletree::predict
