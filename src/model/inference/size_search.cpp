#include "model/inference/size_search.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "model/inference/length_rules.hpp"
#include "model/inference/size_attempts.hpp"
#include "model/inference/size_candidates.hpp"
#include "model/inference/usual_sizes.hpp"
#include "model/operators/table.hpp"

namespace jouletree::model {
namespace {

constexpr int kMostRounds = 24;
/// Of all operators together.
constexpr std::int64_t kMostWritten = std::int64_t{4} << 30U;
/// Attempts after which a family that changes nothing is left alone.
constexpr int kProbes = 3;

class SizeSearch {
 public:
  SizeSearch(const Graph& graph, const InputSettings& settings)
      : graph_(graph), settings_(settings), attempts_(graph, settings, guess_ranks()) {
    const InputStates inputs = attempts_.settle({});
    open_ = inputs.open;
    for (const OpenDim& dim : open_) {
      for (const OpenDim::Place& place : dim.places)
        if (facts_.count(place.input) == 0) facts_[place.input] = facts_about(graph, place.input);
    }
    plans_ = plan_sizes(graph, inputs, facts_);
    make_families();
  }

  Inference run() {
    SizeChoices first;
    for (std::size_t i = 0; i < open_.size(); ++i) first[open_[i].key] = plans_[i].first;
    raise_empty_expressions(attempts_.settle(first), first);
    const SizeChoices emptied = first;
    const bool filled = fill_caches(first);
    Attempt attempt = fitting(attempts_.run(std::move(first)));
    if (filled) empty_caches(emptied, attempt);
    lighten(attempt);
    if (is_refused(attempt.choices)) attempt = other_than_refused(std::move(attempt));
    Inference result = std::move(*attempt.inference);
    for (const auto& [key, choice] : attempt.choices) result.chosen[key] = choice.size;
    return result;
  }

 private:
  using Attempt = SizeAttempt;
  using Family = std::vector<std::size_t>;

  /// Of inputs that have no shape in the file.
  GuessedRanks guess_ranks() {
    GuessedRanks ranks;
    for (const ValueId id : graph_.main.inputs) {
      const GraphValue& input = graph_.values[id];
      const bool needs_rank = !input.constant && !input.declared.dims &&
                              input.declared.kind == ValueKind::Tensor &&
                              settings_.shapes.count(input.name) == 0;
      if (!needs_rank) continue;
      const InputFacts& facts = facts_.emplace(id, facts_about(graph_, id)).first->second;
      if (!facts.axes.empty()) ranks[id] = facts.axes.size();
    }
    return ranks;
  }

  /// Those that are tried together first; then each alone. Batches come last.
  void make_families() {
    std::map<std::string, Family> together;
    for (std::size_t i = 0; i < open_.size(); ++i) together[plans_[i].family].push_back(i);
    std::vector<bool> listed(open_.size(), false);
    for (const bool batches : {false, true}) {
      for (std::size_t i = 0; i < open_.size(); ++i) {
        if (plans_[i].batch != batches || listed[i]) continue;
        const Family& family = together[plans_[i].family];
        for (const std::size_t member : family) listed[member] = true;
        families_.push_back(family);
      }
    }
    const std::size_t whole = families_.size();
    for (std::size_t i = 0; i < whole; ++i) {
      const Family family = families_[i];
      for (const std::size_t member : family)
        if (family.size() > 1) families_.push_back({member});
    }
  }

  [[noreturn]] static void give_up(const Attempt& attempt) {
    if (attempt.hint.empty()) throw Error(*attempt.error);
    throw Error(attempt.error->kind(), fmt::format("{}; {}", attempt.error->what(), attempt.hint));
  }

  Attempt fitting(Attempt first) {
    if (first.fits()) return first;
    Attempt found = climb(first);
    if (!found.fits()) give_up(first);
    return found;
  }

  /// An empty cache fits whatever its other sizes are: where they are open, it first gets a length
  /// of 1, so that they can be found.
  bool fill_caches(SizeChoices& choices) const {
    const bool other_sizes_open = std::any_of(open_.begin(), open_.end(), [&](const OpenDim& dim) {
      return std::any_of(dim.places.begin(), dim.places.end(), [&](const auto& place) {
        const auto length = cache_length_axis(graph_.values[place.input]);
        return length && place.axis > 0 && place.axis != *length;
      });
    });
    for (auto& [key, choice] : choices)
      if (other_sizes_open && choice.origin == SizeOrigin::EmptyCache) choice = SizeChoice{};
    return other_sizes_open;
  }

