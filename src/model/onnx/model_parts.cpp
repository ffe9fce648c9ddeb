#include "model/onnx/model_parts.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <protozero/exception.hpp>
#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>

#include "jouletree/error.hpp"
#include "model/onnx/wire.hpp"

namespace jouletree::onnx {
namespace {

using Reader = protozero::pbf_reader;
using Writer = protozero::pbf_writer;

Reader reader_of(std::string_view bytes) { return {bytes.data(), bytes.size()}; }

std::string_view view(Reader& reader) {
  const protozero::data_view bytes = reader.get_view();
  return {bytes.data(), bytes.size()};
}

std::string_view text_field(std::string_view message, protozero::pbf_tag_type tag) {
  Reader reader = reader_of(message);
  return reader.next(tag) ? view(reader) : std::string_view();
}

void collect_captured(std::string_view graph, std::set<std::string_view> known,
                      std::vector<std::string_view>& captured);

/// True if the node has nested graphs.
bool collect_captured_by_node(std::string_view node, const std::set<std::string_view>& known,
                              std::vector<std::string_view>& captured) {
  bool nested = false;
  Reader reader = reader_of(node);
  while (reader.next(node_field::Attribute)) {
    Reader attribute = reader_of(view(reader));
    while (attribute.next()) {
      if (attribute.tag() == attribute_field::G || attribute.tag() == attribute_field::Graphs) {
        nested = true;
        collect_captured(view(attribute), known, captured);
      } else {
        attribute.skip();
      }
    }
  }
  return nested;
}

/// Nested graphs see what stands before them in the outer ones, so order matters.
void collect_captured(std::string_view graph, std::set<std::string_view> known,
                      std::vector<std::string_view>& captured) {
  Reader definitions = reader_of(graph);
  while (definitions.next()) {
    if (definitions.tag() == graph_field::Input) {
      known.insert(text_field(view(definitions), value_info_field::Name));
    } else if (definitions.tag() == graph_field::Initializer) {
      known.insert(text_field(view(definitions), tensor_field::Name));
    } else {
      definitions.skip();
    }
  }
  Reader nodes = reader_of(graph);
  while (nodes.next(graph_field::Node)) {
    const std::string_view node = view(nodes);
    Reader fields = reader_of(node);
    while (fields.next()) {
      if (fields.tag() == node_field::Input) {
        const std::string_view name = view(fields);
        if (!name.empty() && known.count(name) == 0) captured.push_back(name);
      } else if (fields.tag() == node_field::Output) {
        known.insert(view(fields));
      } else {
        fields.skip();
      }
    }
    (void)collect_captured_by_node(node, known, captured);
  }
  Reader outputs = reader_of(graph);
  while (outputs.next(graph_field::Output)) {
    const std::string_view name = text_field(view(outputs), value_info_field::Name);
    if (known.count(name) == 0) captured.push_back(name);
  }
}

ModelParts::Part read_node(std::string_view node) {
  ModelParts::Part part;
  part.bytes = node;
  Reader reader = reader_of(node);
  while (reader.next()) {
    switch (reader.tag()) {
      case node_field::Input: part.inputs.push_back(view(reader)); break;
      case node_field::Output: part.outputs.push_back(view(reader)); break;
      case node_field::Name: part.name = view(reader); break;
      case node_field::OpType: part.op = view(reader); break;
      case node_field::Domain: part.domain = view(reader); break;
      case node_field::Attribute: part.attributes += view(reader); break;
      default: reader.skip();
    }
  }
  part.nested = collect_captured_by_node(node, {}, part.captured);
  std::sort(part.captured.begin(), part.captured.end());
  part.captured.erase(std::unique(part.captured.begin(), part.captured.end()), part.captured.end());
  return part;
}

std::string value_info(std::string_view name, const ValueType* type) {
  std::string bytes;
  Writer writer(bytes);
  writer.add_string(value_info_field::Name, name.data(), name.size());
  if (type == nullptr) return bytes;
  Writer outer(writer, value_info_field::Type);
  Writer tensor(outer, 1);
  tensor.add_int32(1, static_cast<std::int32_t>(type->type));
  if (!type->dims) return bytes;
  Writer shape(tensor, 2);
  for (const Dim dim : *type->dims) {
    Writer item(shape, 1);
    item.add_int64(1, dim);
  }
  return bytes;
}

/// The message with the texts of some fields given by `name_of(tag, text)`, the rest as it is.
template <class NameOf>
std::string renamed(std::string_view message, const NameOf& name_of) {
  std::string bytes;
  Reader reader = reader_of(message);
  while (true) {
    const char* const begin = reader.data().data();
    if (!reader.next()) break;
    const auto tag = reader.tag();
    const std::optional<std::string_view> text =
        reader.wire_type() == protozero::pbf_wire_type::length_delimited
            ? std::optional(view(reader))
            : std::nullopt;
    if (!text) reader.skip();
    const std::optional<std::string> other = text ? name_of(tag, *text) : std::nullopt;
    if (other) {
      Writer(bytes).add_string(tag, *other);
    } else {
      bytes.append(begin, reader.data().data());
    }
  }
  return bytes;
}

ValueType type_of_weight(std::string_view weight) {
  ValueType type;
  type.dims.emplace();
  Reader reader = reader_of(weight);
  while (reader.next()) {
    if (reader.tag() == tensor_field::DataType) {
      type.type = data_type_from_number(reader.get_int32());
    } else if (reader.tag() != tensor_field::Dims) {
      reader.skip();
    } else if (reader.wire_type() == protozero::pbf_wire_type::varint) {
      type.dims->push_back(reader.get_int64());
    } else {
      for (const std::int64_t dim : reader.get_packed_int64()) type.dims->push_back(dim);
    }
  }
  return type;
}

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
std::string copied_weight(std::string_view weight, const std::string& name, int set) {
  const ValueType type = type_of_weight(weight);
  return renamed(weight, [&](auto tag, std::string_view text) -> std::optional<std::string> {
    if (tag == tensor_field::Name) return name;
    if (tag == tensor_field::RawData && may_change_a_little(type))
      return slightly_other(text, type.type, set);
    return std::nullopt;
  });
}

}  // namespace

ModelParts::ModelParts(std::string_view bytes) try {
  Reader reader = reader_of(bytes);
  while (true) {
    const char* const begin = reader.data().data();
    if (!reader.next()) break;
    if (reader.tag() == model_field::Graph) {
      read_graph(view(reader));
    } else {
      reader.skip();
      head_.append(begin, reader.data().data());
    }
  }
} catch (const protozero::exception& error) {
  throw Error(ErrorKind::BadInput, fmt::format("this is not an ONNX model: {}", error.what()));
}

void ModelParts::read_graph(std::string_view graph) {
  Reader reader = reader_of(graph);
  while (reader.next()) {
    switch (reader.tag()) {
      case graph_field::Node: nodes_.push_back(read_node(view(reader))); break;
      case graph_field::Initializer: {
        const std::string_view weight = view(reader);
        weights_[text_field(weight, tensor_field::Name)] = weight;
        break;
      }
      case graph_field::SparseInitializer: sparse_weights_.push_back(view(reader)); break;
      case graph_field::Input: graph_inputs_.push_back(view(reader)); break;
      case graph_field::Output:
        output_names_.insert(text_field(view(reader), value_info_field::Name));
        break;
      default: reader.skip();
    }
  }
}

std::string ModelParts::model_of(const std::string& graph) const {
  std::string bytes = head_;
  Writer(bytes).add_message(model_field::Graph, graph);
  return bytes;
}

std::string ModelParts::whole(Outputs outputs) const {
  std::string graph;
  Writer writer(graph);
  writer.add_string(graph_field::Name, "all");
  for (const Part& node : nodes_)
    writer.add_message(graph_field::Node, node.bytes.data(), node.bytes.size());
  for (const auto& [name, bytes] : weights_)
    writer.add_message(graph_field::Initializer, bytes.data(), bytes.size());
  for (const std::string_view bytes : sparse_weights_)
    writer.add_message(graph_field::SparseInitializer, bytes.data(), bytes.size());
  for (const std::string_view bytes : graph_inputs_)
    writer.add_message(graph_field::Input, bytes.data(), bytes.size());
  for (const std::string_view name : output_names_)
    writer.add_message(graph_field::Output, value_info(name, nullptr));
  if (outputs == Outputs::Declared) return model_of(graph);
  for (const Part& node : nodes_) {
    for (const std::string_view output : node.outputs) {
      if (output.empty() || output_names_.count(output) > 0) continue;
      writer.add_message(graph_field::Output, value_info(output, nullptr));
    }
  }
  return model_of(graph);
}

namespace {

/// Inputs and weights of a cut-out graph, each once.
class Surroundings {
 public:
  Surroundings(Writer& writer, const std::map<std::string_view, std::string_view>& weights,
               const CutInputs& types)
      : writer_(writer), weights_(weights), types_(types) {}

