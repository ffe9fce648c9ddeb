#include "engines/onnxruntime/flat_model.hpp"

#include <fmt/format.h>
#include <protozero/exception.hpp>

#include "jouletree/error.hpp"
#include "model/onnx/message_edit.hpp"
#include "model/onnx/node_fields.hpp"
#include "model/onnx/wire.hpp"

namespace jouletree::engines {
namespace {

namespace onnx = model::onnx;

using Writer = protozero::pbf_writer;

constexpr std::string_view kThen = "then_branch";
constexpr std::string_view kElse = "else_branch";

bool is_choice(std::string_view node) {
  return onnx::is_standard_node(node, "If") && !body_of(node, kThen).empty() &&
         !body_of(node, kElse).empty();
}

std::string renamed_tensor(std::string_view tensor, const NewNames& names) {
  return onnx::rewritten(tensor, [&](auto tag, std::string_view name, std::string& out) {
    const auto found = tag == onnx::tensor_field::Name ? names.find(name) : names.end();
    if (found == names.end()) return false;
    Writer(out).add_string(tag, found->second);
    return true;
  });
}

/// Which results of the body can be named as those of the node; others must be copied, because they
/// are given twice, or are weights or values from outside.
struct Results {
  NewNames renamed;
  std::vector<std::pair<std::string_view, std::string_view>> copied;  ///< From, to.
};

Results results_of(const BodyParts& body, const std::vector<std::string_view>& outer) {
  std::set<std::string_view> made;
  for (const std::string_view node : body.nodes)
    for (const std::string_view output : onnx::outputs_of(node)) made.insert(output);
  Results results;
  for (std::size_t i = 0; i < outer.size() && i < body.outputs.size(); ++i) {
    if (outer[i].empty()) continue;
    const std::string_view inner = body.outputs[i];
    const bool free = made.count(inner) > 0 && results.renamed.count(inner) == 0;
    if (free) {
      results.renamed.emplace(inner, outer[i]);
    } else {
      results.copied.emplace_back(inner, outer[i]);
    }
  }
  return results;
}

}  // namespace

bool has_bodies(std::string_view model) {
  onnx::Reader nodes = onnx::reader_of(onnx::text_field(model, onnx::model_field::Graph));
  while (nodes.next(onnx::graph_field::Node)) {
    const std::string_view node = onnx::content_of(nodes);
    if (is_choice(node) || onnx::is_standard_node(node, "Loop") ||
        onnx::is_standard_node(node, "Scan"))
      return true;
  }
  return false;
}

std::string seen_name(std::string_view value) { return fmt::format("{}#seen", value); }

FlatModel::FlatModel(std::string_view model) try {
  std::string_view graph;
  head_ = onnx::rewritten(model, [&](auto tag, std::string_view content, std::string&) {
    if (tag != onnx::model_field::Graph) return false;
    graph = content;
    return true;
  });
  rest_ = onnx::rewritten(graph, [&](auto tag, std::string_view node, std::string&) {
    if (tag != onnx::graph_field::Node) return false;
    nodes_.push_back({std::string(node), {}});
    return true;
  });
  names_ = read_body(graph).defined;
} catch (const protozero::exception& error) {
  throw Error(ErrorKind::BadInput, fmt::format("this is not an ONNX model: {}", error.what()));
}

std::vector<FlatModel::Choice> FlatModel::choices() const {
  std::vector<Choice> choices;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const std::string& node = nodes_[i].bytes;
    const auto inputs = onnx::inputs_of(node);
    const std::string_view output = onnx::first_output_of(node);
    if (!is_choice(node) || inputs.empty() || output.empty()) continue;
    const bool sparse = read_body(body_of(node, kThen)).has_sparse_initializers ||
                        read_body(body_of(node, kElse)).has_sparse_initializers;
    if (!sparse) choices.push_back({i, std::string(output), std::string(inputs[0])});
  }
  return choices;
}

void FlatModel::take_branch(const Choice& choice, bool then) {
  const Item node = std::move(nodes_[choice.at]);
  const BodyParts body = read_body(body_of(node.bytes, then ? kThen : kElse));
  Results results = results_of(body, onnx::outputs_of(node.bytes));
  NewNames& names = results.renamed;
  find_free_names(body, names);
  add_initializers(body, names);
  std::vector<Item> nodes;
  nodes.reserve(body.nodes.size() + results.copied.size());
  for (const std::string_view inner : body.nodes)
    nodes.push_back({with_new_names(inner, names), node.origin});
  // The engine does this as part of the If.
  const Origin aside{node.origin.runs, true};
  for (const auto& [from, to] : results.copied) {
    const auto renamed = names.find(from);
    nodes.push_back(
        {onnx::identity_node(renamed == names.end() ? from : renamed->second, to), aside});
  }
  const auto place = nodes_.begin() + static_cast<std::ptrdiff_t>(choice.at);
  nodes_.insert(nodes_.erase(place), std::make_move_iterator(nodes.begin()),
                std::make_move_iterator(nodes.end()));
}

void FlatModel::find_free_names(const BodyParts& body, NewNames& names) {
  for (const std::string& own : body.defined) {
    if (names.count(own) > 0) continue;
    if (names_.insert(own).second) continue;
    const std::string free = free_name(own);
    names.emplace(own, free);
    names_.insert(free);
  }
}

void FlatModel::add_initializers(const BodyParts& body, const NewNames& names) {
  for (const std::string_view tensor : body.initializers)
    Writer(rest_).add_message(onnx::graph_field::Initializer, renamed_tensor(tensor, names));
}

std::string FlatModel::free_name(std::string_view name) const {
  int number = 2;
  while (names_.count(fmt::format("{}~{}", name, number)) > 0) ++number;
  return fmt::format("{}~{}", name, number);
}

std::string FlatModel::with_more(const std::vector<Item>& items, const std::string& more) const {
  std::string graph;
  Writer writer(graph);
  for (const Item& item : items) writer.add_message(onnx::graph_field::Node, item.bytes);
  graph += rest_;
  graph += more;
  std::string bytes = head_;
  Writer(bytes).add_message(onnx::model_field::Graph, graph);
  return bytes;
}

std::string FlatModel::bytes() const { return with_more(nodes_, ""); }

std::map<std::string, FlatModel::Origin, std::less<>> FlatModel::origins() const {
  std::map<std::string, Origin, std::less<>> origins;
  for (const Item& item : nodes_) {
    if (item.origin.runs != 1 || item.origin.stands_aside)
      origins.emplace(onnx::first_output_of(item.bytes), item.origin);
  }
  return origins;
}

}  // namespace jouletree::engines
