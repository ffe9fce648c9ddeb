#include "campaign/outlook.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "campaign/item_times.hpp"
#include "campaign/model_content.hpp"
#include "jouletree/error.hpp"
#include "jouletree/predict.hpp"
#include "jouletree/tree.hpp"
#include "store/database/campaign_queue.hpp"
#include "store/database/known_here.hpp"
#include "tree/operator_signature.hpp"

namespace jouletree::campaign {
namespace {

using store::Id;

/// What makes operators of two items one measurement.
struct WantedKind {
  Id signature = 0;
  store::AskedEngine engine;
  std::string cache;
  auto operator<=>(const WantedKind&) const = default;
};

store::AskedEngine engine_for(const Item& item) {
  return {item.engine, item.device, item.threads, item.level};
}

class Looker {
 public:
  Looker(const Plan& plan, store::Database* database, const measure::Environment& here)
      : plan_(plan), files_(plan.folder) {
    if (database == nullptr) return;
    known_here_.emplace(*database, here);
    times_ = ItemTimes(timed_items(store::done_items(*database, known_here_->machines())));
    const auto status = store::campaign_status(*database, plan.name);
    if (!status) return;
    for (const store::ItemStatus& item : status->items) known_[item.spec] = item;
  }

  void add(const Item& item) {
    ++outlook_.items;
    const auto known = known_.find(item.spec());
    if (known != known_.end() && known->second.state == store::ItemStatus::State::Done) {
      const bool has_changed = files_.has_changed(item, known->second);
      ++(has_changed ? outlook_.changed : outlook_.done);
      if (!has_changed) return;
    }
    if (known != known_.end() && known->second.state == store::ItemStatus::State::Failed)
      ++outlook_.failed;
    if (item.kind == Item::Kind::Python) {
      ++outlook_.uncounted;
      outlook_.seconds += times_.seconds_for(item, 0);
      return;
    }
    try {
      outlook_.seconds += times_.seconds_for(item, count(item));
    } catch (const Error& error) {
      const bool fails = error.kind() == ErrorKind::BadInput && would_fail(item);
      (fails ? outlook_.failing : outlook_.problems)
          .push_back(fmt::format("{}: {}", item.label(), error.what()));
    }
  }

  Outlook take() {
    outlook_.kinds = static_cast<std::int64_t>(kinds_.size());
    outlook_.learned_from = times_.learned_from();
    outlook_.engines.assign(engines_.begin(), engines_.end());
    return std::move(outlook_);
  }

 private:
  /// Of an item that cannot be counted.
  [[nodiscard]] bool would_fail(const Item& item) const {
    // A run counts models of ONNX in the same way before it measures them.
    if (item.engine == "onnxruntime") return true;
    try {
      refuse_sizes(item, plan_.folder);
    } catch (const Error& error) {
      return error.kind() == ErrorKind::BadInput;
    }
    return false;
  }

  /// Returns how many operators are new.
  std::int64_t count(const Item& item) {
    const InputSettings inputs = item.input_settings();
    const auto graph = graph_of(item, plan_.folder);
    ModelTree tree = build_tree(graph, inputs);
    if (item.level == "all") tree = expected_tree(std::move(tree), inputs);
    const store::AskedEngine engine = engine_for(item);
    if (known_here_)
      if (const auto name = known_here_->engine_name(engine)) engines_.insert(*name);
    std::int64_t new_here = 0;
    for (const Node& node : tree.graph->main.nodes) {
      if (!is_asked_for(item, node.op)) continue;
      ++outlook_.operators;
      const Id signature = store::content_id({tree::operator_signature(tree, node)});
      if (!kinds_.insert({signature, engine, item.cache}).second) continue;
      if (known_here_ && known_here_->has_operator(signature, engine, item.cache, item.precision))
        continue;
      ++outlook_.new_kinds;
      ++new_here;
    }
    return new_here;
  }

  static bool is_asked_for(const Item& item, std::string_view op) {
    const auto has = [&](const std::vector<std::string>& types) {
      return std::find(types.begin(), types.end(), op) != types.end();
    };
    return (item.include.empty() || has(item.include)) && !has(item.leave_out);
  }

  const Plan& plan_;
  FileChanges files_;
  std::optional<store::KnownHere> known_here_;
  ItemTimes times_{std::vector<TimedItem>{}};
  std::map<std::string, store::ItemStatus> known_;
  std::set<WantedKind> kinds_;
  std::set<std::string> engines_;
  Outlook outlook_;
};

}  // namespace

Outlook outlook_of(const Plan& plan, const Expansion& expansion, store::Database* database,
                   const measure::Environment& here,
                   const std::function<void(std::size_t done)>& progress) {
  Looker looker(plan, database, here);
  std::size_t done = 0;
  for (const Item& item : expansion.items) {
    looker.add(item);
    if (progress) progress(++done);
  }
  return looker.take();
}

}  // namespace jouletree::campaign
