#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engines/engine.hpp"
#include "support/scripted_machine.hpp"

namespace jouletree::test {

/// An operator whose cost is known. Those of the same op, time and power are equal.
struct ScriptedOperator {
  std::string name;  ///< "/module/Relu", as exporters name nodes.
  std::string op = "Relu";
  Seconds time{1e-3};
  double watts = 20;
  std::string refusal{};  ///< Why the engine does not run it alone; empty: it does.
  int deaths = 0;         ///< How often the engine ends when it is to run alone.
  int runs = 1;           ///< In one run of the whole: more than one inside a loop.
};

/// An engine that runs a chain of operators on a scripted machine, timed by what times real ones.
class ScriptedEngine final : public engines::Engine {
 public:
  ScriptedEngine(ScriptedMachine& machine, std::vector<ScriptedOperator> operators);

  Seconds time_to_load{0.01};
  Seconds overhead{0};         ///< Of one run of the whole, between its operators.
  Seconds overhead_of_run{0};  ///< Of one run of a part.
  /// Of one run of the whole, and of nothing else, at so many watts; zero: there is none.
  Seconds caller_time{0};
  double caller_watts = 20;
  std::optional<std::int64_t> memory_bytes = 1 << 20;  ///< Seen after every window.
  /// Where this is not zero, operators run on a device: a call takes so long and returns, and the
  /// work is done later.
  Seconds time_to_call{0};
  Seconds clock_step{0};  ///< Of the clock that times kernels inside the model.

  /// What is asked of the engine; loading and watching have the slot of the whole.
  enum class Call { Load, Watch, Prepare, Run, RunEach };
  /// The engine ends in these calls of the kind, counted from 1.
  void end_in(Call call, int first, int last, engines::Slot slot = engines::Slot::Whole) {
    deaths_[{call, slot}] = {first, last};
  }

  [[nodiscard]] std::string name() const override { return "Scripted 1.0"; }
  [[nodiscard]] std::map<std::string, std::string> settings() const override {
    return {{"threads", "1"}};
  }
  [[nodiscard]] engines::LoadedModel load(const engines::ModelToLoad& model) override;
  [[nodiscard]] engines::WatchedRuns watch(int runs) override;
  [[nodiscard]] std::string caller() const override {
    return caller_time.count() > 0 ? "Script and dispatch" : "";
  }
  Seconds prepare_program(Seconds warm_up) override;
  Seconds prepare_whole(Seconds warm_up) override;
  Seconds prepare_part(const engines::PartNodes& nodes, const engines::Copies& copies,
                       Seconds warm_up) override;
  [[nodiscard]] engines::EngineWindow run(engines::Slot slot, std::int64_t runs) override;
  [[nodiscard]] std::vector<Seconds> run_each(engines::Slot slot, std::int64_t runs) override;

  /// How often it was asked for that, of the whole.
  [[nodiscard]] int asked(Call what) const {
    const auto found = calls_.find({what, engines::Slot::Whole});
    return found == calls_.end() ? 0 : found->second;
  }
  /// How often a part was prepared that holds this operator.
  [[nodiscard]] int prepared(std::size_t part) const { return prepared_parts_.at(part); }

 private:
  struct Piece {
    Seconds time;
    double watts;
  };
  using Pieces = std::vector<Piece>;

  using CallOfSlot = std::pair<Call, engines::Slot>;
  struct Calls {
    int first = 0;
    int last = 0;
  };
  /// A prepared workload, as runtime::timed_window() wants it.
  struct Device {
    const ScriptedEngine& engine;
    const Pieces& pieces;

    void run() const;
    void synchronise() const { engine.machine_.synchronise(); }
    [[nodiscard]] std::int64_t now_ns() const;
  };

  Seconds prepare(engines::Slot slot, Pieces pieces, Seconds warm_up);
  [[nodiscard]] Device device(engines::Slot slot) const;
  /// Counts the call, and may end in it.
  void call(Call what, engines::Slot slot = engines::Slot::Whole);

  ScriptedMachine& machine_;
  std::vector<ScriptedOperator> operators_;
  std::string model_;
  std::vector<int> prepared_parts_;
  std::map<engines::Slot, Pieces> slots_;
  std::map<CallOfSlot, int> calls_;
  std::map<CallOfSlot, Calls> deaths_;
};

}  // namespace jouletree::test
