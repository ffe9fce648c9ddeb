#pragma once

#include <concepts>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jouletree/value_type.hpp"

namespace jouletree {

class MappedFile;

using ValueId = std::uint32_t;
using NodeId = std::uint32_t;
/// Stands for an optional input or output that was left out.
inline constexpr ValueId kNoValue = std::numeric_limits<ValueId>::max();

/// Where the bytes of a tensor stand outside the model file.
struct ExternalData {
  std::filesystem::path path;  ///< Relative to the model's folder, never outside it.
  std::int64_t offset = 0;
  std::optional<std::int64_t> length;
};

/// A tensor stored in a model: its type, and where its bytes are. The bytes are neither read nor
/// copied; the views point into the mapped file that the Graph keeps open.
struct StoredTensor {
  std::string_view name;
  DataType type = DataType::Undefined;
  Dims dims;
  std::string_view raw;  ///< Little-endian elements.
  std::string_view
      packed;  ///< Packed protobuf field of typed data, where the file has no raw bytes.
  std::vector<std::int64_t> unpacked;  ///< Integer elements stored one field each.
  Boxed<ExternalData> external;
  /// Elements really stored, for sparse tensors fewer than the dims say.
  std::optional<std::int64_t> stored_elements;
  std::int64_t index_bytes = 0;  ///< Of sparse tensors, beside the elements.

  [[nodiscard]] Count elements() const;
  [[nodiscard]] Count bytes() const;
};

struct Block;

enum class AttributeKind : std::uint8_t {
  None,
  Float,
  Int,
  String,
  Tensor,
  Block,
  Floats,
  Ints,
  Strings,
  Tensors,
  Blocks,
  Other
};

struct Attribute {
  std::string_view name;
  AttributeKind kind = AttributeKind::None;
  float real = 0;
  std::int64_t integer = 0;
  std::string_view text;
  std::vector<float> reals;
  std::vector<std::int64_t> integers;
  std::vector<std::string_view> texts;
  std::vector<StoredTensor> tensors;           ///< One for Tensor, any number for Tensors.
  std::vector<std::shared_ptr<Block>> blocks;  ///< One for Block, any number for Blocks.
};

struct Metadata {
  std::string_view key;
  std::string_view value;
};

/// One step of a module path.
struct ModuleStep {
  std::string_view name;
  std::string_view type;  ///< Class of the module; may be empty.
};

/// Where the outputs of a node live.
enum class Placement : std::uint8_t {
  ByRule,   ///< As the operator table says.
  Fresh,    ///< In memory of their own.
  View,     ///< In that of the first input, which they only show in another way.
  InPlace,  ///< In that of the first input, which they overwrite.
};

/// What a call of a recorded run was made for. Model files only have forward calls.
enum class Phase : std::uint8_t { Forward, Loss, Backward, Optimizer, ZeroGrad };
/// "forward", "loss", "backward", "optimizer", "zero_grad".
[[nodiscard]] std::string_view name_of(Phase phase);
[[nodiscard]] std::optional<Phase> phase_from_name(std::string_view name);

using CallIndex = std::uint32_t;
/// Of a node that stands for no recorded call.
inline constexpr CallIndex kNoCall = std::numeric_limits<CallIndex>::max();

/// One operator call of the graph.
struct Node {
  NodeId id = 0;
  std::string_view name;  ///< As in the file; may be empty.
  std::string_view op;
  std::string_view domain;  ///< Empty for the standard operators.
  int opset = 0;            ///< Version of the domain that the model imports; 0 if it does not.
  std::vector<ValueId> inputs;
  std::vector<ValueId> outputs;
  std::vector<Attribute> attributes;
  std::vector<Metadata> metadata;
  /// Names of the model-local function calls that this node was expanded from, outermost first.
  std::vector<std::string_view> calls;
  /// The modules around the node, outermost first, where the file knows them; else its name and
  /// metadata tell.
  std::vector<ModuleStep> modules;
  Placement placement = Placement::ByRule;
  Phase phase = Phase::Forward;
  CallIndex call = kNoCall;  ///< Which call of a recorded run the node tells of.

