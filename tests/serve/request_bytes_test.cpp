#include "fuzz/request_bytes.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include <gtest/gtest.h>

namespace jouletree::test {
namespace {

TEST(RequestBytes, SeedsAndDamagedOnesGetOnlyWhatTheyMay) {
  std::mt19937 random(17);
  for (const std::string& seed : seed_requests()) {
    answer_request_bytes(seed);
    for (int round = 0; round < 500; ++round) {
      std::string damaged = seed;
      for (int change = 0; change < 2; ++change) {
        const char letters[] = {'%', '2', 'f', 'e',  '.',  '/',   '?',
                                '&', '=', '#', '\n', '\0', '\xFF'};
        damaged[random() % damaged.size()] = letters[random() % sizeof letters];
      }
      answer_request_bytes(damaged);
      answer_request_bytes(std::string_view(seed).substr(0, random() % seed.size()));
    }
  }
  answer_request_bytes("");
}

TEST(RequestBytes, InputsThatOnceBrokeAReaderAreNoRequests) {
  for (const auto& entry : std::filesystem::directory_iterator(JOULETREE_FUZZ_FIXTURES)) {
    std::ifstream file(entry.path(), std::ios::binary);
    answer_request_bytes(std::string(std::istreambuf_iterator<char>(file), {}));
  }
}

}  // namespace
}  // namespace jouletree::test
