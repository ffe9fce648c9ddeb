#include "engines/onnxruntime/cut_outs.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "jouletree/error.hpp"
#include "model/onnx/captured_names.hpp"
#include "model/onnx/message_edit.hpp"
#include "model/onnx/wire.hpp"

namespace jouletree::engines {
namespace {

namespace onnx = model::onnx;

using Writer = protozero::pbf_writer;

/// Integers of more than 8 bits are indices and sizes, which must stay right; small weights are
/// scales and zero points, whose values decide how fast a kernel is.
bool may_change_a_little(const ValueType& type) {
  constexpr std::int64_t kSmallWeight = 4096;
  const int bits = bits_of(type.type).value_or(0);
  return type.bytes().value_or(0) >= kSmallWeight &&
         (is_floating(type.type) || (is_integer(type.type) && bits <= 8));
}

/// Flips the lowest bit of some elements: the bits of `set` tell which.
std::string slightly_other(std::string_view elements, DataType type, int set) {
  std::string other(elements);
  const auto width = static_cast<std::size_t>(std::max(1, bits_of(type).value_or(8) / 8));
  for (std::size_t at = 0; set > 0 && at < other.size(); set /= 2, at += width)
    other[at] = static_cast<char>(static_cast<unsigned char>(other[at]) ^ unsigned(set % 2));
  return other;
}

/// Engines keep weights of the same content once, so the copies differ by a few last bits.
std::string copied_weight(std::string_view weight, const ValueType& type, const std::string& name,
                          int set) {
  return onnx::rewritten(weight, [&](auto tag, std::string_view content, std::string& out) {
    if (tag == onnx::tensor_field::Name) {
      Writer(out).add_string(tag, name);
    } else if (tag == onnx::tensor_field::RawData && may_change_a_little(type)) {
      Writer(out).add_bytes(tag, slightly_other(content, type.type, set));
    } else {
      return false;
    }
    return true;
  });
}

/// Inputs and weights of a cut-out graph, each once.
class Surroundings {
 public:
  Surroundings(Writer& writer, const ModelParts& parts, const CutInputs& types)
      : writer_(writer), parts_(parts), types_(types) {}

  /// From now on inputs are declared without shapes. Engines check both branches of an If against
  /// shapes that are declared, also the one that these shapes never reach.
  void hide_shapes() { with_shapes_ = false; }

  void need(std::string_view name) {
    if (name.empty() || !done_.insert(std::string(name)).second) return;
    if (const auto weight = parts_.weight(name)) {
      writer_.add_message(onnx::graph_field::Initializer, weight->data(), weight->size());
    } else {
      declare(name, type_of(name));
    }
  }

  void need_copy(std::string_view name, int set) {
    const std::string copy = copied_name(name, set);
    if (name.empty() || !done_.insert(copy).second) return;
    if (const auto weight = parts_.weight(name)) {
      writer_.add_message(onnx::graph_field::Initializer,
                          copied_weight(*weight, *parts_.weight_type(name), copy, set));
    } else {
      declare(copy, type_of(name));
    }
  }

 private:
  void declare(std::string_view name, ValueType type) {
    if (!with_shapes_) type.dims.reset();
    writer_.add_message(onnx::graph_field::Input, onnx::value_info(name, &type));
  }

  [[nodiscard]] const ValueType& type_of(std::string_view name) const {
    const auto type = types_.find(name);
    if (type == types_.end())
      throw Error(ErrorKind::BadInput, fmt::format("the value '{}' was not recorded", name));
    return type->second;
  }

  Writer& writer_;
  const ModelParts& parts_;
  const CutInputs& types_;
  std::set<std::string, std::less<>> done_;
  bool with_shapes_ = true;
};

/// Engines keep an output that nobody reads until the run ends, and the next copy must write
/// elsewhere. Asking for its shape frees it, and costs nothing beside a write of this size.
constexpr std::int64_t kLargeOutput = std::int64_t{1} << 16U;

std::int64_t known_bytes(std::string_view value, const CutInputs& types) {
  const auto type = types.find(value);
  return type == types.end() ? 0 : type->second.bytes().value_or(0);
}

std::string small_node(std::string_view op, const std::vector<std::string>& inputs,
                       const std::string& output) {
  std::string bytes;
  Writer writer(bytes);
  for (const std::string& input : inputs) writer.add_string(onnx::node_field::Input, input);
  writer.add_string(onnx::node_field::Output, output);
  writer.add_string(onnx::node_field::OpType, op.data(), op.size());
  return bytes;
}

/// Nodes that free one output as soon as a later one, or the same, is there. Engines run what is
/// ready in any order, so the later one must be read, too.
void add_nodes_that_free(const std::string& output, const std::string& later, Writer& writer) {
  writer.add_message(onnx::graph_field::Node, small_node("Shape", {later}, later + "#shape"));
  if (output == later) return;
  writer.add_message(onnx::graph_field::Node,
                     small_node("Reshape", {output, later + "#shape"}, output + "#view"));
  writer.add_message(onnx::graph_field::Node,
                     small_node("Shape", {output + "#view"}, output + "#freed"));
}

/// Several nodes of a model, which stand in a new one several times.
class RepeatedNodes {
 public:
  RepeatedNodes(const ModelParts& parts, const std::vector<std::size_t>& nodes,
                const Copies& copies, const CutInputs& types)
      : parts_(parts),
        borders_(borders_of(parts, nodes)),
        copies_(copies),
        types_(types),
        surroundings_(writer_, parts, types) {
    for (const std::size_t node : std::set<std::size_t>(nodes.begin(), nodes.end()))
      nodes_.push_back(&parts.nodes()[node]);
  }

