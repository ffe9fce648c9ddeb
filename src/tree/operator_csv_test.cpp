#include "jouletree/operator_csv.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jouletree/error.hpp"

namespace jouletree::tree {
namespace {

using ::testing::HasSubstr;

constexpr const char* kMeasured =
    "op_class,op_key,gpu_config,exec_mode,input_shape,in_channels,out_channels,kernel_h,kernel_w,"
    "groups,p,runtime_mean_s,energy_per_iter_mJ,derived_output_shape,derived_n_in,derived_n_out,"
    "derived_n_weight,derived_flops_fwd\n"
    "Conv2d,Conv2d(…)@1,A30,fwd_eval_inference_mode,\"(32, 8, 28, 28)\",8,16,3,3,1,,0.001,50,"
    "\"(32, 16, 28, 28)\",200704,401408,1152,57802752\n"
    "Dropout,Dropout(…)@1,A30,fwd_bwd_trainmode,\"(32, 8)\",,,,,,0.0,0.002,80,\"(32, 8)\",256,256,"
    "0,0\n";

TEST(OperatorCsv, MeasuredOperatorsBecomeRunsOfTheirOwn) {
  const TreeRuns data = parse_operator_csv(kMeasured, "ops.csv");
  ASSERT_EQ(data.runs.size(), 2U);
  const RunNode& conv = data.runs[0].nodes.front();
  EXPECT_EQ(conv.type, "Conv2d");
  EXPECT_EQ(conv.energy_j, 0.05);
  EXPECT_EQ(conv.input_shapes[1], (std::vector<double>{16, 8, 3, 3}));
  EXPECT_EQ(conv.macs, 57802752 / 2.0);
  EXPECT_EQ(data.runs[0].device, "A30");
  EXPECT_EQ(data.runs[1].nodes.front().type, "Dropout p=0 (fwd_bwd_trainmode)");
}

TEST(OperatorCsv, ATimeThatIsOnlyKnownInPlaceIsNothingToLearnFrom) {
  const TreeRuns data = parse_operator_csv(
      "name,type,input_size,output_size,kernel_size,stride,padding,params,macs,flops,bytes,time_s,"
      "energy_j,provenance\n"
      "a,MatMul,2x8,2x4,,,,32,64,128,1048576,0.001,,measured in place\n"
      "b,MatMul,2x8,2x4,,,,32,64,128,1048576,0.002,,measured\n",
      "tiny.csv");
  EXPECT_FALSE(data.runs[0].nodes.at(1).time_s);
  EXPECT_EQ(data.runs[0].nodes.at(2).time_s, 0.002);
}

TEST(OperatorCsv, TimeAndEnergyMayComeAboutInDifferentWays) {
  const TreeRuns data = parse_operator_csv(
      "name,type,input_size,output_size,kernel_size,stride,padding,params,macs,flops,bytes,time_s,"
      "energy_j,time_provenance,energy_provenance\n"
      "a,MatMul,2x8,2x4,,,,32,64,128,1048576,0.001,0.5,measured,estimated\n"
      "b,MatMul,2x8,2x4,,,,32,64,128,1048576,0.002,,measured in place,\n",
      "tiny.csv");
  EXPECT_EQ(data.runs[0].nodes.at(1).time_s, 0.001);
  EXPECT_TRUE(data.runs[0].nodes.at(1).is_estimated);
  EXPECT_FALSE(data.runs[0].nodes.at(2).time_s);
  EXPECT_FALSE(data.runs[0].nodes.at(2).is_estimated);
}

TEST(OperatorCsv, ThePerLayerFileBecomesOneRun) {
  const TreeRuns data = parse_operator_csv(
      "name,type,input_size,output_size,kernel_size,stride,padding,params,macs,flops,bytes,time_s,"
      "energy_j,provenance\n"
      "head.MatMul,MatMul,2x8,2x4,,,,32,64,128,1048576,0.001,,measured\n",
      "folder/tiny.csv");
  ASSERT_EQ(data.runs.size(), 1U);
  EXPECT_EQ(data.runs[0].model, "tiny");
  const RunNode& layer = data.runs[0].nodes.at(1);
  EXPECT_EQ(layer.mebibytes, 1);
  EXPECT_EQ(layer.time_s, 0.001);
  EXPECT_FALSE(layer.energy_j);
  EXPECT_EQ(layer.output_shapes[0], (std::vector<double>{2, 4}));
}

constexpr const char* kModels =
    "model_name,family,head,batch_size,seq_len,level,name,type,output_size,macs,flops,bytes,time_"
    "s\n"
    "bert,BERT,masked LM,2,8,ml,embed,Embedding,2x8x4,0,0,1024,0.001\n"
    "gpt,GPT,causal LM,1,4,ml,embed,Embedding,1x4x4,0,0,512,0.003\n"
    "bert,BERT,masked LM,2,8,model,,,,64,128,2048,0.005\n"
    "bert,BERT,masked LM,2,16,ml,embed,Embedding,2x16x4,0,0,4096,0.004\n"
    "bert,BERT,masked LM,2,8,,head,Linear,2x8x4,64,128,1024,0.002\n";

TEST(OperatorCsv, APerLayerFileOfManyModelsHasARunOfEachModelAndSize) {
  const TreeRuns data = parse_operator_csv(kModels, "set.csv");
  ASSERT_EQ(data.runs.size(), 3U);
  const TreeRun& bert = data.runs[0];
  EXPECT_EQ(bert.model, "bert");
  EXPECT_EQ(bert.family, "BERT");
  EXPECT_EQ(bert.batch, 2);
  EXPECT_EQ(bert.sequence, 8);
  ASSERT_EQ(bert.nodes.size(), 3U) << "rows belong together wherever they stand";
  EXPECT_EQ(bert.nodes[0].time_s, 0.005) << "of the whole";
  EXPECT_EQ(bert.nodes[0].children, (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(bert.nodes[2].type, "Linear");
  EXPECT_EQ(data.runs[1].model, "gpt");
  EXPECT_FALSE(data.runs[1].nodes[0].time_s);
  EXPECT_EQ(data.runs[2].sequence, 16);
  EXPECT_NE(data.runs[0].nodes[0].id, data.runs[2].nodes[0].id);
}

TEST(OperatorCsv, RepeatedMeasurementsOfAModelAreToldApartByTheirNumber) {
  const TreeRuns data = parse_operator_csv(
      "model_name,run,level,name,type,time_s\n"
      "bert,1,ml,embed,Embedding,0.001\nbert,1,model,,,0.002\n"
      "bert,2,ml,embed,Embedding,0.003\nbert,2,model,,,0.004\n",
      "set.csv");
  ASSERT_EQ(data.runs.size(), 2U);
  EXPECT_EQ(data.runs[1].nodes[0].time_s, 0.004);
}

TEST(OperatorCsv, IsReadWithTheSeparatorsOfOtherCountriesAndPrograms) {
  for (const char* text : {"\xEF\xBB\xBFname;type;time_s\r\na;MatMul;0,002\r\n",
                           "name\ttype\ttime_s\na\tMatMul\t0.002\n",
                           "\"name\",\"type\",\"time_s\"\n\"a\",\"MatMul\",\"0.002\"\n"}) {
    const TreeRuns data = parse_operator_csv(text, "tiny.csv");
    EXPECT_EQ(data.runs.at(0).nodes.at(1).time_s, 0.002) << text;
  }
}

TEST(OperatorCsv, NamesTheRowOfWhatItCannotRead) {
  const auto problem = [](const std::string& text) -> std::string {
    try {
      (void)parse_operator_csv(text, "ops.csv");
    } catch (const Error& error) {
      return error.what();
    }
    return "no problem";
  };
  EXPECT_THAT(problem("op_class,runtime_mean_s\nReLU,fast\n"),
              HasSubstr("ops.csv: row 2: runtime_mean_s 'fast' is not a number"));
  EXPECT_THAT(problem("op_class,runtime_mean_s\nReLU,0\n"), HasSubstr("row 2: times_mean is 0"));
  EXPECT_THAT(problem("a,b\n1,2\n"),
              HasSubstr("needs the columns name, type and time_s, or op_class "
                        "and runtime_mean_s, but has: a,b"));
  EXPECT_THAT(problem("model,latency_ms\nresnet18,2\n"),
              HasSubstr("one row per whole model (column model)"));
  EXPECT_THAT(problem("model,op_class,count\nresnet18,ReLU,2\n"),
              HasSubstr("add the column runtime_mean_s"));
  EXPECT_THAT(problem("\xEF\xBB\xBFnetwork;latency_ms\r\nresnet18;2,5\r\n"),
              HasSubstr("one row per whole model (column network)"));
  EXPECT_THAT(problem("genotype\tenergy\n|a|\t2\n"), HasSubstr("(column genotype)"));
  EXPECT_THAT(problem("version https://git-lfs.github.com/spec/v1\nsize 12\n"),
              HasSubstr("git lfs pull"));
  EXPECT_THAT(problem("<!doctype html>\n"), HasSubstr("a web page"));
  EXPECT_THAT(problem("Dear reader\n"), HasSubstr("is neither a tree file"));
  EXPECT_THAT(problem("op_class,runtime_mean_s\n"), HasSubstr("holds no operators"));
  EXPECT_THAT(problem("model_name,name,type,time_s\n,a,Linear,1\n"),
              HasSubstr("row 2: model_name is empty"));
  EXPECT_THAT(problem("model_name,batch_size,name,type,time_s\nm,-1,a,Linear,1\n"),
              HasSubstr("row 2: batch_size is -1; it must be above 0"));
  EXPECT_THAT(problem("model_name,seq_len,name,type,time_s\nm,nan,a,Linear,1\n"),
              HasSubstr("row 2: seq_len is nan"));
  EXPECT_THAT(problem("model_name,level,name,type,time_s\nm,layer,a,Linear,1\n"),
              HasSubstr("row 2: level is 'layer'"));
  EXPECT_THAT(problem("model_name,level,name,type,time_s\nm,model,,,1\nm,model,,,2\n"),
              HasSubstr("row 3: m has a row for the whole in row 2, too"));
}

}  // namespace
}  // namespace jouletree::tree
