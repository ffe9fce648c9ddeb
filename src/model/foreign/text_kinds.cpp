// Texts: web pages, settings, models that other programs write as text.
#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "model/foreign/advice.hpp"
#include "model/foreign/file_kind.hpp"

namespace jouletree::model::foreign {
namespace {

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::string small_letters(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](char letter) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  });
  return result;
}

bool is_html(const SeenFile& file) {
  const std::string begin = small_letters(file.text().substr(0, 256));
  return begin.starts_with("<!doctype html") || begin.starts_with("<head") ||
         (begin.starts_with("<") && contains(begin, "<html"));
}

bool is_xml(const SeenFile& file) {
  return file.text().starts_with("<?xml") || file.text().starts_with("<!--") ||
         file.text().starts_with("<net ");
}

/// What a store answers in place of a file that it may not or cannot give.
bool is_storage_error(const SeenFile& file) {
  return is_xml(file) && contains(file.text(), "<Error>") && contains(file.text(), "<Code>");
}

bool is_openvino(const SeenFile& file) {
  return is_xml(file) && contains(file.text(), "<net ") && contains(file.text(), "<layers");
}

bool is_json(const SeenFile& file) {
  return file.text().starts_with("{") || file.text().starts_with("[{") ||
         file.text().starts_with("[\n");
}

bool is_json_with(const SeenFile& file, std::string_view key) {
  return is_json(file) && contains(file.text(), fmt::format("\"{}\"", key));
}

bool is_hugging_face_config(const SeenFile& file) {
  return is_json_with(file, "weight_map") || is_json_with(file, "model_type") ||
         is_json_with(file, "architectures");
}

bool is_ours(const SeenFile& file) {
  return is_json_with(file, "frontend_tree") ||
         (is_json(file) && contains(file.text(), "\"jouletree "));
}

bool is_onnx_text(const SeenFile& file) {
  const std::string_view begin = file.text().substr(0, 512);
  return (begin.starts_with("<") && contains(begin, "ir_version") &&
          contains(begin, "opset_import")) ||
         begin.starts_with("ir_version:") || is_json_with(file, "irVersion");
}

bool is_caffe(const SeenFile& file) {
  return contains(file.text(), "layer {") || contains(file.text(), "layers {") ||
         contains(file.text(), "layer{");
}

/// What XGBoost writes as JSON, or LightGBM as lines.
bool is_boosted_trees(const SeenFile& file) {
  return is_json_with(file, "learner") || file.text().starts_with("tree\nversion=") ||
         file.text().starts_with("tree\r\nversion=");
}

/// TensorFlow's graph, its checkpoint's list.
bool is_tensorflow_text(const SeenFile& file) {
  return (file.text().starts_with("node {") && contains(file.text(), "op:")) ||
         file.text().starts_with("model_checkpoint_path:");
}

bool is_darknet(const SeenFile& file) {
  return file.text().starts_with("[net]") || file.text().starts_with("[network]") ||
         contains(file.text(), "\n[net]") || contains(file.text(), "\n[convolutional]");
}

/// Three small version numbers, then the count of training images; there is no mark.
bool is_darknet_weights(const SeenFile& file) {
  return file.is_called(".weights") && file.number(0, 4) == 0U &&
         file.number(4, 4).value_or(9) <= 2;
}

std::string first_words(const SeenFile& file) {
  constexpr std::size_t kLongest = 60;
  std::string line(file.text().substr(0, file.text().find_first_of("\r\n")));
  if (line.size() <= kLongest) return line;
  line.resize(kLongest);
  // Not in the middle of a letter.
  while (!line.empty() && (static_cast<unsigned char>(line.back()) & 0xC0U) == 0x80U)
    line.pop_back();
  if (!line.empty() && static_cast<unsigned char>(line.back()) >= 0xC0U) line.pop_back();
  return line + "…";
}

