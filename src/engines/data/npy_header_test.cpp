#include "engines/data/npy_header.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/npy_bytes.hpp"

namespace jouletree::engines {
namespace {

using testing::HasSubstr;

std::string refusal_of(const std::string& bytes) {
  try {
    (void)parse_npy_header(bytes, "x.npy");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string with_type(const std::string& type) {
  return test::npy_bytes(type, "(0,)", std::vector<char>());
}

TEST(NpyHeader, TellsTypeAndShape) {
  const std::string bytes = test::npy_bytes<float>("<f4", "(2, 1)", {1, 2});
  const NpyHeader header = parse_npy_header(bytes, "x.npy");
  EXPECT_EQ(header.type, DataType::Float32);
  EXPECT_EQ(header.dims, (Dims{2, 1}));
  EXPECT_FALSE(header.big_endian);
  EXPECT_FALSE(header.column_major);
  EXPECT_EQ(header.data_at, bytes.size() - 8);
}

TEST(NpyHeader, IsReadInAllVersionsOfTheFormat) {
  const std::string text = "{'descr': '>i2', 'fortran_order': True, 'shape': (3,)}  \n";
  for (const int version : {1, 2, 3}) {
    const NpyHeader header = parse_npy_header(test::npy_header(version, text) + "abcdef", "x.npy");
    EXPECT_EQ(header.type, DataType::Int16) << version;
    EXPECT_TRUE(header.big_endian) << version;
    EXPECT_TRUE(header.column_major) << version;
    EXPECT_EQ(header.dims, Dims{3}) << version;
  }
  EXPECT_THAT(refusal_of(test::npy_header(4, text)), HasSubstr("format version 4"));
}

TEST(NpyHeader, KnowsScalarsAndLongNumbersOfPython2) {
  EXPECT_EQ(parse_npy_header(test::npy_bytes<float>("<f4", "()", {1}), "x.npy").dims, Dims());
  EXPECT_EQ(parse_npy_header(test::npy_bytes<char>("|b1", "(1L, 2L)", {0, 1}), "x.npy").dims,
            (Dims{1, 2}));
}

TEST(NpyHeader, KnowsPlainNumbers) {
  const std::vector<std::pair<std::string, DataType>> expected = {
      {"|b1", DataType::Bool},    {"|i1", DataType::Int8},    {"<i2", DataType::Int16},
      {"<i4", DataType::Int32},   {"=i8", DataType::Int64},   {"|u1", DataType::UInt8},
      {"<u2", DataType::UInt16},  {"<u4", DataType::UInt32},  {">u8", DataType::UInt64},
      {"<f2", DataType::Float16}, {"<f4", DataType::Float32}, {"<f8", DataType::Float64}};
  for (const auto& [code, type] : expected)
    EXPECT_EQ(parse_npy_header(with_type(code), "x.npy").type, type) << code;
}

TEST(NpyHeader, RefusesOtherElements) {
  EXPECT_THAT(refusal_of(with_type("|O")), HasSubstr("x.npy: holds Python objects"));
  EXPECT_THAT(refusal_of(with_type("<U3")), HasSubstr("NumPy's type '<U3'"));
  EXPECT_THAT(refusal_of(with_type("<c8")), HasSubstr("NumPy's type '<c8'"));
  EXPECT_THAT(
      refusal_of(test::npy_header(1,
                                  "{'descr': [('a', '<f4'), ('b', '<i8')], 'fortran_order': False, "
                                  "'shape': (0,), }\n")),
      HasSubstr("several fields"));
}

TEST(NpyHeader, RefusesWhatIsNoArray) {
  EXPECT_EQ(refusal_of("This is a letter."), "x.npy: this is not a NumPy array (.npy)");
  for (const char* text : {"    ", "{   ", "{'descr': '<f4'}", "{'descr': '<f4', 'shape': (1,)}",
                           "{'descr': '<f4', 'fortran_order': No, 'shape': (1,), }",
                           "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }",
                           "{'descr': '<f4', 'fortran_order': False, 'shape': (1 }"})
    EXPECT_THAT(refusal_of(test::npy_header(1, text)), HasSubstr("is damaged")) << text;
}

TEST(NpyHeader, RefusesAnArrayThatIsCutAnywhere) {
  const std::string whole = test::npy_bytes<float>("<f4", "(2, 2)", {1, 2, 3, 4});
  EXPECT_EQ(refusal_of(whole), "");
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_NE(refusal_of(whole.substr(0, size)), "") << size;
  EXPECT_THAT(refusal_of(whole.substr(0, whole.size() - 1)),
              HasSubstr("float32 of 2x2 need 16 bytes, but 15 are there"));
}

TEST(NpyHeader, RefusesSizesBeyondMeasure) {
  EXPECT_THAT(refusal_of(test::npy_bytes<float>("<f4", "(4611686018427387904, 16)", {1})),
              HasSubstr("x.npy: this .npy array is cut short"));
}

}  // namespace
}  // namespace jouletree::engines
