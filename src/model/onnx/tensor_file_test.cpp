#include "model/onnx/tensor_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace jouletree::model::onnx {
namespace {

using testing::HasSubstr;

const std::string kTwoByOne = "\x08\x02\x08\x01";  // Two dims.

/// Element type, then a field of the given tag.
std::string tensor_bytes(DataType type, int tag, const std::string& field) {
  return kTwoByOne + '\x10' + static_cast<char>(type) + static_cast<char>(tag * 8 + 2) +
         static_cast<char>(field.size()) + field;
}

std::string elements_of_file(const std::string& bytes) {
  const StoredTensor tensor = read_tensor_file(bytes, "x.pb");
  std::string made;
  return std::string(raw_elements(tensor, made, "x.pb"));
}

std::string complaint_about(const std::string& bytes) {
  try {
    (void)elements_of_file(bytes);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

constexpr int kFloats = 4;
constexpr int kInt32s = 5;
constexpr int kInt64s = 7;
constexpr int kName = 8;
constexpr int kRaw = 9;

TEST(TensorFile, HasNameTypeAndDims) {
  const std::string bytes = tensor_bytes(DataType::Int8, kRaw, "ab") + "\x42\x03ids";
  static_assert(kName * 8 + 2 == 0x42);
  const StoredTensor tensor = read_tensor_file(bytes, "x.pb");
  EXPECT_EQ(tensor.name, "ids");
  EXPECT_EQ(tensor.type, DataType::Int8);
  EXPECT_EQ(tensor.dims, (Dims{2, 1}));
}

TEST(TensorFile, KeepsRawBytesAndRealNumbersWhereTheyAre) {
  EXPECT_EQ(elements_of_file(tensor_bytes(DataType::Float32, kRaw, "abcdefgh")), "abcdefgh");
  EXPECT_EQ(elements_of_file(tensor_bytes(DataType::Float32, kFloats, "abcdefgh")), "abcdefgh");
}

TEST(TensorFile, PutsTypedIntegersTogether) {
  EXPECT_EQ(elements_of_file(tensor_bytes(DataType::Int64, kInt64s, "\x01\xAC\x02")),
            std::string("\x01\0\0\0\0\0\0\0\x2C\x01\0\0\0\0\0\0", 16));
  EXPECT_EQ(elements_of_file(tensor_bytes(DataType::Bool, kInt32s, std::string("\x01\x00", 2))),
            std::string("\x01\x00", 2));
  EXPECT_EQ(elements_of_file(tensor_bytes(DataType::Float16, kInt32s, "\x80\x78\x01")),
            std::string("\x00\x3C\x01\x00", 4));
}

TEST(TensorFile, KnowsNegativeNumbers) {
  const std::string minus_one("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01", 10);
  EXPECT_EQ(elements_of_file(tensor_bytes(DataType::Int16, kInt32s, minus_one + "\x02")),
            std::string("\xFF\xFF\x02\x00", 4));
}

TEST(TensorFile, MustHoldAsManyElementsAsItSays) {
  EXPECT_EQ(complaint_about(tensor_bytes(DataType::Float32, kRaw, "abcd")),
            "x.pb: float32 of 2x1 need 8 bytes, but 4 are there");
  EXPECT_THAT(complaint_about(tensor_bytes(DataType::Int64, kInt64s, "\x01")), HasSubstr("2x1"));
  EXPECT_THAT(complaint_about(tensor_bytes(DataType::Int64, kInt64s, "\x01\xAC")),
              HasSubstr("are damaged"));
}

TEST(TensorFile, RefusesWhatIsNoTensor) {
  EXPECT_THAT(complaint_about("This is a letter."), HasSubstr("x.pb: this is not an ONNX tensor"));
  EXPECT_THAT(complaint_about(""), HasSubstr("x.pb: this is not an ONNX tensor"));
  EXPECT_THAT(complaint_about(tensor_bytes(DataType::String, 6, "text")), HasSubstr("type string"));
}

TEST(TensorFile, RefusesASequence) {
  // Its name stands where a tensor has its dims.
  EXPECT_THAT(complaint_about("\x0A\x03seq\x10\x01\x1A\x02\x10\x01"),
              HasSubstr("sequences and optional values cannot be read"));
}

TEST(TensorFile, RefusesOneThatIsCut) {
  const std::string whole = tensor_bytes(DataType::Int8, kRaw, "ab");
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_NE(complaint_about(whole.substr(0, size)), "") << size;
}

}  // namespace
}  // namespace jouletree::model::onnx
