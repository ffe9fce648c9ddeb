#include "zoo/random_weights.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace jouletree::zoo {
namespace {

static_assert(std::endian::native == std::endian::little, "ONNX files are little-endian");

constexpr std::size_t kPiece = 16384;
/// Of the sum of four whole numbers drawn evenly from 0 to 65535.
constexpr std::int64_t kSumMean = 131070;
constexpr double kSumDeviation = 37837.22;

std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;  // FNV-1a
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3U;
  }
  return hash;
}

/// The SplitMix64 generator: a counter and a mixing function.
std::uint64_t mix(std::uint64_t counter) {
  counter = (counter ^ (counter >> 30U)) * 0xbf58476d1ce4e5b9U;
  counter = (counter ^ (counter >> 27U)) * 0x94d049bb133111ebU;
  return counter ^ (counter >> 31U);
}

constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15U;

std::int32_t sum_of_quarters(std::uint64_t bits) {
  return static_cast<std::int32_t>((bits & 0xffffU) + ((bits >> 16U) & 0xffffU) +
                                   ((bits >> 32U) & 0xffffU) + (bits >> 48U));
}

}  // namespace

void write_random(std::uint64_t seed, std::string_view name, Fill fill, std::size_t count,
                  const model::ByteSink& out) {
  const double scale = static_cast<double>(fill.deviation) / kSumDeviation;
  // Whole numbers are shifted and multiplied once: no compiler can round that differently.
  const auto shift =
      static_cast<std::int32_t>(std::lround(static_cast<double>(fill.mean) / scale) - kSumMean);
  const auto factor = static_cast<float>(scale);
  std::uint64_t counter = mix(seed + kStep) ^ hash_of(name);
  std::array<float, kPiece> piece = {};
  while (count > 0) {
    const std::size_t now = std::min(count, kPiece);
    for (std::size_t i = 0; i < now; ++i) {
      const std::uint64_t bits = mix(counter + kStep * (i + 1));
      piece[i] = static_cast<float>(sum_of_quarters(bits) + shift) * factor;
    }
    counter += kStep * now;
    count -= now;
    out({reinterpret_cast<const char*>(piece.data()), now * sizeof(float)});
  }
}

void write_random_bytes(std::uint64_t seed, std::string_view name, std::size_t count,
                        const model::ByteSink& out) {
  std::uint64_t counter = mix(seed + kStep) ^ hash_of(name);
  std::array<std::uint64_t, kPiece> piece = {};
  while (count > 0) {
    const std::size_t now = std::min(count, sizeof piece);
    for (std::size_t i = 0; i * sizeof(std::uint64_t) < now; ++i) piece[i] = mix(counter += kStep);
    count -= now;
    out({reinterpret_cast<const char*>(piece.data()), now});
  }
}

}  // namespace jouletree::zoo
