#include "engines/checked_engine.hpp"

#include <utility>

namespace jouletree::engines {
namespace {

class CheckedEngine final : public Engine {
 public:
  CheckedEngine(std::unique_ptr<Engine> engine, std::function<void()> check)
      : engine_(std::move(engine)), check_(std::move(check)) {}

  [[nodiscard]] std::string name() const override { return engine_->name(); }
  [[nodiscard]] std::map<std::string, std::string> settings() const override {
    return engine_->settings();
  }
  [[nodiscard]] LoadedModel load(const ModelToLoad& model) override {
    return checked().load(model);
  }
  [[nodiscard]] WatchedRuns watch(int runs) override { return checked().watch(runs); }
  Duration prepare_whole(Duration warm_up) override { return checked().prepare_whole(warm_up); }
  Duration prepare_part(const PartNodes& nodes, const Copies& copies, Duration warm_up) override {
    return checked().prepare_part(nodes, copies, warm_up);
  }
  [[nodiscard]] std::string caller() const override { return engine_->caller(); }
  [[nodiscard]] bool runs_in_context() const override { return engine_->runs_in_context(); }
  Duration prepare_program(Duration warm_up) override { return checked().prepare_program(warm_up); }
  [[nodiscard]] EngineWindow run(Slot slot, std::int64_t runs) override {
    return checked().run(slot, runs);
  }
  [[nodiscard]] ServedModel serve(const std::filesystem::path& model) override {
    return checked().serve(model);
  }
  [[nodiscard]] ServedOutput run_with(const runtime::InputTensors& inputs,
                                      const std::string& output) override {
    return checked().run_with(inputs, output);
  }
  [[nodiscard]] std::vector<Duration> run_each(Slot slot, std::int64_t runs) override {
    return checked().run_each(slot, runs);
  }

 private:
  Engine& checked() {
    check_();
    return *engine_;
  }

  std::unique_ptr<Engine> engine_;
  std::function<void()> check_;
};

}  // namespace

std::unique_ptr<Engine> checked_engine(std::unique_ptr<Engine> engine,
                                       std::function<void()> check) {
  if (!check) return engine;
  return std::make_unique<CheckedEngine>(std::move(engine), std::move(check));
}

}  // namespace jouletree::engines
