#include "model/onnx/cut_outs.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "jouletree/error.hpp"
#include "model/onnx/message_edit.hpp"
#include "model/onnx/wire.hpp"

namespace jouletree::onnx {
namespace {

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
  return rewritten(weight, [&](auto tag, std::string_view content, std::string& out) {
    if (tag == tensor_field::Name) {
      Writer(out).add_string(tag, name);
    } else if (tag == tensor_field::RawData && may_change_a_little(type)) {
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
      writer_.add_message(graph_field::Initializer, weight->data(), weight->size());
    } else {
      declare(name, type_of(name));
    }
  }

  void need_copy(std::string_view name, int set) {
    const std::string copy = copied_name(name, set);
    if (name.empty() || !done_.insert(copy).second) return;
    if (const auto weight = parts_.weight(name)) {
      writer_.add_message(graph_field::Initializer,
                          copied_weight(*weight, *parts_.weight_type(name), copy, set));
    } else {
      declare(copy, type_of(name));
    }
  }

 private:
  void declare(std::string_view name, ValueType type) {
    if (!with_shapes_) type.dims.reset();
    writer_.add_message(graph_field::Input, value_info(name, &type));
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
  for (const std::string& input : inputs) writer.add_string(node_field::Input, input);
  writer.add_string(node_field::Output, output);
  writer.add_string(node_field::OpType, op.data(), op.size());
  return bytes;
}

/// Nodes that free one output as soon as a later one, or the same, is there. Engines run what is
/// ready in any order, so the later one must be read, too.
void add_nodes_that_free(const std::string& output, const std::string& later, Writer& writer) {
  writer.add_message(graph_field::Node, small_node("Shape", {later}, later + "#shape"));
  if (output == later) return;
  writer.add_message(graph_field::Node,
                     small_node("Reshape", {output, later + "#shape"}, output + "#view"));
  writer.add_message(graph_field::Node, small_node("Shape", {output + "#view"}, output + "#freed"));
}

}  // namespace

std::string copied_name(std::string_view name, int set) { return fmt::format("{}#{}", name, set); }

std::string repeated(const ModelParts& parts, std::size_t node, const Copies& copies,
                     const CutInputs& types) {
  const ModelParts::Part& part = parts.nodes()[node];
  std::string graph;
  Writer writer(graph);
  writer.add_string(graph_field::Name, "operator");
  Surroundings surroundings(writer, parts, types);
  if (part.nested) surroundings.hide_shapes();
  for (const std::string_view input : part.captured) surroundings.need(input);
  for (int copy = 0; copy < copies.count; ++copy) {
    const auto sets_of = [&](std::string_view name) {
      return parts.is_weight(name) ? copies.weight_sets : copies.sets_of(name);
    };
    const auto source = [&](std::string_view name) {
      const int sets = sets_of(name);
      return sets > 1 ? copied_name(name, copy % sets) : std::string(name);
    };
    writer.add_message(
        graph_field::Node,
        rewritten(part.bytes, [&](auto tag, std::string_view name, std::string& out) {
          const bool is_input = tag == node_field::Input;
          const bool is_own = tag == node_field::Output || tag == node_field::Name;
          if (name.empty() || !(is_input || is_own)) return false;
          Writer(out).add_string(tag, is_input ? source(name) : copied_name(name, copy));
          return true;
        }));
    for (const std::string_view input : part.inputs) {
      if (const int sets = sets_of(input); sets > 1) {
        surroundings.need_copy(input, copy % sets);
      } else {
        surroundings.need(input);
      }
    }
    if (copies.count == 1 || !copies.output_bytes) continue;
    for (const std::string_view output : part.outputs) {
      const std::int64_t bytes = known_bytes(output, types);
      const std::int64_t kept = bytes > 0 ? *copies.output_bytes / bytes : 0;
      if (bytes < kLargeOutput || kept > copy) continue;
      add_nodes_that_free(copied_name(output, copy - static_cast<int>(kept)),
                          copied_name(output, copy), writer);
    }
  }
  // One output is enough: nodes that nobody reads run as well.
  const auto output = std::find_if(part.outputs.begin(), part.outputs.end(),
                                   [](std::string_view name) { return !name.empty(); });
  if (output != part.outputs.end()) {
    writer.add_message(graph_field::Output,
                       value_info(copied_name(*output, copies.count - 1), nullptr));
  }
  return parts.with_graph(graph);
}

std::string cut_out(const ModelParts& parts, const std::vector<std::size_t>& nodes,
                    const CutInputs& types) {
  const std::vector<ModelParts::Part>& all = parts.nodes();
  const std::set<std::size_t> chosen(nodes.begin(), nodes.end());
  std::set<std::string_view> made;
  for (const std::size_t node : chosen)
    for (const std::string_view output : all[node].outputs) made.insert(output);
  std::set<std::string_view> wanted = parts.output_names();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (chosen.count(i) > 0) continue;
    for (const std::string_view input : all[i].inputs) wanted.insert(input);
    for (const std::string_view input : all[i].captured) wanted.insert(input);
  }
  std::string graph;
  Writer writer(graph);
  writer.add_string(graph_field::Name, "module");
  Surroundings surroundings(writer, parts, types);
  if (std::any_of(chosen.begin(), chosen.end(), [&](std::size_t node) { return all[node].nested; }))
    surroundings.hide_shapes();
  for (const std::size_t node : chosen) {
    const ModelParts::Part& part = all[node];
    writer.add_message(graph_field::Node, part.bytes.data(), part.bytes.size());
    for (const auto* list : {&part.inputs, &part.captured}) {
      for (const std::string_view input : *list)
        if (made.count(input) == 0) surroundings.need(input);
    }
    for (const std::string_view output : part.outputs) {
      if (!output.empty() && wanted.count(output) > 0)
        writer.add_message(graph_field::Output, value_info(output, nullptr));
    }
  }
  return parts.with_graph(graph);
}

}  // namespace jouletree::onnx