  void empty_caches(const SizeChoices& emptied, Attempt& attempt) {
    SizeChoices choices = attempt.choices;
    for (const auto& [key, choice] : emptied)
      if (choice.origin == SizeOrigin::EmptyCache) choices[key] = choice;
    Attempt other = attempts_.run(std::move(choices));
    if (other.fits()) attempt = std::move(other);
  }

  /// Models that work on whole images at every layer need more memory than most machines have:
  /// smaller images tell as much about them.
  void lighten(Attempt& attempt) {
    const std::int64_t written = attempt.written_bytes();
    for (const Family& family : families_) {
      const SizePlan& plan = plans_[family.front()];
      const bool usual = plan.first.origin == SizeOrigin::Usual;
      if (!usual || written <= kMostWritten) continue;
      const Dim first = attempt.choices.at(key_of(family)).size;
      const std::string reason = plan.usual.reason + ", small because of the memory it takes";
      for (const Dim size : plan.usual.sizes) {
        if (size * 4 < first || size >= first || attempts_.used_up()) continue;
        std::optional<Attempt> smaller = with(family, {size, SizeOrigin::Usual, reason}, attempt);
        const bool light = smaller && smaller->fits() && smaller->written_bytes() <= kMostWritten;
        if (!light) continue;
        attempt = std::move(*smaller);
        return;
      }
    }
  }

  [[nodiscard]] const std::string& key_of(const Family& family) const {
    return open_[family.front()].key;
  }

  /// Changes one family at a time, or else two, and keeps what lets inference get furthest.
  Attempt climb(const Attempt& first) {
    const Attempt* best = &first;
    Attempt kept;
    for (int round = 0; round < kMostRounds && !attempts_.used_up(); ++round) {
      std::optional<Attempt> next;
      std::vector<const Family*> with_effect;
      for (const Family& family : families_) {
        const Trial trial = try_family(family, *best, next);
        if (trial.fits) return std::move(*next);
        if (trial.has_effect) with_effect.push_back(&family);
        if (attempts_.used_up()) break;
      }
      if (!next && try_pairs(with_effect, *best, next)) return std::move(*next);
      if (!next) break;
      kept = std::move(*next);
      best = &kept;
    }
    return kept;
  }

  struct Trial {
    bool fits = false;
    bool has_effect = false;  ///< The error changed.
  };

  /// `next` is what fits, or else got furthest.
  Trial try_family(const Family& family, const Attempt& from, std::optional<Attempt>& next) {
    Trial trial;
    const Node* const failed = from.evaluator->failed();
    if (failed == nullptr) return trial;
    int tried = 0;
    for (const SizeChoice& choice : candidates(family, from, *failed)) {
      if (attempts_.used_up() || (tried >= kProbes && !trial.has_effect)) break;
      std::optional<Attempt> attempt = with(family, choice, from);
      if (!attempt) continue;
      ++tried;
      trial.has_effect = trial.has_effect || attempt->fits() ||
                         std::string_view(attempt->error->what()) != from.error->what();
      trial.fits = keep_better(std::move(*attempt), from, next);
      if (trial.fits) break;
    }
    return trial;
  }

  /// True where the attempt fits.
  static bool keep_better(Attempt attempt, const Attempt& from, std::optional<Attempt>& next) {
    const bool fits = attempt.fits();
    const InferenceProgress& furthest = (next ? *next : from).evaluator->progress();
    if (fits || furthest < attempt.evaluator->progress()) next = std::move(attempt);
    return fits;
  }

  /// Two sizes of one operand may be wrong, and neither helps without the other.
  bool try_pairs(const std::vector<const Family*>& with_effect, const Attempt& from,
                 std::optional<Attempt>& next) {
    for (const Family* const left : with_effect) {
      for (const Family& right : families_) {
        if (&right == left || plans_[right.front()].batch) continue;
        if (try_pair(*left, right, from, next)) return true;
        if (next || attempts_.used_up()) return false;
      }
    }
    return false;
  }

  bool try_pair(const Family& left, const Family& right, const Attempt& from,
                std::optional<Attempt>& next) {
    const Node& failed = *from.evaluator->failed();
    const std::string reason = fmt::format("to fit {}", describe(failed));
    const std::vector<Dim> sizes = numbers_of(*from.evaluator, failed);
    for (const Dim left_size : sizes) {
      for (const Dim right_size : sizes) {
        if (attempts_.used_up()) return false;
        Attempt both;
        both.choices = from.choices;
        for (const std::size_t member : left)
          both.choices[open_[member].key] = {left_size, SizeOrigin::Graph, reason};
        std::optional<Attempt> attempt = with(right, {right_size, SizeOrigin::Graph, reason}, both);
        if (attempt && keep_better(std::move(*attempt), from, next)) return true;
      }
    }
    return false;
  }

