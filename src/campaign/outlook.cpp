#include "campaign/outlook.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>

#include "jouletree/error.hpp"
#include "jouletree/predict.hpp"
#include "jouletree/tree.hpp"
#include "measure/environment.hpp"
#include "store/database/campaign_queue.hpp"
#include "store/database/cells.hpp"
#include "tree/operator_signature.hpp"

namespace jouletree::campaign {
namespace {

/// Starting an engine and loading a model, in seconds.
constexpr double kStartS = 0.5;
/// Without a budget: the whole model, and an operator alone. Profiles spend about that much.
constexpr double kWholeS = 3;
constexpr double kOperatorS = 0.8;

using store::Id;

/// What a new measurement would be looked for by, in the database.
struct WantedKind {
  Id signature = 0;
  std::string engine;
  std::string device;
  int threads = 1;
  auto operator<=>(const WantedKind&) const = default;
};

class Looker {
 public:
  Looker(const Plan& plan, store::Database* database) : plan_(plan), database_(database) {
    if (database_ == nullptr) return;
    const auto status = store::campaign_status(*database_, plan.name);
    if (!status) return;
    for (const store::ItemStatus& item : status->items) known_[item.spec] = item;
  }

  void add(const Item& item) {
    ++outlook_.items;
    const auto known = known_.find(item.spec());
    if (known != known_.end() && known->second.state == store::ItemStatus::State::Done) {
      ++outlook_.done;
      if (known->second.seconds) seconds_.push_back(*known->second.seconds);
      return;
    }
    if (known != known_.end() && known->second.state == store::ItemStatus::State::Failed)
      ++outlook_.failed;
    outlook_.seconds += item.baseline_s + kStartS;
    if (item.kind == Item::Kind::Python) {
      ++outlook_.uncounted;
      outlook_.seconds += item.budget_s.value_or(kWholeS);
      return;
    }
    try {
      count(item);
    } catch (const Error& error) {
      outlook_.problems.push_back(fmt::format("{}: {}", item.label(), error.what()));
    }
  }

  Outlook take() {
    outlook_.kinds = static_cast<std::int64_t>(kinds_.size());
    const auto left = outlook_.items - outlook_.done;
    if (!seconds_.empty() && left > 0) {
      double sum = 0;
      for (const double one : seconds_) sum += one;
      outlook_.seconds = sum / static_cast<double>(seconds_.size()) * static_cast<double>(left);
      outlook_.from_experience = true;
    }
    return std::move(outlook_);
  }

 private:
  void count(const Item& item) {
    const InputSettings inputs = item.input_settings();
    const auto graph = graph_of(item, plan_.folder);
    ModelTree tree = build_tree(graph, inputs);
    if (item.level == "all") tree = expected_tree(std::move(tree), inputs);
    double new_here = 0;
    for (const Node& node : tree.graph->main.nodes) {
      if (!is_asked_for(item, node.op)) continue;
      ++outlook_.operators;
      const Id signature = store::content_id({tree::operator_signature(tree, node)});
      if (!kinds_.insert({signature, item.engine, item.device, item.threads}).second) continue;
      if (is_measured({signature, item.engine, item.device, item.threads})) continue;
      ++outlook_.new_kinds;
      ++new_here;
    }
    outlook_.seconds += item.budget_s.value_or(kWholeS + new_here * kOperatorS);
  }

  static bool is_asked_for(const Item& item, std::string_view op) {
    const auto has = [&](const std::vector<std::string>& types) {
      return std::find(types.begin(), types.end(), op) != types.end();
    };
    return (item.include.empty() || has(item.include)) && !has(item.leave_out);
  }

  /// On whichever machine: what differs there is told when the item is measured.
  bool is_measured(const WantedKind& kind) {
    if (database_ == nullptr) return false;
    const auto rows = database_->connection().query(
        "SELECT 1 FROM operators o JOIN measurements m ON m.operator_id = o.id JOIN engines e ON "
        "e.id = m.engine_id WHERE o.signature = ? AND e.threads = ? LIMIT 1",
        std::array<store::sql::Parameter, 2>{kind.signature, std::int64_t{kind.threads}});
    return rows->next();
  }

  const Plan& plan_;
  store::Database* database_;
  std::map<std::string, store::ItemStatus> known_;
  std::set<WantedKind> kinds_;
  std::vector<double> seconds_;
  Outlook outlook_;
};

}  // namespace

Outlook outlook_of(const Plan& plan, const Expansion& expansion, store::Database* database,
                   const std::function<void(std::size_t done)>& progress) {
  Looker looker(plan, database);
  std::size_t done = 0;
  for (const Item& item : expansion.items) {
    looker.add(item);
    if (progress) progress(++done);
  }
  return looker.take();
}

}  // namespace jouletree::campaign
