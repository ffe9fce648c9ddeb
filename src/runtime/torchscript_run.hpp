#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jouletree/graph.hpp"
#include "jouletree/value_type.hpp"

namespace jouletree::runtime {

struct RecordedTensor {
  std::uint64_t number = 0;  ///< Of the tensor, not of its content: in-place calls keep it.
  DataType type = DataType::Undefined;
  Dims dims;
  std::uint64_t storage = 0;  ///< Equal for tensors that share memory; 0 where there is none.
};

/// An argument or a result of a call.
struct Argument {
  enum class Kind : std::uint8_t { None, Integer, Real, Boolean, Text, Tensor, List, Packed };

  Kind kind = Kind::None;
  std::int64_t integer = 0;  ///< Also 0 and 1 for booleans.
  double real = 0;
  std::string text;
  RecordedTensor tensor;
  std::vector<Argument> items;  ///< Of lists, and what weights were packed from.

  [[nodiscard]] bool is_tensor() const { return kind == Kind::Tensor; }
};

/// The tensors of a value in order, those in lists and in packed weights included.
void collect_tensors(const Argument& argument, std::vector<const RecordedTensor*>& into);

struct RecordedModule {
  std::string name;
  std::string type;
};

struct RecordedBody;

/// How a call runs its bodies.
enum class BodyUse : std::uint8_t {
  Choice,  ///< One of two: the first where its first argument is true.
  Loop,    ///< All of them, again and again.
};

struct RecordedCall {
  std::string op;        ///< "aten::conv2d"
  std::string overload;  ///< "Tensor"; empty where the engine does not say.
  bool writes = false;   ///< Changes one of its arguments.
  Phase phase = Phase::Forward;
  bool has_path = true;  ///< Whether it is known which module the call belongs to.
  std::vector<RecordedModule> path;
  std::vector<Argument> arguments;
  /// What it returned; where that is nothing, the tensors that it changed.
  std::vector<Argument> outputs;
  std::vector<RecordedCall> inner;  ///< Calls that it made itself.
  /// Of a program that was not run: what the call would run. All bodies see the tensors around
  /// them.
  std::vector<RecordedBody> bodies;
  BodyUse body_use = BodyUse::Choice;
  std::optional<std::int64_t> trips;  ///< Of a loop; nothing where data decide.
};

/// A part of a program that a call may run.
struct RecordedBody {
  std::vector<Argument> inputs;  ///< Tensors that are other ones in every iteration.
  std::vector<RecordedCall> calls;
  std::vector<Argument> outputs;
};

enum class StoredKind : std::uint8_t { Parameter, Buffer, Attribute, Constant };

struct RecordedStore {
  std::string name;
  StoredKind kind = StoredKind::Constant;
  bool trainable = false;
  bool whole_numbers = false;  ///< A constant of the code without fractions.
  RecordedTensor tensor;
};

struct RecordedInput {
  std::string name;
  Argument value;
};

/// What PyTorch or LibTorch tells about one run of a model.
struct RecordedRun {
  std::string engine;  ///< "LibTorch 1.13.0"
  std::vector<RecordedStore> stored;
  std::vector<RecordedInput> inputs;
  std::vector<RecordedCall> calls;
  Argument outputs;
  std::vector<std::string> notes;  ///< What the reader of the numbers must know about the run.
};

/// Of a word: infinity and NaN come as text.
[[nodiscard]] Argument argument_of_text(std::string text);
/// "layer1(Sequential)::forward" is a module; nothing for calls of methods of the same module and
/// of functions outside of modules, which add nothing to a path.
[[nodiscard]] std::optional<RecordedModule> module_of_step(std::string_view step);
/// Of "parameter", "buffer" or "attribute"; everything else is a constant.
[[nodiscard]] StoredKind stored_kind_from_name(std::string_view name);
/// Throws Error(BadInput) for what is no phase.
[[nodiscard]] Phase recorded_phase(std::string_view name);

/// What LibTorch must know to run a file once. Inputs are found by their names.
struct RunRequest {
  std::filesystem::path file;
  std::map<std::string, Dims> shapes;
  std::map<std::string, DataType> types;
  std::map<std::string, std::vector<double>> values;
};

/// Lets a worker run the model. `while_waiting` is called several times a second. Throws
/// Error(Missing) where there is no LibTorch plug-in, and Error for what LibTorch refuses.
[[nodiscard]] RecordedRun record_run(const RunRequest& request,
                                     const std::function<void()>& while_waiting);

/// Reads what the Python package recorded. Throws Error(BadInput) for anything else.
[[nodiscard]] RecordedRun read_recording(std::string_view json);

/// Reads the engine's answer. Throws the Error that the answer tells of, and Error(Failed) for an
/// answer that cannot be read.
[[nodiscard]] RecordedRun parse_run(std::string_view answer);

}  // namespace jouletree::runtime
