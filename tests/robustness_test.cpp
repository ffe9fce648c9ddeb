#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include <gtest/gtest.h>

#include "fuzz/inspect_bytes.hpp"
#include "fuzz/read_bytes.hpp"
#include "fuzz/seed_models.hpp"
#include "fuzz/seed_programs.hpp"

namespace jouletree::test {
namespace {

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

TEST(Robustness, SeedModelsReachEveryRuleWithoutADefect) {
  for (const SeedModel& model : seed_models()) {
    SCOPED_TRACE(model.name);
    EXPECT_NO_THROW(inspect_bytes(model.bytes));
  }
}

TEST(Robustness, AFileCutAnywhereIsRefusedOrRead) {
  const auto models = seed_models();
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t length = 0; length < models[i].bytes.size(); ++length)
      EXPECT_NO_THROW(inspect_bytes(std::string_view(models[i].bytes).substr(0, length)));
  }
}

TEST(Robustness, DamagedBytesAreRefusedOrRead) {
  std::mt19937 random(7);
  for (const SeedModel& model : seed_models()) {
    SCOPED_TRACE(model.name);
    for (int round = 0; round < 20; ++round) {
      std::string damaged = model.bytes;
      for (int change = 0; change < 3; ++change)
        damaged[random() % damaged.size()] = static_cast<char>(random());
      EXPECT_NO_THROW(inspect_bytes(damaged));
    }
  }
}

TEST(Robustness, DamagedProgramsAreRefusedOrRead) {
  std::mt19937 random(11);
  for (const SeedProgram& seed : seed_programs()) {
    SCOPED_TRACE(seed.name);
    const std::string json = seed.program.json();
    EXPECT_NO_THROW(inspect_program(json));
    for (int round = 0; round < 200; ++round) {
      std::string damaged = json;
      for (int change = 0; change < 2; ++change) {
        const char letters[] = {'0', '9', '-', '"', '{', '}', '[', ']', ',', 'x', '\xFF'};
        damaged[random() % damaged.size()] = letters[random() % sizeof letters];
      }
      EXPECT_NO_THROW(inspect_program(damaged));
    }
    for (std::size_t length = 0; length < json.size(); length += 11)
      EXPECT_NO_THROW(inspect_program(std::string_view(json).substr(0, length)));
  }
}

TEST(Robustness, OtherReadersRefuseOrReadDamagedBytes) {
  std::mt19937 random(13);
  for (const OtherReader& reader : other_readers()) {
    SCOPED_TRACE(reader.name);
    for (const std::string& seed : reader.seeds) {
      EXPECT_NO_THROW(reader.read(seed));
      for (int round = 0; round < 60; ++round) {
        std::string damaged = seed;
        for (int change = 0; change < 2; ++change) {
          const char letters[] = {'0', '9', '-', '"', '{', '}', '[', ']', ',', 'e', '\xFF', '\n'};
          damaged[random() % damaged.size()] = letters[random() % sizeof letters];
        }
        EXPECT_NO_THROW(reader.read(damaged));
        EXPECT_NO_THROW(reader.read(std::string_view(seed).substr(0, random() % seed.size())));
      }
    }
  }
}

TEST(Robustness, InputsThatOnceBrokeTheReaderStayMended) {
  for (const auto& entry : std::filesystem::directory_iterator(JOULETREE_FUZZ_FIXTURES)) {
    SCOPED_TRACE(entry.path().filename());
    EXPECT_NO_THROW(inspect_bytes(read_file(entry.path())));
    EXPECT_NO_THROW(inspect_program(read_file(entry.path())));
    for (const OtherReader& reader : other_readers())
      EXPECT_NO_THROW(reader.read(read_file(entry.path())));
  }
}

}  // namespace
}  // namespace jouletree::test
