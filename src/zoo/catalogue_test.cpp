#include "zoo/catalogue.hpp"

#include <set>

#include <gtest/gtest.h>

#include "jouletree/error.hpp"
#include "jouletree/tree.hpp"
#include "support/temp_folder.hpp"

namespace jouletree::zoo {
namespace {

/// Writes the model with weights that are only holes in a file, so that large ones cost nothing.
ModelTree counted(const Architecture& architecture, const Settings& settings) {
  const test::TempFolder folder;
  ModelWriter writer(1);
  architecture.write(writer, settings);
  model::OnnxBuilder model = writer.graph();
  std::int64_t offset = 0;
  for (const model::StreamedTensor& weight : writer.weights()) {
    const auto bytes = static_cast<std::int64_t>(weight.bytes());
    model.external_initializer(weight.name, weight.type, weight.dims, "weights", offset, bytes);
    offset += bytes;
  }
  std::filesystem::resize_file(folder.write("weights", ""), static_cast<std::uintmax_t>(offset));
  return inspect_model(folder.write("model.onnx", model.model_bytes()), {});
}

std::string error_of(const std::string& name, std::string_view key, std::int64_t value) {
  try {
    const Architecture& architecture = find_architecture(name);
    Settings settings = architecture.settings;
    settings.set(key, value);
    ModelWriter writer(1);
    architecture.write(writer, settings);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

struct Published {
  const char* name;
  std::int64_t parameters;
};

/// As published, or as the published configuration fixes them (CTRL, T5's encoder).
constexpr Published kPublished[] = {
    {"alexnet", 61'100'840},
    {"vgg-11", 132'863'336},
    {"vgg-16", 138'357'544},
    {"vgg-19", 143'667'240},
    {"resnet-18", 11'689'512},
    {"resnet-34", 21'797'672},
    {"resnet-50", 25'557'032},
    {"resnet-101", 44'549'160},
    {"resnet-152", 60'192'808},
    {"mobilenet-v2", 3'504'872},
    {"nas-bench-201", 1'531'546},
    {"bert-base-uncased", 109'482'240},
    {"bert-base-cased", 108'310'272},
    {"bert-large-uncased", 335'141'888},
    {"bert-l2-h128", 4'385'920},
    {"bert-l4-h256", 11'170'560},
    {"bert-l4-h512", 28'763'648},
    {"bert-l8-h512", 41'373'184},
    {"bert-l12-h768", 109'482'240},
    {"roberta-base", 124'645'632},
    {"roberta-large", 355'359'744},
    {"distilroberta-base", 82'118'400},
    {"xlm-roberta-base", 278'043'648},
    {"xlm-roberta-large", 559'890'432},
    {"distilbert-base-uncased", 66'362'880},
    {"albert-base-v2", 11'683'584},
    {"albert-large-v2", 17'683'968},
    {"albert-xlarge-v2", 58'724'864},
    {"albert-xxlarge-v2", 222'595'584},
    {"openai-gpt", 116'534'784},
    {"distilgpt2", 81'912'576},
    {"gpt2", 124'439'808},
    {"gpt2-medium", 354'823'168},
    {"gpt2-large", 774'030'080},
    {"gpt2-xl", 1'557'611'200},
    {"ctrl", 1'637'718'016},
    {"xlnet-base-cased", 116'718'336},
    {"xlnet-large-cased", 360'268'800},
    {"t5-small-encoder", 35'330'816},
    {"t5-base-encoder", 109'628'544},
    {"t5-large-encoder", 334'939'648},
};

TEST(Zoo, GivesThePublishedNumbersOfParameters) {
  for (const auto& [name, parameters] : kPublished)
    EXPECT_EQ(find_architecture(name).parameters, parameters) << name;
}

class ZooArchitecture : public testing::TestWithParam<std::string> {};

TEST_P(ZooArchitecture, HasAsManyParametersAsItsRowSays) {
  const Architecture& row = find_architecture(GetParam());
  const ModelTree tree = counted(row, row.settings);
  EXPECT_EQ(tree.root.totals.params + row.training_only, row.parameters);
  EXPECT_EQ(tree.root.totals.without_rule, 0);
  EXPECT_EQ(tree.root.totals.unresolved, 0);
}

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const Architecture& row : catalogue()) names.push_back(row.name);
  return names;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, ZooArchitecture, testing::ValuesIn(all_names()), test_name);

TEST(Zoo, HasNoNameTwiceAndAtLeastFortyTransformers) {
  const std::set<std::string> images = {"AlexNet", "VGG", "ResNet", "MobileNet"};
  std::set<std::string> names;
  std::size_t transformers = 0;
  for (const Architecture& row : catalogue()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    if (!images.contains(std::string(row.family))) ++transformers;
  }
  EXPECT_GE(transformers, 40U);
}

TEST(Zoo, NamesNodesAndWeightsAsTheExporterDoes) {
  const Architecture& bert = find_architecture("bert-l2-h128");
  const ModelTree tree = counted(bert, bert.settings);
  std::set<std::string_view> nodes;
  for (const Node& node : tree.graph->main.nodes) nodes.insert(node.name);
  std::set<std::string_view> values;
  for (const GraphValue& value : tree.graph->values) values.insert(value.name);
  EXPECT_TRUE(nodes.contains("/encoder/layer.0/attention/self/query/MatMul"));
  EXPECT_TRUE(nodes.contains("/encoder/layer.1/output/LayerNorm/LayerNormalization"));
  EXPECT_TRUE(values.contains("encoder.layer.0.attention.self.query.weight"));

  const Architecture& mobile = find_architecture("mobilenet-v2");
  const ModelTree mobile_tree = counted(mobile, mobile.settings);
  nodes.clear();
  for (const Node& node : mobile_tree.graph->main.nodes) nodes.insert(node.name);
  EXPECT_TRUE(nodes.contains("/features/features.2/conv/conv.1/conv.1.0/Conv"));
}

TEST(Zoo, SharesTheWeightsOfAlbertAmongItsLayers) {
  const Architecture& albert = find_architecture("albert-base-v2");
  Settings deep = albert.settings;
  deep.set("layers", 30);
  EXPECT_EQ(counted(albert, deep).root.totals.params, albert.parameters);
}

TEST(Zoo, FindsTheMaskEmbeddingOfXlNetInItsQueryStream) {
  const Architecture& xlnet = find_architecture("xlnet-base-cased");
  Settings both = xlnet.settings;
  both.set("streams", 2);
  EXPECT_EQ(counted(xlnet, both).root.totals.params, 116'718'336);
  EXPECT_EQ(counted(xlnet, xlnet.settings).root.totals.params, 116'718'336 - 768);
}

TEST(Zoo, RefusesSettingsThatNoModelCanHave) {
  EXPECT_EQ(error_of("gpt2", "heads", 7), "width=768 cannot be divided by heads=7");
  EXPECT_EQ(error_of("gpt2", "layers", 0), "layers=0: give a number from 1 to 1024");
  EXPECT_EQ(error_of("gpt2", "width", -4), "width=-4: give a number from 1 to 1048576");
  EXPECT_EQ(error_of("gpt2", "depth", 2),
            "there is no setting 'depth'; there are: layers, width, heads, hidden, vocabulary, "
            "positions");
  EXPECT_EQ(error_of("transfo-xl-wt103", "cutoff2", 300000),
            "cutoff2=300000 must be less than cutoff3=200000");
  EXPECT_EQ(error_of("transfo-xl-wt103", "width", 1001), "width=1001: give an even number");
  EXPECT_EQ(error_of("t5-small-encoder", "buckets", 6), "buckets=6: give a multiple of 4");
  EXPECT_EQ(error_of("xlnet-base-cased", "streams", 3),
            "streams: give 1, or 2 to add the query stream");
  EXPECT_EQ(error_of("vgg-16", "size", 100),
            "the size does not fit: features of 3x3 cannot be pooled to 7x7");
}

TEST(Zoo, AnswersAnUnknownNameWithTheNearest) {
  try {
    (void)find_architecture("gpt-2");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    EXPECT_NE(std::string(error.what()).find("nearest: gpt2, "), std::string::npos);
  }
}

}  // namespace
}  // namespace jouletree::zoo
