// What a folder that was given in the place of a model file holds.
#include <algorithm>
#include <array>
#include <initializer_list>
#include <span>

#include <fmt/format.h>

#include "base/mapped_file.hpp"
#include "model/foreign/advice.hpp"
#include "model/foreign/foreign.hpp"
#include "model/foreign/seen_file.hpp"

namespace jouletree::model::foreign {
namespace {

namespace fs = std::filesystem;

/// Files in a folder and below it, with paths that begin at the folder; its own come first.
std::vector<fs::path> files_below(const fs::path& folder) {
  constexpr std::size_t kMostFiles = 20'000;
  constexpr int kDeepest = 4;
  std::vector<fs::path> files;
  std::error_code error;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && at != fs::recursive_directory_iterator() && files.size() < kMostFiles;
       at.increment(error)) {
    if (at.depth() >= kDeepest) at.disable_recursion_pending();
    std::error_code ignored;
    if (at->is_regular_file(ignored)) files.push_back(at->path().lexically_relative(folder));
  }
  std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) {
    const auto depth = [](const fs::path& path) { return std::distance(path.begin(), path.end()); };
    return std::pair(depth(a), a) < std::pair(depth(b), b);
  });
  return files;
}

std::vector<std::string> ending_in(const std::vector<fs::path>& files, const fs::path& folder,
                                   std::span<const std::string_view> endings) {
  std::vector<std::string> found;
  for (const fs::path& file : files) {
    const std::string name = file.string();
    if (std::any_of(endings.begin(), endings.end(),
                    [&](std::string_view ending) { return name.ends_with(ending); }))
      found.push_back((folder / file).string());
  }
  return found;
}

std::vector<std::string> ending_in(const std::vector<fs::path>& files, const fs::path& folder,
                                   std::initializer_list<std::string_view> endings) {
  return ending_in(files, folder, std::span(endings.begin(), endings.size()));
}

/// One row: a file that gives the folder away, by its path or the end of it.
struct FolderKind {
  std::string_view name;
  std::string_view holds;
  std::string_view what;
  std::string_view advice;  ///< {folder} is the folder as a word of a command line.
};

constexpr std::string_view kOptimum =
    "export it: optimum-cli export onnx --model {folder} onnx_model";

constexpr std::array kFolderKinds = {
    FolderKind{"saved-model", "saved_model.pb", "a TensorFlow SavedModel",
               "convert it: python -m tf2onnx.convert --saved-model {folder} --output model.onnx"},
    FolderKind{"profile", "profile.json", "what jouletree profile wrote, not a model",
               "see it with: jouletree show {folder}"},
    FolderKind{"recording", "power_metrics.json", "a recording, not a model",
               "see it with: jouletree show {folder}"},
    FolderKind{"core-ml", "Data/com.apple.CoreML/model.mlmodel",
               "a Core ML package, which cannot be turned back into ONNX", kGiveSource},
    FolderKind{"compiled-core-ml", "coremldata.bin",
               "a compiled Core ML model, which cannot be turned back into ONNX", kGiveSource},
    FolderKind{"tensorrt", ".engine",
               "a folder of TensorRT engines, compiled for one graphics card", kGiveSource},
    FolderKind{"adapter", "adapter_config.json", "an adapter (LoRA), not a whole model",
               kMergeAdapter},
    FolderKind{"keras", "model.weights.h5", "a Keras model that was unpacked",
               "zip its files again under a name that ends in .keras, and give that to the Python "
               "package: jouletree.inspect('model.keras')"},
    FolderKind{"hugging-face", "config.json", "a model of Hugging Face without an ONNX file",
               kOptimum},
    FolderKind{"hugging-face-parts", ".index.json",
               "a model of Hugging Face without its config.json",
               "download that as well, and export it: optimum-cli export onnx --model {folder} "
               "onnx_model"},
    FolderKind{"tfjs", "model.json", "a TensorFlow.js model",
               "convert it: python -m tf2onnx.convert --tfjs {folder}/model.json --output "
               "model.onnx"},
    FolderKind{"ncnn", ".param", "an ncnn or pnnx model, which cannot be turned back into ONNX",
               kGiveSource},
    FolderKind{"openvino", ".xml", "a folder without an ONNX file; it may hold an OpenVINO model",
               kGiveSource},
    FolderKind{"paddle", ".pdmodel", "a PaddlePaddle model",
               "convert it: paddle2onnx --model_dir {folder} --model_filename inference.pdmodel "
               "--params_filename inference.pdiparams --save_file model.onnx"},
    FolderKind{"paddle-json", ".pdiparams", "a PaddlePaddle model",
               "convert it: paddle2onnx --model_dir {folder} --model_filename inference.json "
               "--params_filename inference.pdiparams --save_file model.onnx"},
    FolderKind{"tf-checkpoint", ".ckpt.meta", "a TensorFlow checkpoint",
               "write the model with tf.saved_model.save(model, 'saved_model') and convert it: "
               "python -m tf2onnx.convert --saved-model saved_model --output model.onnx"}};

const FolderKind* folder_kind_of(const std::vector<fs::path>& files) {
  for (const FolderKind& kind : kFolderKinds) {
    const bool is_ending = kind.holds.starts_with(".");
    const auto gives_away = [&](const fs::path& file) {
      return is_ending ? file.string().ends_with(kind.holds) : file == fs::path(kind.holds);
    };
    if (std::any_of(files.begin(), files.end(), gives_away)) return &kind;
  }
  return nullptr;
}

}  // namespace

std::string describe_folder(const fs::path& path) {
  const std::vector<fs::path> files = files_below(path);
  if (const auto models = ending_in(files, path, {".onnx", ".pt2"}); !models.empty()) {
    const auto all = ending_in(files, path, {".onnx", ".pt2", ".pt", ".ptl"});
    return fmt::format(
        "this is a folder; give {} {}",
        all.size() == 1 ? "the model in it:" : "one of the models in it:", some_names(all));
  }
  if (const FolderKind* kind = folder_kind_of(files)) {
    return fmt::format(
        "this is {}; {}", kind->what,
        fmt::format(fmt::runtime(kind->advice), fmt::arg("folder", shell_word(path.string()))));
  }
  if (const auto found = ending_in(files, path, {".pt", ".ptl"}); !found.empty()) {
    return fmt::format("this is a folder without an ONNX file; give a model file in it: {}",
                       some_names(found));
  }
  constexpr std::string_view kOthers[] = {".pth",  ".keras", ".h5", ".tflite", ".safetensors",
                                          ".gguf", ".bin",   ".pb", ".zip",    ".gz"};
  for (const std::string_view ending : kOthers) {
    const auto found = ending_in(files, path, {ending});
    if (found.empty()) continue;
    std::vector<std::string> others = ending_in(files, path, kOthers);
    std::erase(others, found[0]);
    const std::string of_first = describe_file(found[0], MappedFile(found[0]).bytes());
    return fmt::format("this is a folder without an ONNX file; of {} in it: {}{}", found[0],
                       of_first, others.empty() ? "" : "; it also has " + some_names(others));
  }
  return files.empty() ? "this is an empty folder; give a model file"
                       : "this is a folder without a model that is known here; give a model file";
}

}  // namespace jouletree::model::foreign
