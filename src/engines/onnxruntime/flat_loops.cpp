#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "engines/onnxruntime/flat_model.hpp"
#include "model/onnx/message_edit.hpp"
#include "model/onnx/node_fields.hpp"
#include "model/onnx/wire.hpp"

namespace jouletree::engines {
namespace {

namespace onnx = model::onnx;

using Writer = protozero::pbf_writer;

constexpr std::string_view kBody = "body";
/// Before what a Loop carries along: how many iterations at most, and whether to begin at all.
constexpr std::size_t kLoopSettings = 2;

std::string tensor(const std::string& name, DataType type, std::size_t rank, std::int64_t element) {
  std::string bytes;
  Writer writer(bytes);
  for (std::size_t i = 0; i < rank; ++i) writer.add_int64(onnx::tensor_field::Dims, 1);
  writer.add_int32(onnx::tensor_field::DataType, static_cast<std::int32_t>(type));
  writer.add_string(onnx::tensor_field::Name, name);
  const bool wide = type == DataType::Int64;
  const std::array<std::int64_t, 1> content{element};
  if (wide) {
    writer.add_packed_int64(onnx::tensor_field::Int64Data, content.begin(), content.end());
  } else {
    writer.add_packed_int32(onnx::tensor_field::Int32Data, content.begin(), content.end());
  }
  return bytes;
}

/// 0 where the description does not say it.
std::size_t declared_rank(std::string_view info) {
  const std::string_view type = onnx::text_field(info, onnx::value_info_field::Type);
  const std::string_view typed = onnx::text_field(type, onnx::type_field::TensorType);
  onnx::Reader shape = onnx::reader_of(onnx::text_field(typed, onnx::typed_field::Shape));
  std::size_t rank = 0;
  while (shape.next(onnx::shape_field::Dim)) {
    shape.skip();
    ++rank;
  }
  return rank;
}

/// The version of the standard operators that the fields of a model import.
std::int64_t standard_opset(std::string_view head) {
  std::int64_t version = 0;
  onnx::Reader reader = onnx::reader_of(head);
  while (reader.next(onnx::model_field::OpsetImport)) {
    const std::string_view import = onnx::content_of(reader);
    const std::string_view domain = onnx::text_field(import, onnx::opset_field::Domain);
    onnx::Reader number = onnx::reader_of(import);
    if ((domain.empty() || domain == "ai.onnx") && number.next(onnx::opset_field::Version))
      version = number.get_int64();
  }
  return version;
}

/// How many of the inputs of a Scan are carried along; nothing for one that says nonsense.
std::optional<std::size_t> carried_by_scan(std::string_view node) {
  const auto scanned = onnx::integers_of(node, "num_scan_inputs");
  const std::size_t all = onnx::inputs_of(node).size();
  if (scanned.size() != 1 || scanned[0] < 1 || static_cast<std::size_t>(scanned[0]) > all)
    return std::nullopt;
  return all - static_cast<std::size_t>(scanned[0]);
}

std::int64_t scan_axis(std::string_view node, std::size_t scanned) {
  const auto axes = onnx::integers_of(node, "scan_input_axes");
  return scanned < axes.size() ? axes[scanned] : 0;
}

/// The Loop, whose body also gives the number of each iteration.
std::string counting_loop(std::string_view node, std::string_view counter) {
  const std::string each = fmt::format("{}#each", counter);
  std::string counting =
      onnx::rewritten(node, [&](auto tag, std::string_view content, std::string& out) {
        if (tag != onnx::node_field::Attribute ||
            onnx::text_field(content, onnx::attribute_field::Name) != kBody)
          return false;
        std::string attribute =
            onnx::rewritten(content, [&](auto field, std::string_view graph, std::string& inner) {
              if (field != onnx::attribute_field::G) return false;
              std::string body(graph);
              Writer writer(body);
              writer.add_message(onnx::graph_field::Node,
                                 onnx::identity_node(read_body(graph).inputs[0], each));
              ValueType type;
              type.type = DataType::Int64;
              writer.add_message(onnx::graph_field::Output, onnx::value_info(each, &type));
              Writer(inner).add_message(field, body);
              return true;
            });
        Writer(out).add_message(tag, attribute);
        return true;
      });
  Writer(counting).add_string(onnx::node_field::Output, counter.data(), counter.size());
  return counting;
}

/// The Loop, ended after some iterations: it gives what the next one begins with.
std::string shortened_loop(std::string_view node, const std::string& iterations,
                           const std::vector<std::string>& outputs) {
  std::size_t input = 0;
  std::size_t output = 0;
  return onnx::rewritten(node, [&](auto tag, std::string_view content, std::string& out) {
    if (tag == onnx::node_field::Input && input++ == 0) {
      Writer(out).add_string(tag, iterations);
    } else if (tag == onnx::node_field::Output) {
      Writer(out).add_string(tag, outputs[output++]);
    } else if (tag == onnx::node_field::Name) {
      Writer(out).add_string(tag, fmt::format("{}#shortened", content));
    } else {
      return false;
    }
    return true;
  });
}

std::string slice_node(std::string_view from, const std::string& index, std::int64_t axis,
                       const std::string& to) {
  std::string attribute;
  Writer attribute_writer(attribute);
  attribute_writer.add_string(onnx::attribute_field::Name, "axis");
  attribute_writer.add_int64(onnx::attribute_field::I, axis);
  attribute_writer.add_int32(onnx::attribute_field::Type,
                             static_cast<int>(onnx::WireAttributeType::Int));
  std::string bytes;
  Writer writer(bytes);
  writer.add_string(onnx::node_field::Input, from.data(), from.size());
  writer.add_string(onnx::node_field::Input, index);
  writer.add_string(onnx::node_field::Output, to);
  writer.add_string(onnx::node_field::OpType, "Gather");
  writer.add_message(onnx::node_field::Attribute, attribute);
  return bytes;
}

const std::string& new_name(const NewNames& names, const std::string& name) {
  const auto found = names.find(name);
  return found == names.end() ? name : found->second;
}

}  // namespace

std::vector<FlatModel::Repetition> FlatModel::repetitions() const {
  std::vector<Repetition> repetitions;
  // The first Scan had a batch dimension in front of everything.
  constexpr std::int64_t kFirstUsualScan = 9;
  const bool usual_scans = standard_opset(head_) >= kFirstUsualScan;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const std::string& node = nodes_[i].bytes;
    const bool is_loop = onnx::is_standard_node(node, "Loop");
    const bool is_scan = usual_scans && onnx::is_standard_node(node, "Scan");
    if (nodes_[i].origin.stands_aside || !(is_loop || is_scan)) continue;
    const BodyParts body = read_body(body_of(node, kBody));
    const auto inputs = onnx::inputs_of(node);
    const std::string output(onnx::first_output_of(node));
    if (output.empty() || body.inputs.size() != std::max(inputs.size(), kLoopSettings * is_loop) ||
        body.inputs.empty() || body.has_sparse_initializers)
      continue;
    if (is_loop) {
      repetitions.push_back({i, output, fmt::format("{}#iterations", output), 0, false});
      continue;
    }
    const auto carried = carried_by_scan(node);
    if (!carried) continue;
    const std::int64_t axis = scan_axis(node, 0);
    repetitions.push_back({i, output, std::string(inputs[*carried]),
                           static_cast<std::size_t>(axis < 0 ? -axis : axis), axis < 0});
  }
  return repetitions;
}

