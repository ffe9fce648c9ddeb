#pragma once

#include <compare>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "jouletree/inference.hpp"
#include "model/deciding_inputs.hpp"
#include "model/inference/inputs.hpp"
#include "model/inference/repeated_calls.hpp"
#include "model/operators/table.hpp"

namespace jouletree::model {

/// How far inference came.
struct InferenceProgress {
  std::size_t main_nodes = 0;  ///< Of the main block.
  std::size_t nodes = 0;       ///< With those of nested blocks.

  friend bool operator<(const InferenceProgress& a, const InferenceProgress& b) {
    return a.main_nodes != b.main_nodes ? a.main_nodes < b.main_nodes : a.nodes < b.nodes;
  }
};

/// Walks a graph in execution order with types instead of data.
class Evaluator final : public ValueSource, public BlockRunner {
 public:
  Evaluator(const Graph& graph, InputStates inputs);

  [[nodiscard]] Inference run();
  /// Where run() threw; null before that.
  [[nodiscard]] const Node* failed() const { return failed_; }
  [[nodiscard]] const InferenceProgress& progress() const { return progress_; }

  [[nodiscard]] ValueState& state(ValueId id) override { return states_[id]; }
  [[nodiscard]] bool has_content(ValueId id) const override;
  [[nodiscard]] const Elements* content(ValueId id) override;
  [[nodiscard]] bool is_constant(ValueId id) const override;
  [[nodiscard]] BlockRunner& blocks() override { return *this; }
  void note(std::string text) override;

  std::vector<ValueState> run(const Block& block, std::vector<ValueState> inputs,
                              Count times) override;
  [[nodiscard]] Snapshot save(const Block& block) const override;
  void restore(const Block& block, const Snapshot& snapshot) override;
  [[nodiscard]] std::int64_t budget() const override { return budget_; }

 private:
  /// One level deeper, also when a rule throws on the way.
  class Nesting {
   public:
    Nesting(Evaluator& evaluator, Count times)
        : evaluator_(evaluator), outer_times_(evaluator.times_) {
      evaluator_.times_ = outer_times_ * times;
      ++evaluator_.depth_;
    }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    ~Nesting() {
      evaluator_.times_ = outer_times_;
      --evaluator_.depth_;
    }

   private:
    Evaluator& evaluator_;
    Count outer_times_;
  };

  void take_recorded_types();
  void set_constants();
  void evaluate(const Block& block);
  void evaluate(const Node& node);
  /// By its rules.
  void evaluate(Call& call);
  void take_results(const RepeatedCalls::Place& place, const Node& node);
  void take_declared_types(const Node& node);
  void add_work(const Call& call, const OperatorRow& row);
  /// Says which inputs choose between the branches of an If.
  void note_who_decides(const Node& choice);
  void note_who_repeats(const Node& loop);
  void leave_uncounted(const Node& node);

  const Graph& graph_;
  const std::filesystem::path folder_;  ///< Of the model file.
  std::vector<ValueState> states_;
  std::vector<bool> unreadable_;  ///< Constants whose content turned out not to be there.
  std::vector<NodeResult> results_;
  RepeatedCalls repeated_;  ///< Of the main block.
  std::vector<std::string> notes_;
  std::set<std::string> noted_;
  std::size_t told_notes_ = 0;  ///< Also those that were known.
  std::vector<InputShape> inputs_;
  std::vector<std::string> size_notes_;
  const Node* failed_ = nullptr;
  InferenceProgress progress_;
  std::set<std::string> deciders_;       ///< Inputs that a note tells of already.
  std::optional<ValueOrigins> origins_;  ///< Made when first asked for.
  Count times_ = 1;
  int depth_ = 0;
  std::int64_t budget_ = 0;
  bool trust_declared_ = true;
};

}  // namespace jouletree::model
