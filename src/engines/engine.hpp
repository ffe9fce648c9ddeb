#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "engines/copies.hpp"
#include "jouletree/clock.hpp"
#include "jouletree/error.hpp"
#include "jouletree/tree.hpp"
#include "runtime/input_data.hpp"

namespace jouletree::engines {

using Duration = std::chrono::duration<double>;

/// The engine ended, or was ended because it took too long. What was prepared is gone; everything
/// can be asked again.
class EngineLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A step of the program that an engine makes of a model: an operator, fused or not.
struct Part {
  struct Tensor {
    std::string name;
    std::int64_t bytes = 0;
  };

  std::string name;  ///< As the engine calls it; may be empty.
  /// All that its cost depends on, as text. The same on every machine.
  std::string key;
  std::vector<Tensor> reads;          ///< What is no weight.
  std::vector<std::string> captured;  ///< What graphs inside it read beside that.
  std::vector<Tensor> weights;
  std::int64_t weight_bytes = 0;  ///< Read in one run: less than all where rows are looked up.
  std::vector<Tensor> writes;
  std::vector<std::string> overwrites;  ///< Of its reads, those whose place the result may take.
  bool is_view = false;                 ///< Its first result is its first read in another shape.
};

/// Parts that run as one, by their positions in the program: a single one for an operator, or those
/// of a module.
using PartNodes = std::vector<std::size_t>;

struct ModelToLoad {
  std::filesystem::path path;
  InputSettings inputs;
  /// Files with data for inputs, as open_input_files() takes them; others get random data.
  std::vector<std::string> data;
  std::uint64_t seed = 1;
  std::string told_as{};  ///< In records, where the file is gone when they are read.
};

/// A model in an engine, after one run that was recorded.
struct LoadedModel {
  ModelTree tree;  ///< Of the graph that the engine runs, in the modules of the file.
  /// Of the model as it was given, where that is another and is known to do the same. Engines fuse
  /// operators, pad channels and store numbers in other forms: what the model has and does is
  /// counted here.
  std::optional<ModelTree> given;
  std::vector<Part> parts;
  std::vector<std::optional<std::size_t>> part_of;  ///< By NodeId of the tree's graph.
  std::set<std::string, std::less<>> results;       ///< Values that the model returns.
};

/// What happens inside the running model, which is slowed down by being watched.
struct WatchedRuns {
  struct Kernel {
    std::string name;  ///< In the graph that the engine runs; else its operator.
    std::string op;    ///< As the engine calls it.
    std::optional<std::size_t> part;
    std::chrono::nanoseconds begin{};  ///< Since the first kernel of the run.
    std::chrono::nanoseconds duration{};
  };
  std::vector<std::optional<Duration>> medians;  ///< By part.
  Duration clock_step{0};  ///< Of the clock that times kernels; 0: as fine as theirs.
  std::vector<Kernel> last_run;
};

/// So many runs, one after the other, from when the first one began to when all of their work was
/// done.
struct EngineWindow {
  Time begin;
  Time end;
  std::chrono::nanoseconds cpu{};            ///< Of the engine's process in between.
  std::optional<std::int64_t> memory_bytes;  ///< That it keeps in memory.
  std::optional<Duration> inside{};          ///< In the part itself, if a context ran in between.
};

/// A model that runs with the user's data, batch by batch.
struct ServedModel {
  std::shared_ptr<const Graph> graph;  ///< Its inputs, as far as its file tells of them.
  std::vector<std::string> outputs;    ///< Their names; empty where only a run can tell.
};

/// What it returned for one batch.
struct ServedOutput {
  std::string name;
  DataType type = DataType::Undefined;
  Dims dims;
  std::filesystem::path file;  ///< With the elements, row by row; the next run writes it anew.
  EngineWindow window;
};

/// Where a prepared workload waits to be run. What was there before is dropped.
enum class Slot : std::uint8_t { Whole, Part, Program };

/// Runs models and their parts. All functions throw Error for what the engine refuses, and
/// EngineLost.
class Engine {
 public:
  Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  virtual ~Engine() = default;

  [[nodiscard]] virtual std::string name() const = 0;  ///< With its version.
  /// How it was opened: recorded with the results.
  [[nodiscard]] virtual std::map<std::string, std::string> settings() const = 0;

  /// Comes first. Runs the model once to know all its values.
  [[nodiscard]] virtual LoadedModel load(const ModelToLoad& model) = 0;
  [[nodiscard]] virtual WatchedRuns watch(int runs) = 0;
  /// Warms the workload up. Returns how long one run takes, roughly.
  virtual Duration prepare_whole(Duration warm_up) = 0;
  virtual Duration prepare_part(const PartNodes& nodes, const Copies& copies, Duration warm_up) = 0;
  /// What runs in the whole beside its parts and can be told from them: "Python and dispatch".
  /// Empty where the engine cannot tell, or where there is nothing of the kind.
  [[nodiscard]] virtual std::string caller() const { return {}; }
  /// All parts in the order of the whole, each with what those before it made, and nothing of what
  /// caller() names. Only asked for where that is not empty.
  virtual Duration prepare_program(Duration warm_up);
  /// Whether it heeds Copies::context of a single part.
  [[nodiscard]] virtual bool runs_in_context() const { return false; }
  /// Returns when all work is done, also that which a device does later.
  [[nodiscard]] virtual EngineWindow run(Slot slot, std::int64_t runs) = 0;
  /// Opens a model for run_with(). Needs no load(), and undoes none.
  [[nodiscard]] virtual ServedModel serve(const std::filesystem::path& model);
  /// Runs it once with these inputs. `output` is the wanted one; empty: the first.
  [[nodiscard]] virtual ServedOutput run_with(const runtime::InputTensors& inputs,
                                              const std::string& output);
  /// How long each of several runs takes, in the order in which they run.
  [[nodiscard]] virtual std::vector<Duration> run_each(Slot slot, std::int64_t runs) = 0;
};

inline ServedModel Engine::serve(const std::filesystem::path& /*model*/) {
  throw Error(ErrorKind::Failed, "this engine cannot run a model with data of one's own");
}

inline ServedOutput Engine::run_with(const runtime::InputTensors& /*inputs*/,
                                     const std::string& /*output*/) {
  throw Error(ErrorKind::Failed, "this engine cannot run a model with data of one's own");
}

inline Duration Engine::prepare_program(Duration /*warm_up*/) {
  throw Error(ErrorKind::Failed, "this engine cannot run its parts without their caller");
}

}  // namespace jouletree::engines