std::string FlatModel::with_probes() const {
  std::set<std::string> values;
  for (const Choice& choice : choices()) values.insert(choice.condition);
  std::vector<Item> nodes = nodes_;
  for (const Repetition& repetition : repetitions()) {
    values.insert(repetition.counter);
    std::string& node = nodes[repetition.at].bytes;
    if (onnx::is_standard_node(node, "Loop")) node = counting_loop(node, repetition.counter);
  }
  std::string more;
  Writer writer(more);
  for (const std::string& value : values) {
    writer.add_message(onnx::graph_field::Node, onnx::identity_node(value, seen_name(value)));
    writer.add_message(onnx::graph_field::Output, onnx::value_info(seen_name(value), nullptr));
  }
  return with_more(nodes, more);
}

void FlatModel::take_iteration(const Repetition& repetition, std::int64_t iterations,
                               std::int64_t iteration) {
  nodes_[repetition.at].origin.stands_aside = true;
  const Item node = nodes_[repetition.at];
  const BodyParts body = read_body(body_of(node.bytes, kBody));
  // The node stays, and engines refuse names that are used inside and outside of it.
  collect_names(body_of(node.bytes, kBody), names_);
  NewNames names;
  std::vector<Item> added = onnx::is_standard_node(node.bytes, "Loop")
                                ? feed_loop(node.bytes, body, iteration, names)
                                : feed_scan(node.bytes, body, iteration, names);
  add_initializers(body, names);
  const Origin origin{node.origin.runs * iterations, false};
  for (const std::string_view inner : body.nodes)
    added.push_back({with_new_names(inner, names), origin});
  nodes_.insert(nodes_.begin() + static_cast<std::ptrdiff_t>(repetition.at) + 1,
                std::make_move_iterator(added.begin()), std::make_move_iterator(added.end()));
}