  /// From now on inputs are declared without shapes. Engines check both branches of an If against
  /// shapes that are declared, also the one that these shapes never reach.
  void hide_shapes() { with_shapes_ = false; }

  void need(std::string_view name) {
    if (name.empty() || !done_.insert(std::string(name)).second) return;
    if (const auto weight = weights_.find(name); weight != weights_.end()) {
      writer_.add_message(graph_field::Initializer, weight->second.data(), weight->second.size());
    } else {
      declare(name, type_of(name));
    }
  }

  void need_copy(std::string_view name, int set) {
    const std::string copy = ModelParts::copied_name(name, set);
    if (name.empty() || !done_.insert(copy).second) return;
    if (const auto weight = weights_.find(name); weight != weights_.end()) {
      writer_.add_message(graph_field::Initializer, copied_weight(weight->second, copy, set));
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
  const std::map<std::string_view, std::string_view>& weights_;
  const CutInputs& types_;
  std::set<std::string, std::less<>> done_;
  bool with_shapes_ = true;
};

}  // namespace

namespace {

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

std::string ModelParts::copied_name(std::string_view name, int set) {
  return fmt::format("{}#{}", name, set);
}

std::optional<ValueType> ModelParts::weight_type(std::string_view name) const {
  const auto weight = weights_.find(name);
  if (weight == weights_.end()) return std::nullopt;
  return type_of_weight(weight->second);
}

std::int64_t ModelParts::weight_bytes(const Part& part) const {
  std::int64_t bytes = 0;
  for (const std::string_view input : part.inputs)
    if (const auto type = weight_type(input)) bytes += type->bytes().value_or(0);
  return bytes;
}

std::int64_t ModelParts::weight_bytes() const {
  std::int64_t bytes = 0;
  for (const auto& [name, weight] : weights_) bytes += type_of_weight(weight).bytes().value_or(0);
  return bytes;
}

std::string ModelParts::repeated(std::size_t node, const Copies& copies,
                                 const CutInputs& types) const {
  const Part& part = nodes_[node];
  std::string graph;
  Writer writer(graph);
  writer.add_string(graph_field::Name, "operator");
  Surroundings surroundings(writer, weights_, types);
  if (part.nested) surroundings.hide_shapes();
  for (const std::string_view input : part.captured) surroundings.need(input);
  for (int copy = 0; copy < copies.count; ++copy) {
    const auto sets_of = [&](std::string_view name) {
      return is_weight(name) ? copies.weight_sets : copies.sets_of(name);
    };
    const auto source = [&](std::string_view name) {
      const int sets = sets_of(name);
      return sets > 1 ? copied_name(name, copy % sets) : std::string(name);
    };
    writer.add_message(
        graph_field::Node,
        renamed(part.bytes, [&](auto tag, std::string_view name) -> std::optional<std::string> {
          if (name.empty()) return std::nullopt;
          if (tag == node_field::Input) return source(name);
          if (tag == node_field::Output || tag == node_field::Name) return copied_name(name, copy);
          return std::nullopt;
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
  return model_of(graph);
}

std::string ModelParts::cut_out(const std::vector<std::size_t>& nodes,
                                const CutInputs& types) const {
  const std::set<std::size_t> chosen(nodes.begin(), nodes.end());
  std::set<std::string_view> made;
  for (const std::size_t node : chosen)
    for (const std::string_view output : nodes_[node].outputs) made.insert(output);
  std::set<std::string_view> wanted = output_names_;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (chosen.count(i) > 0) continue;
    for (const std::string_view input : nodes_[i].inputs) wanted.insert(input);
    for (const std::string_view input : nodes_[i].captured) wanted.insert(input);
  }
  std::string graph;
  Writer writer(graph);
  writer.add_string(graph_field::Name, "module");
  Surroundings surroundings(writer, weights_, types);
  if (std::any_of(chosen.begin(), chosen.end(),
                  [&](std::size_t node) { return nodes_[node].nested; }))
    surroundings.hide_shapes();
  for (const std::size_t node : chosen) {
    const Part& part = nodes_[node];
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
  return model_of(graph);
}

}  // namespace jouletree::onnx
