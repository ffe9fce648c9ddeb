#include "bindings/interruptible_engine.hpp"

#include "bindings/progress.hpp"

namespace jouletree::python {
namespace {

class InterruptibleEngine final : public engines::Engine {
 public:
  explicit InterruptibleEngine(std::unique_ptr<engines::Engine> engine)
      : engine_(std::move(engine)) {}

  [[nodiscard]] std::string name() const override { return engine_->name(); }
  [[nodiscard]] std::map<std::string, std::string> settings() const override {
    return engine_->settings();
  }
  [[nodiscard]] engines::LoadedModel load(const engines::ModelToLoad& model) override {
    return checked().load(model);
  }
  [[nodiscard]] engines::WatchedRuns watch(int runs) override { return checked().watch(runs); }
  engines::Duration prepare_whole(engines::Duration warm_up) override {
    return checked().prepare_whole(warm_up);
  }
  engines::Duration prepare_part(const engines::PartNodes& nodes, const engines::Copies& copies,
                                 engines::Duration warm_up) override {
    return checked().prepare_part(nodes, copies, warm_up);
  }
  [[nodiscard]] engines::EngineWindow run(engines::Slot slot, std::int64_t runs) override {
    return checked().run(slot, runs);
  }
  [[nodiscard]] std::vector<engines::Duration> run_each(engines::Slot slot,
                                                        std::int64_t runs) override {
    return checked().run_each(slot, runs);
  }

 private:
  engines::Engine& checked() {
    check_signals();
    return *engine_;
  }

  std::unique_ptr<engines::Engine> engine_;
};

}  // namespace

std::unique_ptr<engines::Engine> interruptible(std::unique_ptr<engines::Engine> engine) {
  return std::make_unique<InterruptibleEngine>(std::move(engine));
}

}  // namespace jouletree::python
