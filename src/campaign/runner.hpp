#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "campaign/expansion.hpp"
#include "campaign/plan.hpp"
#include "jouletree/probe.hpp"
#include "store/database/campaign_queue.hpp"

namespace jouletree::campaign {

struct RunSettings {
  std::string database;                  ///< As --db takes it.
  std::optional<double> max_load = 0.5;  ///< CPUs that others may use; nothing: any.
  std::optional<std::int64_t> limit{};   ///< Of items that this worker measures.
  bool retry = false;                    ///< Measure failed items again.
  std::chrono::seconds lease{120};       ///< After that, a worker that is silent is lost.
  ProbeOptions meters{};
  /// Called between any two steps. What it throws ends the run; the item that is being measured
  /// goes back to the queue.
  std::function<void()> check{};
  std::function<void(const std::string&)> tell{};  ///< Told what happens, a line each.
  std::function<void(const std::string& what, std::size_t done, std::size_t total)> progress{};
};

/// Measures the items of a plan that nobody measured yet, together with other workers on the same
/// database. Returns when no item is left: what others are measuring is waited for, because they
/// may be lost. Throws Error for a database or a machine that cannot be used; an item that cannot
/// be measured is marked as failed.
store::CampaignQueue::Counts run_campaign(const Plan& plan, const Expansion& expansion,
                                          const RunSettings& settings);

}  // namespace jouletree::campaign
