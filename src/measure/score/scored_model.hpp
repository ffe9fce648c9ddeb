#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engines/data/input_files.hpp"
#include "engines/engine.hpp"
#include "measure/score/tensor_numbers.hpp"

namespace jouletree::measure {

/// Data for the inputs of a model, example by example.
struct ExampleData {
  engines::InputFiles files;
  /// Inputs that every batch gets as they are, because they do not belong to an example.
  std::set<std::string, std::less<>> whole;
};

/// What a model returned for some examples.
struct ExampleOutputs {
  DataType type = DataType::Undefined;
  Dims dims;
  std::string bytes;

  [[nodiscard]] TensorView view() const { return {type, dims, bytes}; }
};

/// A model in an engine that runs examples in batches of a size that it takes.
class ScoredModel {
 public:
  struct Settings {
    InputSettings inputs{};  ///< Contents of small inputs that have no data.
    std::string output{};    ///< Which of several; empty: the first.
    std::optional<std::int64_t> batch{};
    std::filesystem::path scratch{};
  };

  /// The engine must outlive it. Throws Error(BadInput) for a model that cannot be served, or an
  /// output that it does not have.
  ScoredModel(engines::Engine& engine, const std::filesystem::path& model, Settings settings);

  /// Finds the input of each of the given files. Throws Error(BadInput) for what does not fit the
  /// model or is not as long as `examples`, and for inputs without data.
  [[nodiscard]] ExampleData open(const std::vector<std::string>& given, std::int64_t examples);

  /// Examples in one run, at most; known once data were opened.
  [[nodiscard]] std::int64_t batch() const { return batch_; }
  /// The number of examples that the model takes at a time, where it takes no other.
  [[nodiscard]] std::optional<std::int64_t> fixed_batch() const {
    return fixed_ ? std::optional(batch_) : std::nullopt;
  }
  /// Runs examples first … first + count - 1, all at once where the model can. A model that takes a
  /// fixed number of them at a time gets the last one again where there are too few; what it
  /// returns for that is left out.
  [[nodiscard]] ExampleOutputs run(const ExampleData& data, std::int64_t first, std::int64_t count);
  /// Parameters, where the engine's file tells of them.
  [[nodiscard]] std::optional<std::int64_t> params() const;
  /// Inside the running model, so far.
  [[nodiscard]] double model_time_s() const { return model_time_s_; }
  [[nodiscard]] std::vector<std::string> notes() const;

 private:
  [[nodiscard]] const GraphValue& input_named(const std::string& name) const;
  void set_batch(const ExampleData& data);
  void check_all_given(const ExampleData& data) const;
  void add_values(runtime::InputTensors& inputs, std::int64_t rows) const;
  [[nodiscard]] engines::ServedOutput run_batch(const ExampleData& data, std::int64_t first,
                                                std::int64_t count);

  engines::Engine& engine_;
  Settings settings_;
  engines::ServedModel served_;
  std::int64_t batch_ = 0;
  bool fixed_ = false;  ///< The model takes exactly so many.
  double model_time_s_ = 0;
};

}  // namespace jouletree::measure