  [[nodiscard]] std::vector<SizeChoice> found_sizes(const Family& family, const Attempt& from,
                                                    const Node& failed) const {
    std::vector<SizeChoice> found;
    const Dim now = from.choices.at(key_of(family)).size;
    for (const Dim size : sizes_for(*from.evaluator, failed, now))
      found.push_back({size, SizeOrigin::Graph, fmt::format("to fit {}", describe(failed))});
    return found;
  }

  /// Usual sizes come first where the dimension has any, and last where they are much smaller:
  /// a side of one patch fits whatever the model expects, because it is broadcast.
  [[nodiscard]] std::vector<SizeChoice> candidates(const Family& family, const Attempt& from,
                                                   const Node& failed) const {
    const SizePlan& plan = plans_[family.front()];
    const Dim now = from.choices.at(key_of(family)).size;
    UsualSizes usual = plan.usual;
    if (plan.first.origin == SizeOrigin::Default && !plan.batch) {
      const AxisKind kind = kind_of_signal(*from.evaluator, failed);
      usual = usual_sizes(kind, has_state(graph_));
    }
    const std::string reason = usual.reason.empty()
                                   ? fmt::format(", as {} does not fit {}", now, describe(failed))
                                   : usual.reason;
    std::vector<SizeChoice> all;
    std::vector<SizeChoice> last;
    for (const Dim size : usual.sizes) {
      const bool early = !usual.reason.empty() && size * 3 >= usual.sizes.front();
      if (size != now) (early ? all : last).push_back({size, SizeOrigin::Usual, reason});
    }
    for (SizeChoice& found : found_sizes(family, from, failed)) {
      const bool early = usual.reason.empty() || found.size * 3 >= usual.sizes.front();
      (early ? all : last).push_back(std::move(found));
    }
    all.insert(all.end(), last.begin(), last.end());
    return all;
  }

  /// What a convolution that fails would like its input to be.
  [[nodiscard]] static AxisKind kind_of_signal(Evaluator& evaluator, const Node& failed) {
    const bool convolves = is_convolution(facts_of(failed.domain, failed.op));
    if (!convolves || failed.inputs.size() < 2) return AxisKind::Other;
    const auto& input = evaluator.state(failed.inputs[0]).type.dims;
    switch (input ? input->size() : 0) {
      case 3: return (*input)[1] <= 2 ? AxisKind::Samples : AxisKind::Other;
      case 4: return (*input)[1] <= 3 ? AxisKind::ImageSide : AxisKind::Other;
      default: return AxisKind::Other;
    }
  }

  /// Nothing where an input would become too large.
  std::optional<Attempt> with(const Family& family, const SizeChoice& choice, const Attempt& from) {
    SizeChoices choices = from.choices;
    for (const std::size_t member : family) choices[open_[member].key] = choice;
    return attempts_.run_if_small(std::move(choices));
  }

  [[nodiscard]] bool is_refused(const SizeChoices& choices) const {
    return std::any_of(settings_.refused.begin(), settings_.refused.end(), [&](const auto& sizes) {
      return std::all_of(sizes.begin(), sizes.end(), [&](const auto& entry) {
        const auto choice = choices.find(entry.first);
        return choice != choices.end() && choice->second.size == entry.second;
      });
    });
  }

  /// Keeps the refused ones where nothing else fits: the engine then says what is wrong.
  Attempt other_than_refused(Attempt refused) {
    for (const Family& family : families_) {
      const SizePlan& plan = plans_[family.front()];
      if (plan.batch) continue;
      for (const Dim size : plan.usual.sizes) {
        if (attempts_.used_up()) return refused;
        const std::string reason =
            plan.usual.reason.empty() ? ", as the engine refuses others" : plan.usual.reason;
        std::optional<Attempt> attempt = with(family, {size, SizeOrigin::Usual, reason}, refused);
        if (attempt && attempt->fits() && !is_refused(attempt->choices)) return std::move(*attempt);
      }
    }
    return refused;
  }

  const Graph& graph_;
  const InputSettings& settings_;
  FactsByInput facts_;
  SizeAttempts attempts_;
  std::vector<OpenDim> open_;
  std::vector<SizePlan> plans_;  ///< Of the open dimensions.
  std::vector<Family> families_;
};

}  // namespace

Inference infer_with_found_sizes(const Graph& graph, const InputSettings& settings) {
  return SizeSearch(graph, settings).run();
}

}  // namespace jouletree::model
