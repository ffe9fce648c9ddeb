#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engines/engine.hpp"
#include "runtime/torch_runner.hpp"

namespace jouletree::engines {

/// A PyTorch model, wherever it runs.
class TorchEngine : public Engine {
 public:
  /// `runner` must outlive the engine; `model` is what tables call it.
  TorchEngine(runtime::TorchRunner& runner, std::string model)
      : runner_(runner), model_(std::move(model)) {}

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] std::map<std::string, std::string> settings() const override;
  [[nodiscard]] std::string caller() const override;
  /// The runner has the model already.
  [[nodiscard]] LoadedModel load(const ModelToLoad& model) override;
  [[nodiscard]] WatchedRuns watch(int runs) override;
  Duration prepare_whole(Duration warm_up) override;
  Duration prepare_program(Duration warm_up) override;
  Duration prepare_part(const PartNodes& nodes, const Copies& copies, Duration warm_up) override;
  [[nodiscard]] bool runs_in_context() const override { return true; }
  [[nodiscard]] EngineWindow run(Slot slot, std::int64_t runs) override;
  [[nodiscard]] std::vector<Duration> run_each(Slot slot, std::int64_t runs) override;

 protected:
  /// Before it is loaded.
  void rename(std::string model) { model_ = std::move(model); }

 private:
  [[nodiscard]] std::vector<std::int64_t> moved_bytes() const;
  [[nodiscard]] std::optional<int> output_sets(const PartNodes& nodes, const Copies& copies) const;

  runtime::TorchRunner& runner_;
  std::string model_;
  std::vector<Part> parts_;
};

}  // namespace jouletree::engines
