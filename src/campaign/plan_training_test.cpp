#include "campaign/plan_training.hpp"

#include <fstream>

#include <gmock/gmock.h>

#include "campaign/expansion.hpp"
#include "campaign/recipe.hpp"
#include "jouletree/error.hpp"
#include "support/empty_zip.hpp"
#include "support/temp_folder.hpp"
#include "zoo/build_model.hpp"
#include "zoo/catalogue.hpp"

namespace jouletree::campaign {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using testing::UnorderedElementsAre;

constexpr const char* kModel = "models: [{python: 'nets:make', inputs: {x: [batch, 8]}}]\n";
constexpr const char* kModes = "modes: [inference, training]\n";

Expansion expansion_of(const std::string& rest) {
  return expand(parse_plan(kModel + ("dims: {batch: 4}\n" + rest), "plan.yml"));
}

std::vector<std::string> training_labels(const std::string& rest) {
  std::vector<std::string> labels;
  for (const Item& item : expansion_of(rest).items) labels.push_back(item.label());
  return labels;
}

/// Of a plan whose third line is modes and whose fourth is `line`.
std::string training_problem(const std::string& line) {
  try {
    (void)expansion_of(kModes + line);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    return error.what();
  }
  return "none";
}

nlohmann::json recipe_of(const Item& item, const std::filesystem::path& plans = "/plans") {
  const test::TempFolder folder;
  const auto recipe = recipe_for(item, plans, folder.path());
  if (!recipe) return nullptr;
  std::ifstream stream(recipe->file);
  return nlohmann::json::parse(stream);
}

TEST(PlanTraining, AFunctionOfPythonIsTrainedToo) {
  EXPECT_THAT(training_labels(kModes), ElementsAre("nets:make x=4x8", "nets:make x=4x8, training"));
  EXPECT_THAT(training_labels("modes: training\n"), ElementsAre("nets:make x=4x8, training"));
  EXPECT_THAT(training_labels("modes: train\n"), ElementsAre("nets:make x=4x8, training"));
}

TEST(PlanTraining, AnItemOfInferenceHasTheSpecThatItAlwaysHad) {
  const std::string before =
      R"({"model":{"python":"nets:make","arguments":{}},"inputs":{"x":"4x8"},"dims":{},)"
      R"("engine":"torch","device":"cpu","threads":1,"mode":"inference","level":"all",)"
      R"("cache":"model","precision":0.02,"budget_s":null,"target":0.9,"baseline_s":2.0,)"
      R"("modules":true,"include":[],"leave_out":[],"python":""})";
  const Expansion expansion =
      expansion_of(std::string(kModes) + "training: {optimizer: adam, learning_rate: 0.01}\n");
  ASSERT_THAT(expansion.items, SizeIs(2));
  EXPECT_EQ(expansion.items[0].spec(), before);
  EXPECT_EQ(Item::parse(before).spec(), before);
  const std::string trained = expansion.items[1].spec();
  EXPECT_THAT(trained, HasSubstr(R"("mode":"training")"));
  EXPECT_THAT(trained, HasSubstr(R"("optimizer":"adam","learning_rate":0.01,"momentum":null)"));
  EXPECT_EQ(Item::parse(trained).spec(), trained);
}

TEST(PlanTraining, AModelsOwnSettingsWin) {
  const auto items = expand(parse_plan("models:\n"
                                       "  - {python: 'nets:a', inputs: {x: 4x8}}\n"
                                       "  - python: nets:b\n"
                                       "    inputs: {x: 4x8}\n"
                                       "    training: {loss: 'nets:own'}\n"
                                       "modes: training\ntraining: {optimizer: adamw}\n",
                                       "plan.yml"))
                         .items;
  ASSERT_THAT(items, SizeIs(2));
  EXPECT_EQ(items[0].label(), "nets:a x=4x8, training optimizer=adamw");
  EXPECT_EQ(items[1].label(), "nets:b x=4x8, training loss=nets:own");
}

TEST(PlanTraining, ATargetHasNamesOfDimensionsAndAType) {
  const std::string modes = "modes: training\n";
  EXPECT_THAT(training_labels(modes + "training: {loss: mse_loss, target: [batch, 3]}\n"),
              ElementsAre("nets:make x=4x8, training loss=mse_loss target=4x3"));
  const auto items =
      expansion_of(modes +
                   "training: {loss: cross_entropy, target: {shape: [batch], type: int32}}\n")
          .items;
  ASSERT_THAT(items, SizeIs(1));
  EXPECT_EQ(items[0].training->target, "4:int32");
  const nlohmann::json training = recipe_of(items[0]).at("training");
  EXPECT_EQ(training.at("target"), nlohmann::json({4}));
  EXPECT_EQ(training.at("target_type"), "int32");
  EXPECT_EQ(training.at("learning_rate"), nullptr);
}

TEST(PlanTraining, ADimensionOfTheTargetAloneTrainsSeveralTimesAndInfersOnce) {
  const auto items = expand(parse_plan("models: [{python: 'nets:make', inputs: {x: 4x8}}]\n"
                                       "dims: {classes: [2, 3]}\nmodes: [inference, training]\n"
                                       "training: {loss: mse_loss, target: [4, classes]}\n",
                                       "plan.yml"))
                         .items;
  EXPECT_THAT(items, SizeIs(3));
}

TEST(PlanTraining, ARecipeHoldsAllThatPythonNeeds) {
  const auto items = expand(parse_plan("models:\n  - python: nets:Net.wide\n"
                                       "    arguments: {config: {width: 8, name: a}}\n"
                                       "    inputs: {y: 4x8, x: 4x2:int64}\n",
                                       "plan.yml"))
                         .items;
  ASSERT_THAT(items, SizeIs(1));
  const nlohmann::json recipe = recipe_of(items[0]);
  EXPECT_EQ(recipe.at("jouletree_recipe"), 1);
  EXPECT_EQ(recipe.at("function"), "nets:Net.wide");
  EXPECT_EQ(recipe.at("arguments"), (nlohmann::json{{"config", {{"width", 8}, {"name", "a"}}}}));
  EXPECT_EQ(recipe.at("inputs"), nlohmann::json({"y", "x"}));
  EXPECT_EQ(recipe.at("folder"), "/plans");
  EXPECT_EQ(recipe.at("training"), nullptr);
}

TEST(PlanTraining, OnlyPyTorchNeedsARecipe) {
  Item item;
  item.target = "mobilenet-v2";
  item.engine = "onnxruntime";
  item.python = "/usr/bin/python3";
  EXPECT_EQ(recipe_of(item), nullptr);
  // ONNX Runtime refuses what is for PyTorch.
  EXPECT_EQ(item.profile_settings().python, "");
}

TEST(PlanTraining, OfFilesPyTorchTrainsTorchScriptOnly) {
  const test::TempFolder folder;
  folder.write("scripted.pt",
               test::empty_zip({"m/data.pkl", "m/code/__torch__/m.py", "m/constants.pkl"}));
  folder.write("exported.pt2", test::empty_zip({"p/serialized_exported_program.json"}));
  const zoo::Architecture& row = zoo::find_architecture("bert-l2-h128");
  zoo::build_model(row, row.settings, 1, folder.path() / "net.onnx");
  const auto plan_with = [&](const std::string& text) {
    return read_plan(folder.write("plan.yml", text));
  };

  const Expansion expansion = expand(plan_with(
      "models: [scripted.pt, exported.pt2, net.onnx]\ninputs: {x: 4x8}\nmodes: training\n"));

  ASSERT_THAT(expansion.items, SizeIs(1));
  EXPECT_EQ(expansion.items[0].label(), "scripted.pt x=4x8, training");
  const nlohmann::json recipe = recipe_of(expansion.items[0], folder.path());
  EXPECT_EQ(recipe.at("function"), "");
  EXPECT_EQ(recipe.at("file"), (folder.path() / "scripted.pt").string());
  EXPECT_THAT(expansion.notes,
              UnorderedElementsAre(
                  HasSubstr("1 combination left out: ONNX Runtime runs models for inference"),
                  HasSubstr("1 combination left out: programs of torch.export run for inference")));
  try {
    (void)expand(
        plan_with("models:\n  - file: net.onnx\n    training: {optimizer: adam}\n"
                  "modes: [inference, training]\n"));
    FAIL() << "an ONNX file was trained";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("line 3: models.training: is for models that PyTorch runs; "
                                        "net.onnx runs in ONNX Runtime"));
  }
}

