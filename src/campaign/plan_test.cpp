#include "campaign/plan.hpp"

#include <fstream>

#include <gmock/gmock.h>

#include "campaign/expansion.hpp"
#include "jouletree/error.hpp"
#include "support/sample_programs.hpp"
#include "support/temp_folder.hpp"
#include "zoo/build_model.hpp"
#include "zoo/catalogue.hpp"

namespace jouletree::campaign {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

std::string problem_of(const std::string& text) {
  try {
    (void)expand(parse_plan(text, "plan.yml"));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    return error.what();
  }
  return "none";
}

std::vector<std::string> labels_of(const std::string& text) {
  std::vector<std::string> labels;
  for (const Item& item : expand(parse_plan(text, "plan.yml")).items)
    labels.push_back(item.label());
  return labels;
}

TEST(Plan, MultipliesAllLists) {
  EXPECT_THAT(
      labels_of("models: [{zoo: bert-l2-h128, set: {layers: [2, 4]}}]\n"
                "dims: {batch: [1, 8]}\nthreads: [1, 2]\n"),
      ElementsAre("bert-l2-h128 layers=2 batch=1", "bert-l2-h128 layers=2 batch=1, 2 threads",
                  "bert-l2-h128 layers=2 batch=8", "bert-l2-h128 layers=2 batch=8, 2 threads",
                  "bert-l2-h128 layers=4 batch=1", "bert-l2-h128 layers=4 batch=1, 2 threads",
                  "bert-l2-h128 layers=4 batch=8", "bert-l2-h128 layers=4 batch=8, 2 threads"));
}

TEST(Plan, ReadsRangesByStepAndByFactor) {
  EXPECT_THAT(labels_of("models: [mobilenet-v2]\ndims: {batch: {from: 1, to: 8, times: 2}}\n"),
              ElementsAre("mobilenet-v2 batch=1", "mobilenet-v2 batch=2", "mobilenet-v2 batch=4",
                          "mobilenet-v2 batch=8"));
  EXPECT_THAT(labels_of("models: [mobilenet-v2]\ndims: {batch: [1, {from: 4, to: 6, step: 2}]}\n"),
              SizeIs(3));
}

TEST(Plan, SetsTextsOfTheZooAsWellAsNumbers) {
  const std::string cell = "|none~0|+|none~0|skip_connect~1|+|none~0|none~1|avg_pool_3x3~2|";
  const std::string other = "|none~0|+|none~0|skip_connect~1|+|none~0|none~1|nor_conv_1x1~2|";
  const auto items = expand(parse_plan("models:\n  - zoo: nas-bench-201\n    set:\n      arch: ['" +
                                           cell + "', '" + other + "']\n      cells: [1, 2]\n",
                                       "plan.yml"))
                         .items;
  ASSERT_THAT(items, SizeIs(4));
  EXPECT_EQ(items[1].label(), "nas-bench-201 arch=" + cell + " cells=2");
  EXPECT_THAT(items[1].spec(), HasSubstr("\"set\":{\"arch\":\"" + cell + "\",\"cells\":2}"));
  EXPECT_EQ(Item::parse(items[2].spec()).spec(), items[2].spec());
  const auto graph = graph_of(Item::parse(items[2].spec()), "");
  EXPECT_NE(graph->main.nodes.size(), graph_of(items[0], "")->main.nodes.size());
}

TEST(Plan, ErrorsOfSettingsNameTheirPlace) {
  const auto problem_with = [](const std::string& zoo, const std::string& settings) {
    return problem_of("models:\n  - zoo: " + zoo + "\n    set:\n" + settings);
  };
  EXPECT_EQ(problem_with("resnet-18", "      width: 32\n      blocks1: 1048576\n"),
            "plan.yml: line 5: models.set.blocks1: blocks1=1048576: give a number from 1 to 1024");
  EXPECT_EQ(
      problem_with("vgg-11", "      convolutions1:\n        - 1\n        - 1048576\n"),
      "plan.yml: line 6: models.set.convolutions1: convolutions1=1048576: give a number from 1 "
      "to 1024");
  EXPECT_THAT(problem_with("resnet-18", "      \"a\\eb\": 2\n"),
              HasSubstr("plan.yml: line 4: models.set.a?b: there is no setting"));
  EXPECT_EQ(problem_with("resnet-18", "      width: many\n"),
            "plan.yml: line 4: models.set.width: many is no whole number");
  EXPECT_EQ(problem_with("nas-bench-201", "      arch: {from: 1, to: 2}\n"),
            "plan.yml: line 4: models.set.arch: give one text");
  EXPECT_THAT(problem_with("nas-bench-201", "      arch: none\n"),
              HasSubstr("plan.yml: line 3: models.set: arch=none: has 1 node"));
  EXPECT_EQ(problem_with("bert-l2-h128", "      width: [128, 130]\n      heads: 4\n"),
            "plan.yml: line 3: models.set: width=130 cannot be divided by heads=4");
  EXPECT_THAT(problem_with("resnet-18", "      width: 1048576\n"),
              HasSubstr("plan.yml: line 3: models.set: the weights take more than 1.00 PiB"));
  EXPECT_THAT(problem_with("ctrl", "      positions: 1048576\n"),
              HasSubstr("plan.yml: line 3: models.set: positions and width are a table of"));
}

TEST(Plan, FewWordsDoNotStandForMoreThanAMachineHolds) {
  const std::string many = "{from: 1, to: 1000}";
  EXPECT_THAT(problem_of("models:\n  - zoo: bert-l2-h128\n    set: {layers: " + many +
                         ", hidden: " + many + ", types: [1, 2]}\n"),
              HasSubstr("line 3: models.set: types: gives more combinations"));
  EXPECT_THAT(
      problem_of("models: [resnet-18]\ndims:\n  batch: [{from: 1, to: 90000}, {from: 1, to: "
                 "90000}]\n"),
      HasSubstr("line 3: dims.batch: has more than 100000 values"));
  EXPECT_THAT(labels_of("models: [resnet-18]\ndims: {batch: {from: 1099511627775, to: "
                        "1099511627776, times: 1099511627776}}\n"),
              ElementsAre("resnet-18 batch=1099511627775"));
  std::string names;
  for (int i = 0; i < 100; ++i) names += "      name" + std::to_string(i) + ": 1\n";
  EXPECT_THAT(problem_of("models:\n  - python: a:b\n    inputs: {x: 1x3}\n    arguments:\n      z: "
                         "[[1], [2]]\n      y: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\n"
                         "      x: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\n"
                         "      w: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\n"
                         "      v: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\n"
                         "      u: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\n" +
                         names),
              HasSubstr("line 2: models: u: gives more combinations"));
  std::string ones = "1";
  for (int i = 0; i < 2000; ++i) ones += ", 1";
  EXPECT_THAT(problem_of("models: [resnet-18]\nthreads: [" + ones + "]\ndevices: [" + ones + "]\n"),
              HasSubstr("plan.yml: gives more than a million items"));
  std::string types = "Conv";
  for (int i = 0; i < 1000; ++i) types += ", Conv";
  EXPECT_THAT(problem_of("models: [resnet-18]\noperators: {include: [" + types + "]}\n"),
              HasSubstr("line 2: operators.include: has more than 1000 types"));
  EXPECT_THAT(problem_of("models: [" + std::string(std::size_t{5} << 20U, 'x') + "]\n"),
              HasSubstr("plan.yml: is larger than 4 MiB"));
}

TEST(Plan, RefusesSizesThatNoTensorHas) {
  const std::string row = "models:\n  - python: a:b\n    inputs:\n      x: ";
  for (const char* shape : {"99999999999999999999x3", "[3, 99999999999999999999]",
                            "{shape: [1099511627777], type: int64}", "3x1099511627777:int64"})
    EXPECT_THAT(problem_of(row + shape + "\n"), AllOf(HasSubstr("line 4: models.inputs.x"),
                                                      HasSubstr("is larger than a size can be")))
        << shape;
  std::string long_shape = "1";
  for (int i = 0; i < 64; ++i) long_shape += "x1";
  EXPECT_THAT(problem_of(row + long_shape + "\n"),
              HasSubstr("has 65 sizes; a shape has 64 at most"));
  EXPECT_EQ(problem_of("name: \"a\\e[31m\"\nmodels: [resnet-18]\n"),
            "plan.yml: line 1: name: has characters that steer terminals; leave them out");
}

TEST(Plan, MeasuresAModelOnceForADimensionThatItLacks) {
  EXPECT_THAT(labels_of("models: [mobilenet-v2, bert-l2-h128]\ndims: {sequence: [16, 32]}\n"),
              ElementsAre("mobilenet-v2", "bert-l2-h128 sequence=16", "bert-l2-h128 sequence=32"));
}

TEST(Plan, TakesFilesFromItsOwnFolder) {
  const test::TempFolder folder;
  const zoo::Architecture& row = zoo::find_architecture("bert-l2-h128");
  zoo::build_model(row, row.settings, 1, folder.path() / "net.onnx");
  std::ofstream(folder.path() / "plan.yml")
      << "name: files\nmodels: [net.onnx, {file: net.onnx}]\n";

  const Plan plan = read_plan(folder.path() / "plan.yml");

  EXPECT_EQ(plan.name, "files");
  ASSERT_THAT(expand(plan).items, SizeIs(1));
  EXPECT_EQ(expand(plan).items[0].kind, Item::Kind::File);
}

TEST(Plan, AnExportedProgramTellsItsInputs) {
  const test::TempFolder folder;
  folder.write("my net.pt2", test::linear_program().bytes());
  const auto items_of = [&](const std::string& rest) {
    const std::string text = "models: ['my net.pt2']\n" + rest;
    return expand(parse_plan(text, folder.path() / "plan.yml")).items;
  };
  ASSERT_THAT(items_of(""), SizeIs(1));
  EXPECT_THAT(items_of("")[0].inputs, testing::IsEmpty());
  const auto sized = items_of("dims: {s77: [2, 8]}\n");
  ASSERT_THAT(sized, SizeIs(2));
  EXPECT_EQ(sized[1].label(), "my net.pt2 s77=8");
  const auto shaped = items_of("inputs: {x: [s77, 3]}\ndims: {s77: [2]}\n");
  ASSERT_THAT(shaped, SizeIs(1));
  EXPECT_EQ(shaped[0].label(), "my net.pt2 x=2x3") << "the size stands in the shape";
  refuse_sizes(shaped[0], folder.path());

  const Item wrong = items_of("inputs: {x: 2x4}\n")[0];
  EXPECT_THROW(refuse_sizes(wrong, folder.path()), Error);
}

TEST(Plan, AsksPythonForItsFunctions) {
  const auto items = expand(parse_plan("models:\n  - python: nets.small:make\n"
                                       "    arguments: {width: [8, 16]}\n"
                                       "    inputs: {x: [batch, 3, 32, 32]}\n"
                                       "dims: {batch: [1, 2]}\n",
                                       "plan.yml"))
                         .items;
  ASSERT_THAT(items, SizeIs(4));
  EXPECT_EQ(items[1].label(), "nets.small:make width=8 x=2x3x32x32");
  EXPECT_EQ(items[1].engine, "torch");
}

TEST(Plan, DefaultsAreThoseOfAProfile) {
  const Item item = expand(parse_plan("models: [mobilenet-v2]", "plan.yml")).items[0];
  EXPECT_EQ(item.target_share, 0.9);
  EXPECT_EQ(item.precision, 0.02);
  EXPECT_EQ(item.threads, 1);
  EXPECT_FALSE(item.budget_s);
  EXPECT_EQ(parse_plan("models: [mobilenet-v2]\ntarget: none", "plan.yml").target, std::nullopt);
}

TEST(Plan, AnItemIsReadBackFromItsText) {
  const auto items = expand(parse_plan("models: [{zoo: bert-l2-h128, set: {layers: 3}}]\n"
                                       "random_operators:\n  - op: Gemm\n    inputs: [[4, 8]]\n"
                                       "    weights: [[8, 2]]\n    attributes: {alpha: 0.5}\n"
                                       "operators: {leave_out: [Gather]}\nbudget: 5s\n",
                                       "plan.yml"))
                         .items;
  ASSERT_THAT(items, SizeIs(2));
  for (const Item& item : items) EXPECT_EQ(Item::parse(item.spec()).spec(), item.spec());
  EXPECT_THROW((void)Item::parse("{}"), Error);
}

TEST(Plan, DrawsTheSameOperatorsForTheSameSeed) {
  const auto plan = [](int seed) {
    return "random_operators:\n  - op: Conv\n    count: 20\n    seed: " + std::to_string(seed) +
           "\n    draw: {channels: {from: 8, to: 64, step: 8}, size: [3, 14, 28], kernel: [1, 3, "
           "5]}\n"
           "    inputs: [[1, channels, size, size]]\n"
           "    weights: [[2*channels, channels, kernel, kernel]]\n"
           "    attributes: {strides: [1, 1]}\n";
  };
  const auto first = labels_of(plan(7));
  EXPECT_THAT(first, SizeIs(20));
  EXPECT_EQ(first, labels_of(plan(7)));
  EXPECT_NE(first, labels_of(plan(8)));
  // A kernel of 5 does not fit an image of 3.
  for (const std::string& label : first)
    EXPECT_FALSE(label.find("kernel=5") != std::string::npos && label.ends_with("size=3")) << label;
}

TEST(Plan, ErrorsNameFileLineAndKey) {
  EXPECT_EQ(problem_of("name: x\nmodles: [resnet-18]\n"),
            "plan.yml: line 2: modles: unknown key; did you mean models?");
  EXPECT_THAT(problem_of("models: [resnet-18]\nzzz: 1\n"),
              HasSubstr("plan.yml: line 2: zzz: unknown key; there are name, models"));
  EXPECT_EQ(problem_of("models: [resnet-18]\nthreads: two\n"),
            "plan.yml: line 2: threads: two is no whole number");
  EXPECT_EQ(problem_of("models: [resnet-18]\nthreads:\n  - 1\n  - two\n"),
            "plan.yml: line 4: threads: two is no whole number");
  EXPECT_THAT(problem_of("models: [resnet-18]\nthreads: 0\n"), HasSubstr("line 2: threads"));
  EXPECT_EQ(problem_of("models: [resnet-18]\nmodels: [resnet-18]\n"),
            "plan.yml: line 2: models: is given twice");
  EXPECT_EQ(problem_of("models: [resnet-18]\ntarget: 0.9\n"),
            "plan.yml: line 2: target: write 90% or 0.9%: without the sign, 0.9 could be either");
  EXPECT_EQ(problem_of("models: [resnet-18]\ntarget: 900\n"),
            "plan.yml: line 2: target: give per cent above 0 and up to 100, like 2% or 90%");
  EXPECT_THAT(problem_of("models: [resnet-18]\noperators: {include: [Conv], leave_out: [Relu]}\n"),
              HasSubstr("plan.yml: line 2: operators: give include or leave_out, not both"));
  EXPECT_EQ(problem_of("models: [resnet-18]\nbudget: 60\n"),
            "plan.yml: line 2: budget: give a time with its unit, like 60s or 5m");
  EXPECT_EQ(problem_of("models: [resnet-18]\nmodes: [inference, trianing]\n"),
            "plan.yml: line 2: modes: trianing is none of inference, training");
  EXPECT_EQ(problem_of("models: [resnet-18]\nlevels:\n"),
            "plan.yml: line 2: levels: is empty: give a value, or leave the key out");
  EXPECT_EQ(problem_of("models: []\n"),
            "plan.yml: line 1: models: is an empty list: give a value, or leave the key out");
  EXPECT_EQ(problem_of("models: [resnet-18]\nmodules: perhaps\n"),
            "plan.yml: line 2: modules: give true or false");
  EXPECT_THAT(problem_of("models: [resnet-18]\nengines: tensorrt\n"),
              HasSubstr("line 2: engines: tensorrt is none of torch, onnxruntime"));
}

TEST(Plan, ErrorsSayWhatYamlAPlanCannotHave) {
  EXPECT_EQ(problem_of("models:\n  - resnet-18\ndims:\n\tbatch: 1\n"),
            "plan.yml: line 4: begins with a tab; YAML takes spaces only");
  EXPECT_THAT(problem_of("models:\n  - {zoo: resnet-18, dims: {<<: {batch: 1}}}\n"),
              HasSubstr("plan.yml: line 2: <<: plans have no merge keys; write the keys out"));
  EXPECT_EQ(problem_of("base: &sizes {batch: 1}\nmodels: [resnet-18]\ndims: *sizes\n"),
            "plan.yml: line 1: base: unknown key; put the anchor (&name) at the value where it is "
            "used first");
}

TEST(Plan, AnchorsMayStandWhereTheyAreUsedFirst) {
  EXPECT_THAT(labels_of("models:\n  - {zoo: resnet-18, dims: &sizes {batch: [1, 2]}}\n"
                        "  - {zoo: mobilenet-v2, dims: *sizes}\n"),
              SizeIs(4));
}

TEST(Plan, RefusesInputsThatNoModelHas) {
  EXPECT_EQ(problem_of("models: [bert-l2-h128]\ninputs:\n  input_ids: 1x8\n  inptu_ids: 1x8\n"),
            "plan.yml: line 4: inputs.inptu_ids: no model has an input of this name; there are "
            "attention_mask, input_ids, token_type_ids");
  EXPECT_THAT(labels_of("models: [bert-l2-h128, mobilenet-v2]\ninputs: {input_ids: 1x8}\n"),
              SizeIs(2))
      << "one of the models is enough";
}

TEST(Plan, RefusesTypesOfOperatorsThatThereAreNot) {
  EXPECT_EQ(problem_of("models: [resnet-18]\noperators:\n  leave_out:\n    - Relu\n    - Cnov\n"),
            "plan.yml: line 5: operators.leave_out: there is no type of operators 'Cnov'; did you "
            "mean Conv?");
  EXPECT_THAT(problem_of("models: [resnet-18]\noperators: {include: [conv]}\n"),
              HasSubstr("did you mean Conv?"));
  EXPECT_THAT(labels_of("models: [resnet-18]\noperators: {leave_out: [LSTM]}\n"), SizeIs(1));
}

TEST(Plan, SaysWhatItHasTwice) {
  const Expansion expansion = expand(parse_plan("models: [resnet-18, resnet-18]\n", "plan.yml"));
  EXPECT_THAT(expansion.items, SizeIs(1));
  EXPECT_THAT(expansion.notes, ElementsAre("1 combination left out: the plan has them twice; they "
                                           "are measured once"));
}

TEST(Plan, SaysWhyNothingIsLeft) {
  EXPECT_EQ(problem_of("models: [resnet-18]\nengines: [torch]\n"),
            "plan.yml: there is nothing to measure: 1 combination left out: these models run in "
            "onnxruntime, which engines does not name");
}

TEST(Plan, ErrorsInModelsNameTheirRow) {
  EXPECT_THAT(problem_of("models:\n  - mobilenet-v2\n  - resnt-18\n"),
              HasSubstr("plan.yml: line 3: models: resnt-18: there is no such file"));
  EXPECT_THAT(problem_of("models:\n  - {zoo: resnt-18}\n"), HasSubstr("line 2: models.zoo: "));
  EXPECT_THAT(problem_of("models:\n  - {file: absent.onnx}\n"),
              HasSubstr("line 2: models.file: absent.onnx: there is no such file"));
  EXPECT_THAT(problem_of("models:\n  - {zoo: mobilenet-v2, set: {layers: 3}}\n"),
              HasSubstr("line 2: models.set.layers: "));
  EXPECT_THAT(problem_of("models:\n  - {python: no function}\n"),
              HasSubstr("give package.module:function"));
  EXPECT_THAT(problem_of("models:\n  - {python: a.b:c}\n"), HasSubstr("needs inputs"));
  EXPECT_THAT(problem_of("models:\n  - {set: {a: 1}}\n"),
              HasSubstr("say which model: zoo, file or python"));
  EXPECT_THAT(problem_of("models: [mobilenet-v2]\ndims:\n  sequnce: 1\n"),
              HasSubstr("plan.yml: line 3: dims.sequnce: no model has a dimension of this name"));
  EXPECT_THAT(problem_of("models: [{zoo: mobilenet-v2, dims: {sequence: 1}}]\n"),
              HasSubstr("mobilenet-v2 has no dimension sequence; it has batch"));
  EXPECT_THAT(problem_of("models: [{zoo: mobilenet-v2, inputs: {y: 1x3}}]\n"),
              HasSubstr("mobilenet-v2 has no input y"));
}

TEST(Plan, RefusesWhatIsNoPlan) {
  EXPECT_THAT(problem_of(""), HasSubstr("is empty"));
  EXPECT_THAT(problem_of("name: x\n"), HasSubstr("there is nothing to measure"));
  EXPECT_THAT(problem_of("models: [a\nname: b"), HasSubstr("this is no YAML"));
  EXPECT_THAT(problem_of("just a text"), HasSubstr("give keys with values"));
  for (const char* const endless : {",", ", a: b", "---\n, x\n---\ny"})
    EXPECT_THAT(problem_of(endless), HasSubstr("this is no YAML")) << endless;
  EXPECT_THAT(problem_of("models: &all [mobilenet-v2, *all]\n"), HasSubstr("check aliases"));
  EXPECT_THAT(problem_of("models: " + std::string(400, '[')), HasSubstr("line 1: more values"));
  EXPECT_THAT(problem_of("models: [mobilenet-v2]\n---\nmodels: [mobilenet-v2]\n"),
              HasSubstr("a plan is one document"));
  EXPECT_THAT(problem_of("a: &a [1,1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\n"
                         "c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\n"
                         "e: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: [*e,*e,*e,*e,*e,*e,*e,*e,*e]\n"),
              HasSubstr("check aliases"));
}

TEST(Plan, RefusesMoreValuesThanAnybodyMeasures) {
  EXPECT_THAT(problem_of("models: [mobilenet-v2]\ndims: {batch: {from: 1, to: 1000000000}}\n"),
              HasSubstr("line 2: dims.batch: has more than 100000 values"));
  // An alias says all of them again with two letters.
  std::string dims = "models: [mobilenet-v2]\ndims:\n  d: &a {from: 1, to: 100000}\n";
  for (int i = 0; i < 10; ++i) dims += "  d" + std::to_string(i) + ": *a\n";
  EXPECT_THAT(problem_of(dims), HasSubstr("lists of this plan have more than 1000000 values"));
}

TEST(Plan, ReadsRangesUpToTheirLargestNumber) {
  const std::string most = std::to_string(std::int64_t{1} << 40U);
  const Plan plan =
      parse_plan("models: [mobilenet-v2]\ndims: {a: {from: 3, to: " + most + ", times: " + most +
                     "}, b: {from: 1, to: " + most + ", times: 1024}}\n",
                 "plan.yml");
  EXPECT_THAT(plan.dims[0].second, ElementsAre(3));
  EXPECT_THAT(plan.dims[1].second,
              ElementsAre(1, 1 << 10U, 1 << 20U, 1 << 30U, std::int64_t{1} << 40U));
}

TEST(Plan, RefusesOperatorsThatCannotBeDrawn) {
  const std::string row = "random_operators:\n  - op: Conv\n    draw: {kernel: [5]}\n";
  EXPECT_THAT(problem_of(row), HasSubstr("line 2: random_operators: say which shapes it gets"));
  EXPECT_THAT(
      problem_of(row + "    inputs: [[1, 2, 3, 3]]\n    weights: [[2, 2, kernel, kernel]]\n"),
      HasSubstr("only 0 of 1 operator can be drawn"));
  EXPECT_THAT(problem_of(row + "    inputs: [[1, 2, size, 9]]\n"),
              HasSubstr("size is neither a number nor a name under draw"));
  EXPECT_THAT(problem_of("random_operators: [{op: Relu, inputs: [['-9223372036854775808/-1']]}]\n"),
              HasSubstr("line 1: random_operators: -9223372036854775808/-1 is too large"));
  EXPECT_THAT(problem_of("random_operators: [{op: Relu, inputs: [['-5']]}]\n"),
              HasSubstr("line 1: random_operators: -5 is less than 0"));
  EXPECT_THAT(
      problem_of("random_operators: [{op: Relu, count: 100000, draw: {a: [1, 1, 2]}, inputs: "
                 "[[a]]}]\n"),
      HasSubstr("only 2 of 100,000 operators can be drawn from these ranges"));
  EXPECT_THAT(problem_of(row + "    inputs: [[1, -9223372036854775808/-1, 3, 9]]\n"),
              HasSubstr("is too large"));
  EXPECT_THAT(problem_of("random_operators: [{op: Cnov, inputs: [[1, 2]]}]\n"),
              HasSubstr("there is no such operator"));
}

TEST(Plan, SaysWhichCombinationsThereAreNot) {
  const Expansion expansion =
      expand(parse_plan("models: [mobilenet-v2]\nmodes: [inference, training]\n", "plan.yml"));
  EXPECT_THAT(expansion.items, SizeIs(1));
  ASSERT_THAT(expansion.notes, SizeIs(1));
  EXPECT_THAT(expansion.notes[0],
              HasSubstr("1 combination left out: ONNX Runtime runs models for"));
}

TEST(Plan, ReadsSummariesOfMlOperatorProfiling) {
  const test::TempFolder folder;
  const auto write = [&](const std::string& name, const std::string& size, bool done) {
    std::filesystem::create_directory(folder.path() / (name + size));
    std::ofstream(folder.path() / (name + size) / "summary.yml")
        << "done: " << (done ? "true" : "false") << "\ninput_size:\n- 32\n- 3\n- " << size << "\n- "
        << size << "\nmodel_name: " << name << "\nweights_name: X_Weights\n";
  };
  write("resnet18", "224", false);
  write("resnet18", "56", false);
  write("densenet121", "224", false);
  write("resnet50", "224", true);

  const Plan plan = read_plan(folder.path());

  const Expansion expansion = expand(plan);
  ASSERT_THAT(expansion.items, SizeIs(2));
  EXPECT_THAT(expansion.items[0].label(), HasSubstr("resnet-18 size=224"));
  EXPECT_THAT(expansion.items[0].label(), HasSubstr("=32x3x224x224"));
  EXPECT_THAT(expansion.items[1].label(), HasSubstr("=32x3x56x56"));
  EXPECT_THAT(expansion.notes,
              ElementsAre(AllOf(HasSubstr("left out: resnet50: "),
                                HasSubstr("summary.yml says that it is done")),
                          "not available: densenet121: the zoo has no such model"));
  EXPECT_THAT(labels_of("model_name: resnet18\ninput_size: (1, 3, 32, 32)\n"),
              ElementsAre(HasSubstr("=1x3x32x32")));
  EXPECT_THAT(problem_of("model_name: resnet18\ninput_size: (1, three)\n"),
              HasSubstr("line 2: input_size: three is no whole number"));
  EXPECT_THAT(problem_of("model_name: resnet18\ninput_size: 3\nweigths_name: x\n"),
              HasSubstr("did you mean weights_name?"));
}

}  // namespace
}  // namespace jouletree::campaign
