#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "jouletree/clock.hpp"
#include "jouletree/value_type.hpp"

namespace jouletree::runtime {

/// A call of the recorded run, and when it ran.
struct TimedCall {
  std::size_t call = 0;
  Time begin;
  Time end;
};

/// How one part is made ready: the calls that it consists of, and how many copies of what they use
/// are taken in turns.
struct TorchPart {
  std::vector<std::size_t> calls;
  int count = 1;
  int weight_sets = 1;
  std::map<std::string, int> input_sets;
  std::optional<int> output_sets;  ///< Results that are kept before the oldest goes; else all.
  std::int64_t least_context_bytes = 0;  ///< As in engines::Context.
  std::int64_t most_context_bytes = 0;
  std::chrono::duration<double> longest_context{0};
};

struct TorchWindow {
  Time begin;
  Time end;
  std::chrono::nanoseconds cpu{};                       ///< Of the process in between.
  std::optional<std::int64_t> memory_bytes;             ///< That it holds.
  std::optional<std::chrono::duration<double>> inside;  ///< Without the context of a call.
};

/// A PyTorch model that has run once and can run again, whole or in parts: the class `TorchEngine`
/// of the Python package, in this process or in another one. All functions throw Error for what
/// PyTorch or the model refuses; those of another process throw WorkerLost as well.
class TorchRunner {
 public:
  using Duration = std::chrono::duration<double>;

  TorchRunner() = default;
  TorchRunner(const TorchRunner&) = delete;
  TorchRunner& operator=(const TorchRunner&) = delete;
  virtual ~TorchRunner() = default;

  [[nodiscard]] virtual std::string name() = 0;  ///< "PyTorch 2.13.0"
  [[nodiscard]] virtual std::map<std::string, std::string> settings() = 0;
  [[nodiscard]] virtual std::string caller() = 0;     ///< As Engine::caller().
  [[nodiscard]] virtual std::string recording() = 0;  ///< JSON, as read_recording() takes it.
  /// Of the tensors among the arguments of every call; nothing for those that lie row by row.
  [[nodiscard]] virtual std::vector<std::vector<std::optional<Dims>>> strides() = 0;
  /// Which calls are operators, and what every call reads and writes.
  virtual void take_operators(const std::vector<std::size_t>& calls,
                              const std::vector<std::int64_t>& moved_bytes) = 0;

  virtual Duration prepare_whole(Duration warm_up) = 0;
  virtual Duration prepare_program(Duration warm_up) = 0;
  virtual Duration prepare_part(const TorchPart& part, Duration warm_up) = 0;
  /// Slots are "whole", "part" and "program".
  [[nodiscard]] virtual TorchWindow run(const char* slot, std::int64_t runs) = 0;
  [[nodiscard]] virtual std::vector<Duration> run_each(const char* slot, std::int64_t runs) = 0;
  /// The calls of each run in their order.
  [[nodiscard]] virtual std::vector<std::vector<TimedCall>> watch(int runs) = 0;
};

}  // namespace jouletree::runtime