  [[nodiscard]] const Attribute* attribute(std::string_view wanted) const;
};

/// A list of nodes in execution order: the main graph, or the body of an If, Loop or Scan.
/// The ids of its nodes and of all nodes nested in them are [first_node, last_node).
struct Block {
  std::string_view name;
  std::vector<ValueId> inputs;
  std::vector<ValueId> outputs;
  std::vector<Node> nodes;
  NodeId first_node = 0;
  NodeId last_node = 0;
};

/// A dimension as declared by a graph input: a number or the name of a symbol.
struct DeclaredDim {
  Dim size = kUnknownDim;
  std::string_view symbol;
};

/// What a file itself says about a stored tensor; ONNX files say nothing.
enum class StoredAs : std::uint8_t { Unsaid, Parameter, FrozenParameter, Buffer };

/// A value of the graph: an input, a constant or the output of a node.
struct GraphValue {
  std::string_view name;
  ValueType declared;  ///< As far as the file says; symbolic dimensions are unknown.
  std::vector<DeclaredDim> declared_dims;
  Boxed<StoredTensor> constant;
  bool from_constant_node = false;  ///< Not an initializer but the output of a Constant node.
  StoredAs stored_as = StoredAs::Unsaid;
  /// The stored tensor that the value shows in another way, in a recorded run; else kNoValue.
  ValueId view_of = kNoValue;
};

/// What the exporter of an ONNX file says about a module of the model that it exported. The graph
/// alone could not tell: exporters fold, merge and drop stored tensors.
struct StatedModule {
  std::string_view path;    ///< Names from the outside in, with '/' between; empty: the whole.
  std::string_view type;    ///< Class of the module; may be empty.
  std::int64_t params = 0;  ///< Including those of the modules inside, shared ones once.
  std::int64_t frozen_params = 0;  ///< Of these, the ones that training leaves alone.
};

/// The size of an open dimension where nobody gives another.
struct SizeHint {
  Dim size = 1;
  bool example = false;  ///< The one that the file was made with; else the smallest that it takes.
};

/// A model as it stands in its file. Values of nested blocks share one numbering with the main
/// block, so a block refers to a value of an outer one by its id.
struct Graph {
  std::filesystem::path path;
  std::string_view producer;
  std::string_view producer_version;
  std::int64_t ir_version = 0;
  std::map<std::string_view, int> opsets;  ///< Version by domain.
  std::vector<GraphValue> values;
  Block main;
  NodeId node_count = 0;
  std::int64_t file_bytes = 0;
  /// Sizes of the external data files that exist.
  std::map<std::filesystem::path, std::int64_t> external_files;
  std::vector<std::filesystem::path> missing_external_files;
  /// The graph tells of one run in an engine: its values have the types that they had there.
  bool recorded = false;
  /// In the order of the model; none in most files.
  std::vector<StatedModule> stated_modules;
  std::map<std::string, SizeHint, std::less<>> size_hints;  ///< By symbol, where the file tells.
  std::vector<std::string> notes;  ///< What the reader of the numbers must know about the file.

  std::shared_ptr<const MappedFile> file;  ///< What the views point into.
  std::deque<std::string> made_names;      ///< Names that are in no file.
};

/// Reads an ONNX file. Weights are left where they are. Throws Error(BadInput) for anything that is
/// not a well-formed model, naming the file and where possible the node.
[[nodiscard]] Graph read_onnx(const std::filesystem::path& path);
/// The same from memory, which must outlive the graph; `path` names it in errors and is where
/// external data is looked for.
[[nodiscard]] Graph read_onnx(std::string_view bytes, const std::filesystem::path& path);
/// A text that nobody keeps would not.
template <std::same_as<std::string> Passing>
Graph read_onnx(Passing&& bytes, const std::filesystem::path& path) = delete;

}  // namespace jouletree
