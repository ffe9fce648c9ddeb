#include "measure/sweep/study.hpp"

#include <cmath>
#include <random>

#include <gmock/gmock.h>

namespace jouletree::measure {
namespace {

using testing::ElementsAre;
using testing::Eq;
using testing::Optional;

constexpr int kRuns = 10;
constexpr double kNoise = 0.02;

/// A study whose truth is known: the time jumps between 300 and 350 tokens, the energy follows it
/// at an unrelated power, memory grows with an exponent of 1.2, the temperature does what it likes.
StudyModel planted_study(unsigned seed, bool with_break) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  const auto noisy = [&](double value) { return value * (1 + kNoise * normal(random)); };
  StudyModel model;
  model.name = "planted";
  model.size_name = "tokens";
  for (int tokens = 50; tokens <= 500; tokens += 50) {
    StudyFormat format;
    format.name = std::to_string(tokens);
    format.size = tokens;
    for (int run = 1; run <= kRuns; ++run) {
      const double jump = with_break && tokens > 325 ? 1.35 : 1;
      const double time = noisy((0.4e-3 + 2e-5 * tokens) * jump);
      const double power = noisy(50);
      format.runs.push_back({run,
                             1000,
                             {{"latency_median_s", {time, "measured"}},
                              {"energy_j", {time * power, "estimated"}},
                              {"peak_pss_bytes", {noisy(1e4 * std::pow(tokens, 1.2)), "measured"}},
                              {"power_w", {power, "estimated"}},
                              {"params", {4e6, "counted"}}},
                             {}});
    }
    model.formats.push_back(std::move(format));
  }
  return model;
}

double entry(const CorrelationMatrix& matrix, const StudyCorrelations& of, const char* a,
             const char* b) {
  const auto place = [&](const char* name) {
    return static_cast<std::size_t>(std::find(of.quantities.begin(), of.quantities.end(), name) -
                                    of.quantities.begin());
  };
  return matrix.at(place(a)).at(place(b)).value_or(NAN);
}

TEST(Study, RecoversAPlantedBreakAndExponent) {
  int breaks = 0;
  int exponents = 0;
  for (unsigned seed = 0; seed < 20; ++seed) {
    const StudyModel model = planted_study(seed, true);
    const auto series = series_of(model, quantities_of({model}));
    ASSERT_EQ(series.size(), 1U);
    const auto& found = series[0].breaks.at("latency_median_s");
    ASSERT_TRUE(found);
    breaks += found->breaks.size() == 1 && std::abs(found->breaks[0].at - 325) <= 50 ? 1 : 0;
    const auto& law = series[0].laws.at("peak_pss_bytes");
    ASSERT_TRUE(law && law->low && law->high);
    EXPECT_LT(*law->low, *law->high);
    exponents += std::abs(law->exponent - 1.2) <= 0.05 * 1.2 ? 1 : 0;
  }
  EXPECT_GE(breaks, 19);
  EXPECT_EQ(exponents, 20);
}

TEST(Study, FindsNoBreakInNoise) {
  int with_break = 0;
  for (unsigned seed = 100; seed < 120; ++seed) {
    const StudyModel model = planted_study(seed, false);
    const auto series = series_of(model, quantities_of({model}));
    bool any = false;
    for (const auto& [name, found] : series[0].breaks) any = any || !found->breaks.empty();
    with_break += any ? 1 : 0;
  }
  EXPECT_LE(with_break, 1) << "in any of five quantities";
}

TEST(Study, RecoversPlantedCorrelations) {
  const StudyModel model = planted_study(7, true);
  const StudyCorrelations found = correlations_of({&model}, quantities_of({model}));
  EXPECT_EQ(found.rows, 100U);
  EXPECT_THAT(found.quantities, ElementsAre("size", "params", "latency_median_s", "energy_j",
                                            "power_w", "peak_pss_bytes"));
  EXPECT_GT(entry(found.spearman, found, "size", "energy_j"), 0.98);
  EXPECT_GT(entry(found.spearman, found, "latency_median_s", "energy_j"), 0.98);
  EXPECT_GT(entry(found.pearson, found, "size", "peak_pss_bytes"), 0.98);
  EXPECT_LT(std::abs(entry(found.spearman, found, "size", "power_w")), 0.3) << "unrelated";
  EXPECT_TRUE(std::isnan(entry(found.pearson, found, "size", "params"))) << "constant: unknown";
}

TEST(Study, TellsBatchesAndThreadsApart) {
  StudyModel model;
  model.size_name = "tokens";
  for (const int batch : {8, 1}) {
    for (const double size : {30.0, 10.0, 20.0}) {
      StudyFormat format;
      format.size = size;
      format.batch = batch;
      format.runs = {{1, 1, {{"energy_j", {size * size * batch, "measured"}}}, {}}};
      model.formats.push_back(format);
    }
  }
  const auto series = series_of(model, quantities_of({model}));
  ASSERT_EQ(series.size(), 2U);
  EXPECT_THAT(series[0].batch, Optional(Eq(1)));
  EXPECT_THAT(series[0].formats, ElementsAre(4, 5, 3)) << "by size";
  EXPECT_NEAR(series[1].laws.at("energy_j")->exponent, 2, 1e-9);
  EXPECT_NEAR(series[1].laws.at("energy_j")->factor, 8, 1e-9);
  EXPECT_FALSE(series[1].breaks.at("energy_j")) << "three sizes";
  const StudyCorrelations found = correlations_of({&model}, quantities_of({model}));
  EXPECT_THAT(found.quantities, ElementsAre("size", "batch", "energy_j"));
  model.size_name = "batch";
  EXPECT_EQ(series_of(model, {}).size(), 1U);
}

TEST(Study, SpreadsKnowWhatIsEstimated) {
  StudyFormat format;
  for (const double value : {5.0, 1.0, 3.0, 2.0, 4.0})
    format.runs.push_back(
        {1, 1, {{"energy_j", {value, value == 3 ? "estimated" : "measured"}}}, {}});
  format.runs.push_back({6, 1, {}, {}});
  const QuantitySpread spread = spreads_of(format).at("energy_j");
  EXPECT_EQ(spread.n, 5U);
  EXPECT_EQ(spread.median, 3);
  EXPECT_EQ(spread.q1, 2);
  EXPECT_EQ(spread.q3, 4);
  EXPECT_EQ(spread.min, 1);
  EXPECT_EQ(spread.max, 5);
  EXPECT_EQ(spread.provenance, "estimated");
}

TEST(Study, LatenciesAreOfBoundedSizeAndKeepTheirEnds) {
  StudyFormat format;
  std::vector<double> many(200000);
  for (std::size_t i = 0; i < many.size(); ++i)
    many[i] = static_cast<double>(many.size() - i) * 1e-6;
  format.runs.push_back({1, 200000, {}, latency_sample(many)});
  EXPECT_LE(format.runs[0].latency_sample.size(), 1000U);
  const LatencyPoints points = latencies_of(format);
  EXPECT_LE(points.size(), 60U);
  EXPECT_EQ(points.front().first, 0);
  EXPECT_NEAR(points.front().second, 1e-6, 1e-12);
  EXPECT_EQ(points.back().first, 1);
  EXPECT_NEAR(points.back().second, 0.2, 1e-12);
  for (const auto& [share, seconds] : points) EXPECT_NEAR(seconds, 0.2 * share, 0.001);
}

TEST(Study, RunsCountByTheirInferences) {
  StudyFormat format;
  format.runs.push_back({1, 90, {}, {1e-3}});
  format.runs.push_back({2, 10, {}, {5e-3}});
  for (const auto& [share, seconds] : latencies_of(format))
    EXPECT_EQ(seconds, share <= 0.9 ? 1e-3 : 5e-3) << share;
  EXPECT_TRUE(latencies_of({}).empty());
}

TEST(SizesInNames, AreTheNumbersThatChange) {
  EXPECT_THAT(sizes_in_names({"50", "100"}), ElementsAre(50, 100));
  EXPECT_THAT(sizes_in_names({"1x3x8x8", "1x3x64x64"}), ElementsAre(8, 64));
  EXPECT_THAT(sizes_in_names({"1x3x8x16", "1x3x64x16", "1x3x8x32"}), ElementsAre(128, 1024, 256));
  EXPECT_THAT(sizes_in_names({"1x3x224x224"}), ElementsAre(224));
  EXPECT_THAT(sizes_in_names({"a", "b"}), ElementsAre(std::nullopt, std::nullopt));
  EXPECT_THAT(sizes_in_names({"50", "big"}), ElementsAre(std::nullopt, std::nullopt));
  EXPECT_THAT(sizes_in_names({}), ElementsAre());
}

TEST(Quantities, StandInReadingOrder) {
  std::vector<std::string> names;
  for (const Quantity& quantity : in_reading_order(
           {"zebra", "power_w", "energy_j:rapl:dram", "energy_j", "macs", "latency_median_s"}))
    names.push_back(quantity.name);
  EXPECT_THAT(names, ElementsAre("macs", "latency_median_s", "energy_j", "energy_j:rapl:dram",
                                 "power_w", "zebra"));
  EXPECT_EQ(quantity_of("energy_j:rapl:dram").title, "Energy per inference of rapl:dram");
  EXPECT_EQ(quantity_of("macs").title, "MACs") << "as the metric catalogue calls it";
  EXPECT_EQ(quantity_of("gpu_memory_bytes:gpu-0").unit, "B");
}

}  // namespace
}  // namespace jouletree::measure