  std::string model() {
    writer_.add_string(onnx::graph_field::Name, "part");
    const auto is_nested = [](const ModelParts::Part* part) { return part->nested; };
    if (std::any_of(nodes_.begin(), nodes_.end(), is_nested)) surroundings_.hide_shapes();
    for (int copy = 0; copy < copies_.count; ++copy) {
      for (const ModelParts::Part* part : nodes_) {
        writer_.add_message(onnx::graph_field::Node, copied_node(*part, copy));
        add_sources(*part, copy);
      }
      for (const std::string_view output : borders_.outputs) free_output(output, copy);
    }
    for (const std::string_view output : borders_.outputs) {
      // One that nobody wants runs as well, but a model must have an output.
      if (borders_.wanted.count(output) == 0 && !borders_.wanted.empty()) continue;
      writer_.add_message(onnx::graph_field::Output,
                          onnx::value_info(copied_name(output, copies_.count - 1), nullptr));
      if (borders_.wanted.empty()) break;
    }
    return parts_.with_graph(graph_);
  }

 private:
  [[nodiscard]] int sets_of(std::string_view name) const {
    return parts_.is_weight(name) ? copies_.weight_sets : copies_.sets_of(name);
  }

  [[nodiscard]] std::string source(std::string_view name, int copy) const {
    if (borders_.made.count(name) > 0) return copied_name(name, copy);
    const int sets = sets_of(name);
    return sets > 1 ? copied_name(name, copy % sets) : std::string(name);
  }

  [[nodiscard]] std::string copied_node(const ModelParts::Part& part, int copy) const {
    const auto rename = [&](auto tag, std::string_view name, std::string& out) {
      const bool is_input = tag == onnx::node_field::Input;
      const bool is_own = tag == onnx::node_field::Output || tag == onnx::node_field::Name;
      if (name.empty() || !(is_input || is_own)) return false;
      Writer(out).add_string(tag, is_input ? source(name, copy) : copied_name(name, copy));
      return true;
    };
    std::set<std::string_view> captured;
    for (const std::string_view name : part.captured)
      if (borders_.made.count(name) > 0) captured.insert(name);
    std::string node = onnx::rewritten(part.bytes, rename);
    if (captured.empty()) return node;
    return onnx::with_renamed_captures(
        node, captured, [&](std::string_view name) { return copied_name(name, copy); });
  }

  void add_sources(const ModelParts::Part& part, int copy) {
    for (const std::string_view input : part.captured)
      if (borders_.made.count(input) == 0) surroundings_.need(input);
    for (const std::string_view input : part.inputs) {
      if (borders_.made.count(input) > 0) continue;
      if (const int sets = sets_of(input); sets > 1) {
        surroundings_.need_copy(input, copy % sets);
      } else {
        surroundings_.need(input);
      }
    }
  }

  void free_output(std::string_view output, int copy) {
    const std::int64_t bytes = known_bytes(output, types_);
    if (copies_.count == 1 || bytes < kLargeOutput) return;
    // What is read inside would be gone, or written over, before others could read it.
    const std::int64_t least = borders_.read_inside.count(output) > 0 ? 1 : 0;
    if (least == 0 && !copies_.output_bytes) return;
    const std::int64_t kept = std::max(copies_.output_bytes.value_or(0) / bytes, least);
    if (kept > copy) return;
    add_nodes_that_free(copied_name(output, copy - static_cast<int>(kept)),
                        copied_name(output, copy), writer_);
  }

  const ModelParts& parts_;
  std::vector<const ModelParts::Part*> nodes_;  ///< In the order in which they run.
  Borders borders_;
  const Copies& copies_;
  const CutInputs& types_;
  std::string graph_;
  Writer writer_{graph_};
  Surroundings surroundings_;
};

}  // namespace

Borders borders_of(const ModelParts& parts, const std::vector<std::size_t>& nodes) {
  const std::vector<ModelParts::Part>& all = parts.nodes();
  const std::set<std::size_t> chosen(nodes.begin(), nodes.end());
  Borders borders;
  for (const std::size_t node : chosen) {
    for (const std::string_view output : all[node].outputs)
      if (!output.empty()) borders.made.insert(output);
  }
  const auto take_if_made = [&](std::string_view name, std::set<std::string_view>& names) {
    if (borders.made.count(name) > 0) names.insert(name);
  };
  for (const std::string_view output : parts.output_names()) take_if_made(output, borders.wanted);
  for (std::size_t i = 0; i < all.size(); ++i) {
    auto& readers = chosen.count(i) > 0 ? borders.read_inside : borders.wanted;
    for (const auto* list : {&all[i].inputs, &all[i].captured})
      for (const std::string_view name : *list) take_if_made(name, readers);
  }
  for (const std::size_t node : chosen) {
    for (const std::string_view output : all[node].outputs) {
      const bool inner = borders.read_inside.count(output) > 0 && borders.wanted.count(output) == 0;
      if (!output.empty() && !inner) borders.outputs.push_back(output);
    }
  }
  return borders;
}

std::string copied_name(std::string_view name, int set) { return fmt::format("{}#{}", name, set); }

std::string repeated(const ModelParts& parts, const std::vector<std::size_t>& nodes,
                     const Copies& copies, const CutInputs& types) {
  return RepeatedNodes(parts, nodes, copies, types).model();
}

}  // namespace jouletree::engines
