#include "engines/data/input_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/npy_bytes.hpp"
#include "support/onnx_builder.hpp"
#include "support/temp_folder.hpp"
#include "support/zip_bytes.hpp"

namespace jouletree::engines {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Key;
using testing::UnorderedElementsAre;

const std::string kIds = test::npy_bytes<std::int64_t>("<i8", "(1, 2)", {1, 2});
const std::string kMask = test::npy_bytes<std::int64_t>("<i8", "(1, 2)", {1, 1});

/// A tensor of one int64: its dims, type, raw bytes and name.
std::string size_proto(const std::string& name) {
  return std::string("\x08\x01\x10\x07\x4A\x08\x05\0\0\0\0\0\0\0\x42", 15) +
         static_cast<char>(name.size()) + name;
}

/// A model of three inputs and one that is a weight, and a folder for files.
class InputFilesTest : public testing::Test {
 protected:
  InputFilesTest() {
    model::OnnxBuilder model(17);
    model.input("table", DataType::Float32, {9, 4});
    model.symbolic_input("input_ids", DataType::Int64, {"batch", "sequence"});
    model.symbolic_input("attention_mask", DataType::Int64, {"batch", "sequence"});
    model.input("size", DataType::Int64, {1});
    model.initializer("table", DataType::Float32, {9, 4});
    model.node("Gather", {"table", "input_ids"}, {"y"});
    model.output("y");
    bytes_ = model.model_bytes();
    graph_ = read_onnx(bytes_, "model.onnx");
  }

  InputFiles open(const std::vector<std::string>& given) {
    std::filesystem::create_directory(folder_.path() / "scratch");
    return open_input_files(given, graph_, settings_, folder_.path() / "scratch");
  }

  std::string complaint_about(const std::vector<std::string>& given) {
    try {
      (void)open(given);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::BadInput);
      return error.what();
    }
    return "";
  }

  std::string write(const std::string& name, const std::string& bytes) {
    return folder_.write(name, bytes).string();
  }

  test::TempFolder folder_;
  std::string bytes_;
  Graph graph_;
  InputSettings settings_;
};

TEST_F(InputFilesTest, TellShapesToTheSettings) {
  const InputFiles files = open({"input_ids=" + write("ids.npy", kIds)});
  EXPECT_THAT(files, UnorderedElementsAre(Key("input_ids")));
  EXPECT_EQ(settings_.shapes.at("input_ids"), (Dims{1, 2}));
  const Inference inference = infer(graph_, settings_);
  EXPECT_EQ(inference.values[graph_.main.inputs[2]].dims, (Dims{1, 2}));
}

TEST_F(InputFilesTest, TellSmallContentsToTheSettings) {
  (void)open({"size=" + write("size.npy", test::npy_bytes<std::int64_t>("<i8", "(1,)", {7}))});
  EXPECT_EQ(settings_.values.at("size"), Elements{Scalar::integer(7)});
}

TEST_F(InputFilesTest, ComeFromAnArchiveByName) {
  const auto archive =
      write("x.npz", test::zip_bytes({{"attention_mask.npy", kMask}, {"input_ids.npy", kIds}}));
  EXPECT_THAT(open({archive}), UnorderedElementsAre(Key("input_ids"), Key("attention_mask")));
}

TEST_F(InputFilesTest, OfAFolderAreNamedByTheirTensors) {
  write("set/input_0.pb", size_proto("size"));
  EXPECT_THAT(open({(folder_.path() / "set").string()}), UnorderedElementsAre(Key("size")));
}

TEST_F(InputFilesTest, OfAFolderFollowTheOrderOfInputsThatAreNoWeights) {
  write("set/input_2.pb", size_proto("7"));
  write("set/output_0.pb", "nobody reads it");
  EXPECT_THAT(open({(folder_.path() / "set").string()}), UnorderedElementsAre(Key("size")));
}

TEST_F(InputFilesTest, OfAFolderMustHaveAnInputEach) {
  write("set/input_3.pb", size_proto("8"));
  EXPECT_THAT(complaint_about({(folder_.path() / "set").string()}),
              HasSubstr("the model has 3 inputs and none called '8'"));
}

