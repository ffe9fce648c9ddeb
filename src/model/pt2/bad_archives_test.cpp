#include <chrono>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jouletree/error.hpp"
#include "jouletree/tree.hpp"
#include "model/pt2/reader.hpp"
#include "support/sample_programs.hpp"

namespace jouletree::model::pt2 {
namespace {

using test::linear_program;
using test::ProgramBuilder;
using testing::HasSubstr;

/// What the reader says; nothing where it reads the archive.
std::string problem(const std::string& archive, const InputSettings& settings = {}) {
  try {
    const auto graph = std::make_shared<const Graph>(read(archive, "bad.pt2", settings));
    (void)build_tree(graph, settings);
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput) << error.what();
    EXPECT_THAT(error.what(), HasSubstr("bad.pt2: "));
    return error.what();
  }
}

std::string problem_of_json(const std::string& json) {
  return problem(test::zip_bytes({{"net/models/model.json", json}, {"net/archive_format", "pt2"}}));
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), with);
}

TEST(BadArchive, OfANewerSchemaIsRefused) {
  ProgramBuilder program = linear_program();
  program.schema(R"({"major": 9, "minor": 1})");
  EXPECT_THAT(problem(program.bytes()),
              HasSubstr("schema version 9.1 (PyTorch 2.13.0), and JouleTree reads those up to 8; "
                        "install a newer JouleTree"));
}

TEST(BadArchive, WithoutAGraphIsRefused) {
  EXPECT_THAT(problem(test::zip_bytes(
                  {{"m/archive_format", "pt2"}, {"m/data/aotinductor/model/x.so", "ELF"}})),
              HasSubstr("holds code that AOTInductor compiled, but no graph"));
  EXPECT_THAT(problem(test::zip_bytes({{"m/archive_format", "pt2"}})), HasSubstr("holds no graph"));
}

TEST(BadArchive, OfAnotherFormatIsRefused) {
  EXPECT_THAT(
      problem(test::zip_bytes({{"m/archive_format", "pt9\n"}, {"m/models/model.json", "{}"}})),
      HasSubstr("its archive_format is 'pt9'"));
}

TEST(BadArchive, WithSeveralProgramsNamesThem) {
  EXPECT_THAT(problem(test::zip_bytes({{"m/models/a.json", "{}"}, {"m/models/b.json", "{}"}})),
              HasSubstr("holds 2 programs: a, b; save the one that you want"));
}

