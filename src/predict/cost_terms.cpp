#include "predict/cost_terms.hpp"

#include <cmath>
#include <vector>

namespace jouletree::predict {
namespace {

constexpr std::array<CostTerm, 11> kProductTerms = {{{"launch", "call"},
                                                     {"arithmetic", "MFLOP"},
                                                     {"bytes", "MiB"},
                                                     {"outputs", "million"},
                                                     {"tiles of 32x32", "MFLOP"},
                                                     {"tiles of 64x64", "MFLOP"},
                                                     {"tiles of 128x64", "MFLOP"},
                                                     {"tiles of 128x128", "MFLOP"},
                                                     {"bytes beyond 1 MiB", "MiB"},
                                                     {"bytes beyond 4 MiB", "MiB"},
                                                     {"waves", "MFLOP"}}};

// Beyond the size of a cache a byte costs more, and before all units are busy it costs nothing.
constexpr std::array<CostTerm, 15> kMemoryTerms = {{{"launch", "call"},
                                                    {"bytes", "MiB"},
                                                    {"arithmetic", "MFLOP"},
                                                    {"rows", "thousand"},
                                                    {"pieces of 128 in rows", "thousand"},
                                                    {"bytes beyond 1/4 MiB", "MiB"},
                                                    {"bytes beyond 1/2 MiB", "MiB"},
                                                    {"bytes beyond 1 MiB", "MiB"},
                                                    {"bytes beyond 2 MiB", "MiB"},
                                                    {"bytes beyond 4 MiB", "MiB"},
                                                    {"bytes beyond 8 MiB", "MiB"},
                                                    {"bytes beyond 16 MiB", "MiB"},
                                                    {"bytes beyond 32 MiB", "MiB"},
                                                    {"bytes beyond 64 MiB", "MiB"},
                                                    {"bytes beyond 128 MiB", "MiB"}}};
constexpr std::size_t kFirstPiece = 5;
constexpr double kSmallestPiece = 0.25;

constexpr std::array<Wave, 4> kTiles = {{{32, 32, 1}, {64, 64, 1}, {128, 64, 1}, {128, 128, 1}}};

/// Numbers of multiprocessors, once or twice, of common devices.
constexpr std::array<double, 30> kSlots = {8,  10, 12, 14, 15,  16,  20,  24,  28,  30,
                                           32, 36, 40, 46, 48,  56,  60,  64,  68,  72,
                                           80, 82, 84, 96, 108, 112, 128, 132, 144, 160};

std::vector<Wave> make_candidates() {
  std::vector<Wave> all;
  for (std::size_t tile = 1; tile < kTiles.size(); ++tile) {
    for (const double slots : kSlots)
      all.push_back({kTiles[tile].tile_rows, kTiles[tile].tile_columns, slots});
  }
  return all;
}

}  // namespace

std::span<const CostTerm> terms_of(WorkClass work_class) {
  if (work_class == WorkClass::Memory) return kMemoryTerms;
  return kProductTerms;
}

std::span<const Wave> candidate_waves() {
  static const std::vector<Wave> kCandidates = make_candidates();
  return kCandidates;
}

double wave_mflops(const OperatorLoad& work, const Wave& wave) {
  const double tiles = work.batches * std::ceil(work.rows / wave.tile_rows) *
                       std::ceil(work.columns / wave.tile_columns);
  const double room = std::ceil(tiles / wave.slots) * wave.slots;
  return 2e-6 * room * wave.tile_rows * wave.tile_columns * work.depth;
}

TermValues term_values(const OperatorLoad& work) {
  TermValues values{};
  values[0] = 1;
  if (work.work_class == WorkClass::Memory) {
    values[1] = work.mebibytes;
    values[2] = work.mflops;
    values[3] = work.vectors * 1e-3;
    values[4] = work.vectors * 1e-3 * std::ceil(work.vector_length / 128);
    double piece = kSmallestPiece;
    for (std::size_t i = kFirstPiece; i < kMemoryTerms.size(); ++i, piece *= 2)
      values[i] = std::max(0.0, work.mebibytes - piece);
    return values;
  }
  values[1] = work.mflops;
  values[2] = work.mebibytes;
  values[3] = work.batches * work.rows * work.columns * 1e-6;
  for (std::size_t i = 0; i < kTiles.size(); ++i) values[4 + i] = wave_mflops(work, kTiles[i]);
  values[8] = std::max(0.0, work.mebibytes - 1);
  values[9] = std::max(0.0, work.mebibytes - 4);
  return values;
}

}  // namespace jouletree::predict
