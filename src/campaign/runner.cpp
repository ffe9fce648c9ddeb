#include "campaign/runner.hpp"

#include <map>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/number_of.hpp"
#include "campaign/heartbeat.hpp"
#include "campaign/model_content.hpp"
#include "campaign/quiet_machine.hpp"
#include "campaign/run_item.hpp"
#include "campaign/time_left.hpp"
#include "jouletree/error.hpp"
#include "store/database/profile_rows.hpp"

namespace jouletree::campaign {
namespace {

using store::CampaignQueue;
using store::ClaimedItem;

/// How often a worker looks for items that others lost.
constexpr std::chrono::milliseconds kPoll(500);

/// The item is somebody else's by now: not an error, but nothing to keep either.
struct LeaseLost {};

class CampaignRun {
 public:
  CampaignRun(const Plan& plan, const Expansion& expansion, const RunSettings& settings)
      : plan_(plan),
        settings_(settings),
        database_(store::sql::parse_location(settings.database), store::sql::Access::Create),
        queue_(database_, plan.name, store::Worker::self(), settings.lease) {
    std::vector<store::QueuedItem> items;
    for (const Item& item : expansion.items) items.push_back({item.label(), item.spec()});
    const CampaignQueue::Changes changes = queue_.prepare(plan.text, items);
    if (changes.dropped > 0)
      settings_.tell(
          fmt::format("{} no longer in the plan: dropped", number_of(changes.dropped, "item")));
    measure_changed_again(expansion);
    if (settings.retry) {
      const std::int64_t again = queue_.retry_failed();
      if (again > 0)
        settings_.tell(fmt::format("{} to be tried again", number_of(again, "failed item")));
    }
  }

  CampaignQueue::Counts run() {
    while (!settings_.limit || taken_ < *settings_.limit) {
      settings_.check();
      if (queue_.counts().waiting > 0 && settings_.max_load)
        wait_for_quiet(settings_.meters.root, *settings_.max_load, settings_.check, settings_.tell);
      if (const auto claimed = queue_.claim()) {
        ++taken_;
        measure(*claimed);
      } else if (!wait_for_others()) {
        break;
      }
    }
    return queue_.counts();
  }

 private:
  void measure_changed_again(const Expansion& expansion) {
    std::map<std::string, store::ItemStatus> done;
    const auto status = store::campaign_status(database_, plan_.name);
    if (!status) return;
    for (const store::ItemStatus& item : status->items)
      if (item.state == store::ItemStatus::State::Done) done.emplace(item.spec, item);
    FileChanges files(plan_.folder);
    std::map<std::string, std::int64_t> changed;
    for (const Item& item : expansion.items) {
      const auto found = done.find(item.spec());
      if (found == done.end() || !files.has_changed(item, found->second)) continue;
      changed[item.target] += queue_.measure_again(found->second) ? 1 : 0;
    }
    for (const auto& [file, count] : changed)
      if (count > 0)
        settings_.tell(fmt::format("{}: changed since it was measured: {} to be measured again",
                                   file, number_of(count, "item")));
  }

  void measure(const ClaimedItem& claimed) {
    const auto begin = std::chrono::steady_clock::now();
    const auto seconds = [&] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    try {
      std::optional<MeasuredItem> measured;
      {
        const Heartbeat heartbeat(settings_.database, plan_.name, claimed, settings_.lease);
        measured = measured_item(claimed, heartbeat);
      }
      const double took = seconds();
      const bool is_own = queue_.finish(claimed, took, measured->result.json(), [&] {
        return store::add_profile_rows(database_, measured->profile);
      });
      if (!is_own) throw LeaseLost{};
      tell_done(claimed, measured->result, took);
    } catch (const LeaseLost&) {
      settings_.tell(
          fmt::format("{}: another worker took it over, because this one did not answer "
                      "for {} s",
                      claimed.label, settings_.lease.count()));
    } catch (const Error& error) {
      // What this machine lacks, another one may have.
      if (error.kind() == ErrorKind::Missing) queue_.release(claimed);
      if (error.kind() == ErrorKind::Missing) throw;
      queue_.fail(claimed, error.what(), seconds());
      settings_.tell(fmt::format("{}: failed: {}", claimed.label, error.what()));
    } catch (...) {
      queue_.release(claimed);
      throw;
    }
  }

  MeasuredItem measured_item(const ClaimedItem& claimed, const Heartbeat& heartbeat) {
    return measure_item(Item::parse(claimed.spec), plan_.folder, [&](ProfileSettings& profile) {
      profile.database = settings_.database;
      profile.meters = settings_.meters;
      profile.progress = settings_.progress;
      profile.check = [&] {
        settings_.check();
        if (heartbeat.lost()) throw LeaseLost{};
      };
    });
  }

  void tell_done(const ClaimedItem& claimed, const ItemResult& result, double seconds) {
    const CampaignQueue::Counts counts = queue_.counts();
    std::string line = fmt::format("[{}/{}] {}: {}", counts.done + counts.failed, counts.all(),
                                   claimed.label, result_text(result));
    const std::string left = time_left_text(counts);
    settings_.tell(
        fmt::format("{}; took {}{}{}", line, span_text(seconds), left.empty() ? "" : "; ", left));
    if (result.warnings.empty() || std::exchange(warned_, true)) return;
    for (const std::string& warning : result.warnings)
      settings_.tell(fmt::format("{}: {}", claimed.label, warning));
  }

  /// False where nobody measures anything any more.
  bool wait_for_others() {
    const CampaignQueue::Counts counts = queue_.counts();
    if (counts.running == 0 && counts.waiting == 0) return false;
    if (counts.running > 0 && !told_of_others_) {
      settings_.tell(fmt::format("waiting for {} that other workers measure",
                                 number_of(counts.running, "item")));
      told_of_others_ = true;
    }
    std::this_thread::sleep_for(kPoll);
    return true;
  }

  const Plan& plan_;
  const RunSettings& settings_;
  store::Database database_;
  CampaignQueue queue_;
  std::int64_t taken_ = 0;
  bool told_of_others_ = false;
  bool warned_ = false;  ///< Of the machine: it is the same for all items.
};

}  // namespace

CampaignQueue::Counts run_campaign(const Plan& plan, const Expansion& expansion,
                                   const RunSettings& settings) {
  return CampaignRun(plan, expansion, settings).run();
}

}  // namespace jouletree::campaign
