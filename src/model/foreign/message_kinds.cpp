// Protobuf files: they have no mark, but their fields tell them apart.
#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "base/number_format.hpp"
#include "model/foreign/advice.hpp"
#include "model/foreign/file_kind.hpp"
#include "model/foreign/message_fields.hpp"
#include "model/onnx/wire.hpp"

namespace jouletree::model::foreign {
namespace {

using Wire = MessageField::Wire;

bool is_name(std::string_view text) {
  return !text.empty() && text.size() < 1000 &&
         std::all_of(text.begin(), text.end(), [](char letter) {
           return static_cast<unsigned char>(letter) > 0x20 && letter != 0x7F;
         });
}

// TensorFlow's messages.
constexpr std::uint32_t kGraphNode = 1;
constexpr std::uint32_t kNodeName = 1;
constexpr std::uint32_t kNodeOp = 2;
constexpr std::uint32_t kNodeInput = 3;
constexpr std::uint32_t kMetaGraphGraph = 2;

bool is_tensorflow_node(std::string_view bytes) {
  const Message node = message_of(bytes);
  return is_name(node.bytes_of(kNodeName)) && is_name(node.bytes_of(kNodeOp));
}

bool is_graph_def(std::string_view bytes) {
  const Message graph = message_of(bytes, 1);
  return !graph.fields.empty() && graph.fields[0].tag == kGraphNode &&
         graph.fields[0].wire == Wire::Bytes && is_tensorflow_node(graph.fields[0].bytes);
}

bool is_frozen_graph(const SeenFile& file) { return is_graph_def(file.bytes()); }

bool is_meta_graph(std::string_view bytes) {
  return is_graph_def(message_of(bytes, 3).bytes_of(kMetaGraphGraph));
}

/// A number for the version, then graphs with what belongs to them.
bool is_saved_model(const SeenFile& file) {
  const Message model = message_of(file.bytes(), 2);
  return model.fields.size() == 2 && model.fields[0].tag == 1 &&
         model.fields[0].wire == Wire::Number && model.fields[1].tag == 2 &&
         is_meta_graph(model.fields[1].bytes);
}

struct GraphEnds {
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
};

/// Placeholders, and nodes that nobody reads.
GraphEnds ends_of(std::string_view graph) {
  constexpr std::size_t kMostNodes = 1'000'000;
  std::set<std::string, std::less<>> read;
  std::vector<std::string> names;
  GraphEnds ends;
  for (const MessageField& field : message_of(graph, kMostNodes).fields) {
    if (field.tag != kGraphNode || field.wire != Wire::Bytes) continue;
    const Message node = message_of(field.bytes);
    const std::string name(node.bytes_of(kNodeName));
    const std::string_view op = node.bytes_of(kNodeOp);
    if (op == "Placeholder") ends.inputs.push_back(name);
    if (op != "NoOp" && op != "Const" && op != "Assert") names.push_back(name);
    for (const MessageField& input : node.fields) {
      if (input.tag != kNodeInput) continue;
      std::string_view source = input.bytes.substr(input.bytes.starts_with("^") ? 1 : 0);
      read.emplace(source.substr(0, source.rfind(':')));
    }
  }
  for (const std::string& name : names)
    if (!read.contains(name)) ends.outputs.push_back(name);
  return ends;
}

std::string flag(const char* name, const std::vector<std::string>& nodes) {
  constexpr std::size_t kMost = 6;
  std::string text;
  if (nodes.empty() || nodes.size() > kMost) return fmt::format("--{} NAME:0", name);
  for (const std::string& node : nodes) text += (text.empty() ? "" : ",") + node + ":0";
  return fmt::format("--{} {}", name, shell_word(text));
}

std::string graph_flags(const SeenFile& file) {
  const GraphEnds ends = ends_of(file.bytes());
  return flag("inputs", ends.inputs) + " " + flag("outputs", ends.outputs);
}

bool is_onnx_tensor(const SeenFile& file) {
  namespace field = onnx::tensor_field;
  const Message tensor = message_of(file.bytes(), 64);
  const MessageField* type = tensor.find(field::DataType);
  return tensor.is_whole && type != nullptr && type->wire == Wire::Number && type->number >= 1 &&
         type->number <= 32 &&
         std::all_of(tensor.fields.begin(), tensor.fields.end(),
                     [](const MessageField& known) { return known.tag <= 16; });
}

/// A version, a description, then a kind of model, all of which have large field numbers.
bool is_core_ml(const SeenFile& file) {
  const Message model = message_of(file.bytes(), 8);
  return model.fields.size() >= 3 && model.fields[0].tag == 1 &&
         model.fields[0].wire == Wire::Number && model.fields[0].number <= 50 &&
         model.fields[1].tag == 2 && model.fields[1].wire == Wire::Bytes &&
         std::any_of(model.fields.begin() + 2, model.fields.end(),
                     [](const MessageField& kind) { return kind.tag >= 200 && kind.tag <= 4000; });
}

/// Blocks of operators, the first of which has no parent.
bool is_paddle(const SeenFile& file) {
  const Message program = message_of(file.bytes(), 1);
  if (program.fields.empty() || program.fields[0].tag != 1) return false;
  const Message block = message_of(program.fields[0].bytes, 2);
  constexpr std::uint64_t kNoParent = ~std::uint64_t{0};
  return block.fields.size() == 2 && block.fields[0].tag == 1 && block.fields[0].number == 0 &&
         block.fields[0].wire == Wire::Number && block.fields[1].tag == 2 &&
         block.fields[1].number == kNoParent;
}

/// The name of the network, then layers under one of two field numbers.
bool is_caffe_model(const SeenFile& file) {
  const Message net = message_of(file.bytes(), 3);
  return net.fields.size() >= 2 && net.fields[0].tag == 1 && net.fields[0].wire == Wire::Bytes &&
         is_name(net.fields[0].bytes) &&
         std::any_of(net.fields.begin() + 1, net.fields.end(), [](const MessageField& layer) {
           return (layer.tag == 100 || layer.tag == 2) && layer.wire == Wire::Bytes;
         });
}

/// Pieces of words, each with its text, beginning with that for unknown ones.
bool is_sentence_pieces(const SeenFile& file) {
  const Message model = message_of(file.bytes(), 2);
  if (model.fields.size() < 2 || model.fields[0].tag != 1 || model.fields[1].tag != 1) return false;
  const Message piece = message_of(model.fields[0].bytes, 3);
  return piece.fields.size() >= 2 && piece.fields[0].tag == 1 && piece.fields[1].tag == 2 &&
         piece.fields[0].bytes.starts_with("<") && piece.fields[0].bytes.ends_with(">");
}

/// The version of the format, and then fields of a model up to one that ends too early.
const MessageField* cut_field(const SeenFile& file, Message& model) {
  constexpr std::array<std::uint32_t, 12> kFields = {1, 2, 3, 4, 5, 6, 7, 8, 14, 20, 25, 26};
  model = message_of(file.bytes());
  const bool fits =
      model.fields.size() >= 2 && model.fields[0].tag == onnx::model_field::IrVersion &&
      model.fields[0].wire == Wire::Number && model.fields[0].number >= 1 &&
      model.fields[0].number <= 50 &&
      std::all_of(model.fields.begin(), model.fields.end(), [&](const MessageField& field) {
        return std::find(kFields.begin(), kFields.end(), field.tag) != kFields.end();
      });
  return fits && model.fields.back().missing > 0 ? &model.fields.back() : nullptr;
}

bool is_cut_onnx(const SeenFile& file) {
  Message model;
  return cut_field(file, model) != nullptr;
}

std::string what_is_missing(const SeenFile& file) {
  Message model;
  const MessageField* cut = cut_field(file, model);
  return fmt::format("{} or more of {}", shortened_bytes(static_cast<double>(cut->missing)),
                     shortened_bytes(static_cast<double>(cut->missing + file.bytes().size())));
}

constexpr std::array kMessageKinds = {
    FileKind{"saved-model", is_saved_model, "the graph of a TensorFlow SavedModel",
             "convert its folder: python -m tf2onnx.convert --saved-model {folder} --output "
             "model.onnx"},
    FileKind{"frozen-graph", is_frozen_graph, "a frozen TensorFlow graph (.pb)",
             "convert it: python -m tf2onnx.convert --graphdef {file} {detail} --output model.onnx",
             graph_flags},
    FileKind{"meta-graph", [](const SeenFile& file) { return is_meta_graph(file.bytes()); },
             "the graph of a TensorFlow checkpoint (.meta)",
             "convert it: python -m tf2onnx.convert --checkpoint {file} --inputs NAME:0 --outputs "
             "NAME:0 --output model.onnx"},
    FileKind{"paddle", is_paddle, "a PaddlePaddle model (.pdmodel)",
             "convert it: paddle2onnx {detail} --save_file model.onnx", paddle_files},
    FileKind{"core-ml", is_core_ml, "a Core ML model, which cannot be turned back into ONNX",
             kGiveSource},
    FileKind{"onnx-tensor", is_onnx_tensor, "an ONNX tensor, for example test data, not a model",
             "give the model's ONNX file, and the tensor with: jouletree profile MODEL --data "
             "NAME={file}"},
    FileKind{"sentence-pieces", is_sentence_pieces,
             "a tokenizer of SentencePiece, which turns text into numbers, not a model",
             "give an ONNX file"},
    FileKind{"cut-onnx", is_cut_onnx, "the beginning of an ONNX model: {detail} are missing",
             "download or export it again", what_is_missing},
    FileKind{"caffe-model", is_caffe_model, "a Caffe model (.caffemodel)", kGiveSource}};

}  // namespace

std::span<const FileKind> message_kinds() { return kMessageKinds; }

}  // namespace jouletree::model::foreign