TEST_F(InputFilesTest, MayHaveEqualSignsInTheirNames) {
  EXPECT_THAT(open({"size=" + write("a=b.pb", size_proto(""))}), UnorderedElementsAre(Key("size")));
}

TEST_F(InputFilesTest, MustSayTheirInputWhereThereAreSeveral) {
  EXPECT_THAT(complaint_about({write("ids.npy", kIds)}), HasSubstr("say which input it is for"));
}

TEST_F(InputFilesTest, MustBeThere) {
  EXPECT_THAT(complaint_about({"input_ids=nowhere.npy"}),
              EndsWith("--data input_ids=nowhere.npy: there is no file nowhere.npy"));
  EXPECT_THAT(complaint_about({folder_.path().string()}), HasSubstr("there is no input_0.pb"));
}

TEST_F(InputFilesTest, MustBeOfAKnownKind) {
  EXPECT_THAT(complaint_about({"input_ids=" + write("ids.txt", "1 2 3")}),
              HasSubstr("is not a .npy, .npz or .pb file"));
  EXPECT_THAT(complaint_about({"input_ids=/dev/null"}), HasSubstr("/dev/null is not a file"));
  EXPECT_THAT(complaint_about({"input_ids=" + write("x.npz", "1 2 3")}),
              HasSubstr("give it without 'input_ids='"));
}

TEST_F(InputFilesTest, MustNameAnInputOfTheModel) {
  EXPECT_THAT(complaint_about({"input_id=" + write("ids.npy", kIds)}),
              EndsWith("ids.npy: the model has no input 'input_id'; did you mean 'input_ids'? It "
                       "has: input_ids, attention_mask, size"));
}

TEST_F(InputFilesTest, MustHoldTheTypeOfTheModel) {
  const auto file = write("ids.npy", test::npy_bytes<std::int32_t>("<i4", "(1, 2)", {1, 2}));
  EXPECT_THAT(complaint_about({"input_ids=" + file}),
              EndsWith("ids.npy: input 'input_ids' must be int64, but the data are int32; NumPy's "
                       ".astype('int64') converts them"));
}

TEST_F(InputFilesTest, MustHoldTheShapeOfTheModel) {
  const auto file = write("x.npy", test::npy_bytes<std::int64_t>("<i8", "(2,)", {1, 2}));
  EXPECT_THAT(complaint_about({"input_ids=" + file}),
              EndsWith("input 'input_ids' must be batch x sequence, but the data are 2"));
  EXPECT_THAT(complaint_about({"size=" + file}),
              EndsWith("input 'size' must be 1, but the data are 2"));
}

TEST_F(InputFilesTest, MustFitEachOther) {
  const auto mask = write("mask.npy", test::npy_bytes<std::int64_t>("<i8", "(1, 1)", {1}));
  EXPECT_THAT(complaint_about({"input_ids=" + write("ids.npy", kIds), "attention_mask=" + mask}),
              HasSubstr("dimension 'sequence' of input 'attention_mask' is 1 here, but 2 in "));
  EXPECT_THAT(complaint_about(
                  {"input_ids=" + write("ids.npy", kIds), "input_ids=" + write("other.npy", kIds)}),
              HasSubstr("other.npy: input 'input_ids' has its data from "));
}

TEST_F(InputFilesTest, MustFitTheCommandLine) {
  settings_.symbols["batch"] = 8;
  EXPECT_THAT(complaint_about({"input_ids=" + write("ids.npy", kIds)}),
              EndsWith("dimension 'batch' of input 'input_ids' is 1 here, but 8 in --dim batch=8"));
  settings_.symbols.clear();
  settings_.shapes["input_ids"] = {1, 3};
  EXPECT_THAT(complaint_about({"input_ids=" + write("ids.npy", kIds)}),
              EndsWith("holds 1x2, but --input says that 'input_ids' is 1x3"));
  settings_.values["size"] = {Scalar::integer(1)};
  EXPECT_THAT(complaint_about({"size=" + write("size.pb", size_proto(""))}),
              EndsWith("input 'size' has its content from --value already"));
}

}  // namespace
}  // namespace jouletree::engines