TEST(BadArchive, OfTooManyFilesIsRefusedAtOnce) {
  std::vector<test::ZippedFile> files = linear_program().files();
  for (int i = 0; i < 100'000; ++i) files.push_back({"net/data/weights/w" + std::to_string(i), ""});
  const std::string bytes = test::zip_bytes(files);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_THAT(problem(bytes), HasSubstr("an archive of 100,004 files"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2));
}

/// An entry that says that it holds more than it does.
std::string with_size(std::string archive, const std::string& name, std::uint64_t bytes) {
  for (std::size_t at = archive.find(name); at != std::string::npos;
       at = archive.find(name, at + 1)) {
    if (at >= 46 && archive.compare(at - 46, 4, "PK\x01\x02") == 0)
      archive.replace(at - 46 + 24, 4, test::little_endian(bytes, 4));
  }
  return archive;
}

TEST(BadArchive, ThatUnpacksToGigabytesIsRefused) {
  const std::string archive = test::zip_bytes(linear_program().files(true));
  EXPECT_THAT(problem(with_size(archive, "net/models/model.json", 4'000'000'000)),
              HasSubstr("JouleTree reads at most 64.0 MiB"));
  EXPECT_THAT(problem(with_size(archive, "net/models/model.json", 60'000'000)),
              HasSubstr("cannot be unpacked: it says that it holds"));
  EXPECT_THAT(problem(with_size(archive, "net/models/model.json", 100)), HasSubstr("is damaged"));
}

TEST(BadArchive, CutAnywhereIsRefused) {
  const std::string whole = linear_program().bytes();
  for (std::size_t size = 0; size < whole.size(); size += 7)
    EXPECT_NE(problem(whole.substr(0, size)), "") << size;
}

TEST(BadArchive, OfBrokenJsonSaysSo) {
  EXPECT_THAT(problem_of_json(""), HasSubstr("no valid JSON: it is empty"));
  EXPECT_THAT(problem_of_json("{\"graph_module\": "), HasSubstr("no valid JSON"));
  EXPECT_THAT(problem_of_json("[]"), HasSubstr("it is no object"));
  EXPECT_THAT(problem_of_json("{\"a\": \"\xFF\xFE\"}"), HasSubstr("not UTF-8"));
  EXPECT_THAT(problem_of_json(std::string(5000, '[')), HasSubstr("no valid JSON"));
}

TEST(BadArchive, NamesTheFieldThatIsMissing) {
  const std::string json = linear_program().json();
  for (const char* key :
       {"graph_module", "graph", "signature", "tensor_values", "nodes", "input_specs",
        "output_specs", "schema_version", "target", "sizes", "parameter_name"}) {
    const std::string quoted = std::string("\"") + key + "\"";
    EXPECT_THAT(problem_of_json(replaced(json, quoted, "\"other\"")), HasSubstr(key)) << key;
    const std::size_t at = json.find(quoted) + quoted.size();
    EXPECT_NE(problem_of_json(json.substr(0, at) + ": 17, \"x\"" + json.substr(at)), "") << key;
  }
}

TEST(BadArchive, OfSizesThatCannotBeIsRefused) {
  const std::string json = linear_program().json();
  const std::string five = R"({"as_int": 5})";
  EXPECT_THAT(problem_of_json(replaced(json, five, R"({"as_int": -5})")),
              HasSubstr("a dimension of -5"));
  EXPECT_NE(problem_of_json(replaced(json, five, R"({"as_int": 9000000000000000000})")), "");
  EXPECT_THAT(problem_of_json(replaced(json, five, R"({"as_int": 99999999999999999999})")),
              HasSubstr("a number that is damaged or too large"));
  EXPECT_THAT(problem_of_json(replaced(json, five, R"({"as_int": 1.5})")),
              HasSubstr("no whole number"));
}

TEST(BadArchive, WhoseNodesReadEachOtherIsRefused) {
  ProgramBuilder program;
  program.input("x", {"4"}).tensor("a", {"4"}).tensor("b", {"4"});
  program.node("torch.ops.aten.relu.default", {ProgramBuilder::given("b")}, {"a"});
  program.node("torch.ops.aten.relu.default", {ProgramBuilder::given("a")}, {"b"});
  program.output("b");
  EXPECT_THAT(problem(program.bytes()),
              HasSubstr("node 1 (aten::relu) reads 'b', which nothing before it gives"));
}

TEST(BadArchive, NestedWithoutEndIsRefused) {
  std::string nested = R"({"as_none": true})";
  for (int i = 0; i < 40; ++i) {
    ProgramBuilder part;
    part.tensor("x", {"4"}).node("torch.ops.higher_order.wrap", {nested}, {});
    nested = part.as_graph({}, {});
  }
  ProgramBuilder program;
  program.input("x", {"4"}).node("torch.ops.higher_order.wrap", {nested}, {}).output("x");
  EXPECT_THAT(problem(program.bytes()), HasSubstr("nested too deeply"));
}

TEST(BadArchive, TakesNoSizesThatItWasNotMadeFor) {
  const std::string archive = linear_program().bytes();
  InputSettings settings;
  settings.symbols["s77"] = 100;
  EXPECT_THAT(problem(archive, settings),
              HasSubstr("dimension 's77' cannot be 100: the program takes sizes from 2 to 64"));
  settings.symbols = {{"s78", 3}};
  EXPECT_THAT(problem(archive, settings), HasSubstr("no symbolic dimension 's78'; it has: s77"));
  settings.symbols.clear();
  settings.shapes["x"] = {4, 9};
  EXPECT_THAT(problem(archive, settings), HasSubstr("dimension 1 of input 'x' must be 3, not 9"));
  settings.shapes["x"] = {4};
  EXPECT_NE(problem(archive, settings), "");
}

}  // namespace
}  // namespace jouletree::model::pt2