TEST(PlanTraining, ErrorsNameFileLineAndKey) {
  EXPECT_EQ(training_problem("training: {loss: cross_entrpy}\n"),
            "plan.yml: line 4: training.loss: there is no loss 'cross_entrpy'; did you mean "
            "cross_entropy?");
  EXPECT_THAT(training_problem("training: {optimizer: zzzzzzzzzzzzz}\n"),
              HasSubstr("line 4: training.optimizer: there is no optimizer 'zzzzzzzzzzzzz'; give "
                        "package.module:function, or one of sgd, adam, adamw, none"));
  EXPECT_EQ(training_problem("training: {target: 4x3}\n"),
            "plan.yml: line 4: training: target needs a loss that compares with it, such as loss: "
            "cross_entropy");
  EXPECT_THAT(training_problem("training: {loss: mse_loss}\n"),
              HasSubstr("line 4: training: loss: mse_loss compares with a target"));
  EXPECT_THAT(training_problem("training: {loss: mse_loss, target: [batch, classes]}\n"),
              HasSubstr("line 4: training: target: classes is neither a number nor a name"));
  EXPECT_THAT(training_problem("training: {loss: mse_loss, target: {shape: 4x3, type: int65}}\n"),
              HasSubstr("line 4: training.target.type: there is no element type 'int65'"));
  EXPECT_THAT(training_problem("training: {loss: mse_loss, target: {type: int64}}\n"),
              HasSubstr("line 4: training.target: say which shape"));
  EXPECT_THAT(training_problem("training: {learning_rate: fast}\n"),
              HasSubstr("line 4: training.learning_rate: give a number above 0"));
  EXPECT_THAT(training_problem("training: {learning_rate: 0}\n"),
              HasSubstr("line 4: training.learning_rate: give a number above 0"));
  EXPECT_THAT(training_problem("training: {optimizer: adam, momentum: 0.9}\n"),
              HasSubstr("line 4: training: momentum is for sgd, not for adam"));
  EXPECT_THAT(training_problem("training: {optimizer: 'nets:own', learning_rate: 1}\n"),
              HasSubstr("line 4: training: learning_rate is for sgd, adam and adamw"));
  EXPECT_THAT(training_problem("training: {optimiser: adam}\n"),
              HasSubstr("line 4: training.optimiser: unknown key; did you mean optimizer?"));
}

TEST(PlanTraining, IsRefusedWhereNothingIsTrained) {
  const auto problem = [](const std::string& text) -> std::string {
    try {
      (void)expand(parse_plan(text, "plan.yml"));
    } catch (const Error& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_EQ(problem(std::string(kModel) + "dims: {batch: 4}\ntraining: {optimizer: adam}\n"),
            "plan.yml: line 3: training: nothing is trained: add modes: [inference, training]");
  EXPECT_THAT(problem("models: [{zoo: mobilenet-v2, training: {optimizer: adam}}]\n"),
              HasSubstr("line 1: models.training: is for models that PyTorch runs"));
  EXPECT_THAT(problem("models: [mobilenet-v2]\nmodes: training\n"),
              HasSubstr("there is nothing to measure: 1 combination left out: ONNX Runtime runs"));
}

}  // namespace
}  // namespace jouletree::campaign
