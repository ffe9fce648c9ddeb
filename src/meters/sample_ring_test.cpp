#include "meters/sample_ring.hpp"

#include <memory>
#include <thread>

#include <gtest/gtest.h>

namespace jouletree::meters {
namespace {

TEST(SampleRingTest, HandsOverInOrderBetweenTwoThreads) {
  const auto ring = std::make_unique<SampleRing>();
  constexpr std::int64_t kSamples = 100'000;
  std::thread producer([&] {
    for (std::int64_t i = 0; i < kSamples;) {
      Sample sample;
      sample.reading.total = Joules{i};
      if (ring->put(sample)) {
        ++i;
      } else {
        std::this_thread::yield();
      }
    }
  });
  bool in_order = true;
  for (std::int64_t i = 0; i < kSamples;) {
    Sample sample;
    if (!ring->take(sample)) {
      std::this_thread::yield();
      continue;
    }
    in_order = in_order && sample.reading.total == Joules{i};
    ++i;
  }
  producer.join();
  EXPECT_TRUE(in_order);
}

TEST(SampleRingTest, RefusesWhatFindsNoRoom) {
  const auto ring = std::make_unique<SampleRing>();
  for (std::uint32_t i = 0; i < SampleRing::kSize; ++i) {
    EXPECT_EQ(ring->half_full(), i >= SampleRing::kSize / 2);
    EXPECT_TRUE(ring->put({}));
  }
  EXPECT_FALSE(ring->put({}));
  Sample sample;
  EXPECT_TRUE(ring->take(sample));
  EXPECT_TRUE(ring->put({}));
}

}  // namespace
}  // namespace jouletree::meters
