#include "report/monitor/machine_metrics.hpp"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace jouletree::report {
namespace {

MeterInfo meter(const std::string& name, Level level, const std::string& device,
                Provenance provenance = Provenance::Measured) {
  MeterInfo info;
  info.name = name;
  info.source = "rapl";
  info.device = device;
  info.level = level;
  info.provenance = provenance;
  return info;
}

RunningTotal running(double joules, std::optional<Watts> power) {
  RunningTotal total;
  total.total = Joules::from(joules);
  total.power = power;
  total.at = Time(std::chrono::seconds(1));
  return total;
}

/// A package with its cores, and memory beside it.
measure::WatchedMachine machine() {
  measure::WatchedMachine state;
  state.meters = {meter("rapl:package-0", Level::Package, "package-0"),
                  meter("rapl:package-0:core", Level::Core, "package-0"),
                  meter("rapl:package-0:dram", Level::Dram, "package-0")};
  state.totals = {running(1000, Watts{50}), running(600, Watts{30}), running(100, Watts{5})};
  state.summed = meters::choose_total(state.meters, std::nullopt);
  state.sampler.elapsed = std::chrono::seconds(10);
  return state;
}

std::vector<MetricFamily> metrics_of(const measure::WatchedMachine& state,
                                     const FootprintFactors& factors = {}) {
  return machine_metrics(state, factors, "1.2.3");
}

const MetricFamily* find(const std::vector<MetricFamily>& families, const std::string& name) {
  const auto found = std::find_if(families.begin(), families.end(),
                                  [&](const MetricFamily& family) { return family.name == name; });
  return found == families.end() ? nullptr : &*found;
}

std::string label(const MetricSample& sample, const std::string& name) {
  for (const MetricLabel& candidate : sample.labels) {
    if (candidate.name == name) return candidate.value;
  }
  return "(none)";
}

/// Value of the sample of a meter; nothing if it has none.
std::optional<double> value_of(const std::vector<MetricFamily>& families, const std::string& name,
                               const std::string& meter_name) {
  const MetricFamily* family = find(families, name);
  if (family == nullptr) return std::nullopt;
  for (const MetricSample& sample : family->samples) {
    if (label(sample, "meter") == meter_name) return sample.value;
  }
  return std::nullopt;
}

TEST(MachineMetricsTest, EveryMeterHasItsOwnCounterWithProvenance) {
  measure::WatchedMachine state = machine();
  state.meters[0].provenance = Provenance::Estimated;
  const auto families = metrics_of(state);
  const MetricFamily* energy = find(families, "jouletree_energy_joules_total");
  ASSERT_NE(energy, nullptr);
  EXPECT_EQ(energy->type, MetricFamily::Type::Counter);
  ASSERT_EQ(energy->samples.size(), 3U);
  EXPECT_DOUBLE_EQ(energy->samples[0].value, 1000);
  EXPECT_EQ(label(energy->samples[0], "meter"), "rapl:package-0");
  EXPECT_EQ(label(energy->samples[0], "level"), "package");
  EXPECT_EQ(label(energy->samples[0], "device"), "package-0");
  EXPECT_EQ(label(energy->samples[0], "provenance"), "estimated");
  EXPECT_EQ(label(energy->samples[1], "provenance"), "measured");
  EXPECT_DOUBLE_EQ(*value_of(families, "jouletree_power_watts", "rapl:package-0"), 50);
}

TEST(MachineMetricsTest, NoWattIsCountedTwiceInTheMachine) {
  const auto families = metrics_of(machine());
  const MetricFamily* energy = find(families, "jouletree_machine_energy_joules_total");
  ASSERT_NE(energy, nullptr);
  EXPECT_DOUBLE_EQ(energy->samples.at(0).value, 1100) << "package and memory, without the cores";
  EXPECT_EQ(label(energy->samples[0], "provenance"), "measured");
  EXPECT_DOUBLE_EQ(find(families, "jouletree_machine_power_watts")->samples.at(0).value, 55);
  const MetricFamily* info = find(families, "jouletree_meter_info");
  EXPECT_EQ(label(info->samples.at(0), "summed"), "true");
  EXPECT_EQ(label(info->samples.at(1), "summed"), "false");
}

TEST(MachineMetricsTest, AMeterThatIsLostKeepsItsCountAndHasNoPower) {
  measure::WatchedMachine state = machine();
  state.totals[0].lost = true;
  state.totals[0].gaps = std::chrono::seconds(3);
  const auto families = metrics_of(state);
  const std::string name = "rapl:package-0";
  EXPECT_DOUBLE_EQ(*value_of(families, "jouletree_energy_joules_total", name), 1000);
  EXPECT_DOUBLE_EQ(*value_of(families, "jouletree_meter_up", name), 0);
  EXPECT_DOUBLE_EQ(*value_of(families, "jouletree_meter_gap_seconds_total", name), 3);
  EXPECT_FALSE(value_of(families, "jouletree_power_watts", name));
  EXPECT_DOUBLE_EQ(*value_of(families, "jouletree_meter_up", "rapl:package-0:dram"), 1);
  EXPECT_DOUBLE_EQ(find(families, "jouletree_machine_energy_joules_total")->samples[0].value, 1100);
  EXPECT_EQ(find(families, "jouletree_machine_power_watts"), nullptr)
      << "the power of a part is unknown, so that of the whole is";
}

TEST(MachineMetricsTest, AMeterThatWasNeverReadCountsNothing) {
  measure::WatchedMachine state = machine();
  for (RunningTotal& total : state.totals) total = {};
  const auto families = metrics_of(state, {CarbonFactor{44, "s", 2024, "FR"}, std::nullopt, 1});
  EXPECT_EQ(find(families, "jouletree_energy_joules_total"), nullptr);
  EXPECT_EQ(find(families, "jouletree_machine_energy_joules_total"), nullptr);
  EXPECT_EQ(find(families, "jouletree_machine_co2e_grams_total"), nullptr);
  EXPECT_DOUBLE_EQ(*value_of(families, "jouletree_meter_up", "rapl:package-0"), 0);
}

TEST(MachineMetricsTest, CarbonAndCostAreDerivedFromTheMachine) {
  measure::WatchedMachine state = machine();
  state.totals[0].total = Joules::from(3.5e6);
  state.totals[2].total = Joules::from(0.1e6);
  FootprintFactors factors;
  factors.carbon = CarbonFactor{44, "Ember", 2024, "FR"};
  factors.price = EnergyPrice{0.25, "EUR"};
  factors.pue = 2;
  const auto families = metrics_of(state, factors);
  const MetricSample& grams = find(families, "jouletree_machine_co2e_grams_total")->samples.at(0);
  EXPECT_DOUBLE_EQ(grams.value, 88);
  EXPECT_EQ(label(grams, "provenance"), "derived");
  EXPECT_EQ(label(grams, "energy_provenance"), "measured");
  EXPECT_EQ(label(grams, "year"), "2024");
  const MetricSample& cost = find(families, "jouletree_machine_cost_total")->samples.at(0);
  EXPECT_DOUBLE_EQ(cost.value, 0.5);
  EXPECT_EQ(label(cost, "currency"), "EUR");
  EXPECT_EQ(find(metrics_of(state), "jouletree_machine_cost_total"), nullptr);
}

TEST(MachineMetricsTest, GraphicsCardsTellWhatTheyKnow) {
  measure::WatchedMachine state = machine();
  GpuState gpu;
  gpu.device = "gpu-0";
  gpu.model = "Some \"Card\"";
  gpu.utilisation = 0.85;
  gpu.sm_clock_mhz = 1410;
  gpu.throttle_reasons = {"thermal"};
  state.gpus = {gpu};
  const auto families = metrics_of(state);
  EXPECT_DOUBLE_EQ(find(families, "jouletree_gpu_utilisation_ratio")->samples.at(0).value, 0.85);
  EXPECT_DOUBLE_EQ(find(families, "jouletree_gpu_sm_clock_hertz")->samples.at(0).value, 1.41e9);
  EXPECT_EQ(label(find(families, "jouletree_gpu_throttled")->samples.at(0), "reason"), "thermal");
  EXPECT_EQ(find(families, "jouletree_gpu_temperature_celsius"), nullptr) << "unknown is absent";
}

TEST(MachineMetricsTest, TellsItsOwnCost) {
  measure::WatchedMachine state = machine();
  state.own_cpu_time = std::chrono::milliseconds(1500);
  state.sampler.cpu_time = std::chrono::milliseconds(100);
  const auto families = metrics_of(state);
  EXPECT_DOUBLE_EQ(find(families, "jouletree_own_cpu_seconds_total")->samples.at(0).value, 1.5);
  EXPECT_DOUBLE_EQ(find(families, "jouletree_sampler_cpu_ratio")->samples.at(0).value, 0.01);
  EXPECT_EQ(find(families, "jouletree_sampler_lateness_seconds")->samples.size(), 3U);
  EXPECT_EQ(find(metrics_of(machine()), "jouletree_sampler_cpu_ratio"), nullptr)
      << "not known before the sampler's first account";
}

TEST(MachineMetricsTest, NamesFollowTheRulesOfPrometheus) {
  std::set<std::string> names;
  for (const MetricFamily& family : metrics_of(machine())) {
    EXPECT_TRUE(names.insert(family.name).second) << family.name;
    EXPECT_THAT(family.name, testing::StartsWith("jouletree_"));
    EXPECT_FALSE(family.help.empty()) << family.name;
    const bool total = family.name.ends_with("_total");
    EXPECT_EQ(total, family.type == MetricFamily::Type::Counter) << family.name;
  }
}

}  // namespace
}  // namespace jouletree::report