constexpr std::array kTextKinds = {
    FileKind{"html", is_html, "a web page, not a model",
             "the download gave an error, a log-in or a preview page: take the address of the file "
             "itself ('resolve' in place of 'blob' on Hugging Face, 'raw' on GitHub)"},
    FileKind{"storage-error", is_storage_error, "the error message of a web store, not a model",
             "look at it, and download the model again"},
    FileKind{"openvino", is_openvino, "an OpenVINO model, which cannot be turned back into ONNX",
             kGiveSource},
    FileKind{"pmml",
             [](const SeenFile& file) { return is_xml(file) && contains(file.text(), "<PMML"); },
             "a model in PMML, which cannot be turned into ONNX", kGiveSource},
    FileKind{"xml", is_xml, "an XML file, not a model", "give an ONNX file"},
    FileKind{"ncnn", [](const SeenFile& file) { return file.text().starts_with("7767517"); },
             "an ncnn or pnnx model, which cannot be turned back into ONNX", kGiveSource},
    FileKind{"onnx-text", is_onnx_text, "an ONNX model written as text",
             "turn it into a binary one in Python, under an ending that onnx.load knows "
             "(.onnxtxt, .textproto, .json): onnx.save(onnx.load('{path}'), 'model.onnx')"},
    FileKind{"jouletree", is_ours, "a file that JouleTree wrote, not a model",
             "give the model's own file; train and evaluate read tree files, show reads folders"},
    FileKind{"tfjs", [](const SeenFile& file) { return is_json_with(file, "modelTopology"); },
             "a TensorFlow.js model",
             "convert it: python -m tf2onnx.convert --tfjs {file} --output model.onnx"},
    FileKind{"hugging-face", is_hugging_face_config,
             "a configuration file of Hugging Face, not the model itself",
             "export the model in its folder: optimum-cli export onnx --model {folder} onnx_model"},
    FileKind{"tokenizer",
             [](const SeenFile& file) {
               return file.is_called("tokenizer.json") || file.is_called("tokenizer_config.json");
             },
             "a tokenizer, which turns text into numbers, not a model", "give an ONNX file"},
    FileKind{"paddle-json", [](const SeenFile& file) { return is_json_with(file, "base_code"); },
             "a PaddlePaddle model (.json)",
             "convert it: paddle2onnx {detail} --save_file model.onnx", paddle_files},
    FileKind{"adapter", [](const SeenFile& file) { return is_json_with(file, "peft_type"); },
             "the configuration of an adapter (LoRA), not a model", kMergeAdapter},
    FileKind{"boosted-trees", is_boosted_trees, "a model of XGBoost or LightGBM", kConvertTrees},
    FileKind{"json", is_json, "a JSON file that begins with \"{detail}\", not a model",
             "give an ONNX file; if it was downloaded, the text may say what went wrong",
             first_words},
    FileKind{"tensorflow-text", is_tensorflow_text,
             "a TensorFlow graph or the list of a checkpoint, written as text", kSaveTensorFlow},
    FileKind{"darknet", is_darknet, "the configuration of a Darknet network (.cfg)",
             "load it with its weights into PyTorch and export it: torch.onnx.export(model, "
             "example, 'model.onnx')"},
    FileKind{"darknet-weights", is_darknet_weights,
             "the weights of a Darknet network, which holds no graph",
             "load them with their .cfg into PyTorch and export it: torch.onnx.export(model, "
             "example, 'model.onnx')"},
    FileKind{"caffe", is_caffe, "the description of a Caffe network (.prototxt)", kGiveSource},
    FileKind{"python",
             [](const SeenFile& file) { return file.is_called(".py") && !file.text().empty(); },
             "Python code, not a model", kExportFromTorch},
    FileKind{"text", [](const SeenFile& file) { return !file.text().empty(); },
             "a text file that begins with \"{detail}\", not a model",
             "give an ONNX file; if it was downloaded, the text may say what went wrong",
             first_words}};

}  // namespace

std::span<const FileKind> text_kinds() { return kTextKinds; }

}  // namespace jouletree::model::foreign
