#include "measure/profile_figures.hpp"

#include <gmock/gmock.h>

#include "support/sample_profile.hpp"

namespace jouletree::measure {
namespace {

using test::SampleProfile;
using testing::DoubleNear;
using testing::Optional;

auto close_to(double value) { return Optional(DoubleNear(value, 1e-9)); }

const TreeNode& matmul_of(const Profile& profile) {
  for (const TreeNode& module : profile.tree.root.children)
    if (module.name == "head") return module.children.at(0).children.at(0);
  throw std::out_of_range("head");
}

TEST(ProfileFigures, OfAnOperatorCarryItsCountAndItsTimeInPlace) {
  const SampleProfile sample;
  const NodeFigures figures = figures_of(sample.profile)(matmul_of(sample.profile));
  EXPECT_THAT(figures.time_s, close_to(4e-3));
  EXPECT_THAT(figures.in_place_s, close_to(4.1e-3));
  EXPECT_THAT(figures.count, Optional(2));
  EXPECT_THAT(figures.energy_above_idle_j, close_to(24e-3));
  EXPECT_EQ(figures.energy_provenance, Provenance::Estimated);
}

TEST(ProfileFigures, UseIsInPercentOfTheMachine) {
  const SampleProfile sample;
  const NodeFigures figures = figures_of(sample.profile)(sample.profile.tree.root);
  EXPECT_THAT(figures.cpu_percent, close_to(25));
  EXPECT_THAT(figures.memory_percent, close_to(25));
  EXPECT_EQ(figures.gpu_percent, std::nullopt);
  EXPECT_EQ(figures.gpu_clock_mhz, std::nullopt);
}

TEST(ProfileFigures, UseOfAMachineThatSaysNothingIsUnknown) {
  SampleProfile sample;
  sample.profile.environment.machine_cpus = 0;
  sample.profile.environment.memory_bytes.reset();
  const NodeFigures figures = figures_of(sample.profile)(sample.profile.tree.root);
  EXPECT_EQ(figures.cpu_percent, std::nullopt);
  EXPECT_EQ(figures.memory_percent, std::nullopt);
}

TEST(ProfileFigures, OfSeveralCardsTheBusiestCounts) {
  SampleProfile sample;
  GpuState idle;
  idle.utilisation = 0.1;
  GpuState busy;
  busy.utilisation = 0.96;
  busy.memory_utilisation = 0.31;
  busy.sm_clock_mhz = 1898;
  busy.memory_clock_mhz = 3802;
  sample.profile.whole.use.gpus = {idle, busy};
  const NodeFigures figures = figures_of(sample.profile)(sample.profile.tree.root);
  EXPECT_THAT(figures.gpu_percent, close_to(96));
  EXPECT_THAT(figures.gpu_memory_percent, close_to(31));
  EXPECT_THAT(figures.gpu_clock_mhz, close_to(1898));
  EXPECT_THAT(figures.gpu_memory_clock_mhz, close_to(3802));
}

TEST(ProfileFigures, WhatDidNotRunAloneHasItsTimeInTheModelMarkedAndNoEnergy) {
  SampleProfile sample;
  sample.profile.operators[0].measured.reset();
  const NodeFigures figures = figures_of(sample.profile)(matmul_of(sample.profile));
  EXPECT_THAT(figures.time_s, close_to(4.1e-3));
  EXPECT_TRUE(figures.is_in_place);
  EXPECT_EQ(time_provenance_of(figures), "measured in place");
  EXPECT_EQ(figures.energy_j, std::nullopt);
}

TEST(ProfileFigures, ATimeInTheModelIsThatOfAllIterations) {
  SampleProfile sample;
  sample.profile.operators[0].measured.reset();
  const TreeNode& matmul = matmul_of(sample.profile);
  sample.profile.tree.inference.nodes[matmul.operation->id].runs = Count(3);
  const NodeFigures figures = figures_of(sample.profile)(matmul);
  EXPECT_THAT(figures.time_s, close_to(3 * 4.1e-3));
  EXPECT_EQ(figures.time_s, figures.in_place_s);
}

TEST(ProfileFigures, AFailureThatWasNotSeenInTheModelHasNone) {
  SampleProfile sample;
  sample.profile.operators[0].measured->failure = "crashed";
  sample.profile.operators[0].in_place_s.reset();
  const NodeFigures figures = figures_of(sample.profile)(matmul_of(sample.profile));
  EXPECT_EQ(figures.time_s, std::nullopt);
  EXPECT_EQ(figures.energy_j, std::nullopt);
  EXPECT_THAT(figures.count, Optional(2));
}

}  // namespace
}  // namespace jouletree::measure