std::vector<FlatModel::Item> FlatModel::feed_loop(std::string_view node, const BodyParts& body,
                                                  std::int64_t iteration, NewNames& names) {
  constexpr Origin kAside{1, true};
  const auto inputs = onnx::inputs_of(node);
  if (iteration == 0) {
    for (std::size_t i = kLoopSettings; i < inputs.size(); ++i)
      names.emplace(body.inputs[i], inputs[i]);
  }
  find_free_names(body, names);
  const auto name_of = [&](std::size_t input) {
    return new_name(names, std::string(body.inputs[input]));
  };
  std::vector<Item> nodes;
  const std::string number =
      add_number(name_of(0) + "#number", iteration, declared_rank(body.input_infos[0]));
  nodes.push_back({onnx::identity_node(number, name_of(0)), kAside});
  const std::string condition = add_true(name_of(1) + "#true", declared_rank(body.input_infos[1]));
  nodes.push_back({onnx::identity_node(condition, name_of(1)), kAside});
  if (iteration == 0) return nodes;
  std::vector<std::string> outputs;
  for (std::size_t i = 0; i < onnx::outputs_of(node).size(); ++i) {
    outputs.push_back(kLoopSettings + i < inputs.size()
                          ? name_of(kLoopSettings + i)
                          : fmt::format("{}#unused{}", name_of(0), i));
  }
  const std::string trips = add_number(name_of(0) + "#before", iteration, 0);
  nodes.push_back({shortened_loop(node, trips, outputs), kAside});
  return nodes;
}

std::vector<FlatModel::Item> FlatModel::feed_scan(std::string_view node, const BodyParts& body,
                                                  std::int64_t iteration, NewNames& names) {
  constexpr Origin kAside{1, true};
  const auto inputs = onnx::inputs_of(node);
  const std::size_t carried = carried_by_scan(node).value_or(inputs.size());
  for (std::size_t i = 0; i < carried; ++i) names.emplace(body.inputs[i], inputs[i]);
  find_free_names(body, names);
  std::vector<Item> nodes;
  for (std::size_t i = carried; i < inputs.size(); ++i) {
    const std::string slice = new_name(names, std::string(body.inputs[i]));
    const std::string index = add_number(slice + "#number", iteration, 0);
    nodes.push_back({slice_node(inputs[i], index, scan_axis(node, i - carried), slice), kAside});
  }
  return nodes;
}

std::string FlatModel::add_number(const std::string& name, std::int64_t number, std::size_t rank) {
  Writer(rest_).add_message(onnx::graph_field::Initializer,
                            tensor(name, DataType::Int64, rank, number));
  return name;
}

std::string FlatModel::add_true(const std::string& name, std::size_t rank) {
  Writer(rest_).add_message(onnx::graph_field::Initializer, tensor(name, DataType::Bool, rank, 1));
  return name;
}

}  // namespace jouletree::engines
