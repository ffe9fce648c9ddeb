// Files without a mark, told by their names and by what stands beside them.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "model/foreign/advice.hpp"
#include "model/foreign/file_kind.hpp"

namespace jouletree::model::foreign {
namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

/// A file beside this one, with another ending.
bool has_neighbour(const SeenFile& file, const char* ending) {
  fs::path neighbour = file.path();
  neighbour.replace_extension(ending);
  return neighbour != file.path() && is_file(neighbour);
}

/// "net.onnx" of "net.onnx.data", "net.onnx_data" and "net.data"; empty if it is not there.
fs::path model_of_data(const SeenFile& file) {
  const std::string name = file.path().filename().string();
  for (const std::string_view ending : {".onnx.data", ".onnx_data", ".data"}) {
    if (!name.ends_with(ending)) continue;
    fs::path model =
        file.path().parent_path() / (name.substr(0, name.size() - ending.size()) + ".onnx");
    if (is_file(model)) return model;
  }
  return {};
}

/// A format for devices, told by its ending.
struct Ending {
  std::string_view ending;
  std::string_view what;
};
constexpr std::array kDeviceEndings = {Ending{".mnn", "MNN"},
                                       Ending{".rknn", "Rockchip's RKNN"},
                                       Ending{".dlc", "Qualcomm's SNPE"},
                                       Ending{".om", "Huawei's Ascend"},
                                       Ending{".hef", "Hailo"},
                                       Ending{".xmodel", "AMD's Vitis AI"},
                                       Ending{".tnnmodel", "TNN"},
                                       Ending{".nb", "Paddle Lite"},
                                       Ending{".trt", "TensorRT"},
                                       Ending{".engine", "TensorRT"},
                                       Ending{".plan", "TensorRT"},
                                       Ending{".mlmodel", "Core ML"}};

const Ending* device_ending(const SeenFile& file) {
  for (const Ending& known : kDeviceEndings)
    if (file.is_called(known.ending)) return &known;
  return nullptr;
}

/// zlib's mark; scikit-learn's models are kept so.
bool is_joblib(const SeenFile& file) {
  return file.is_called(".joblib") || (file.is_called(".pkl") && file.has("x"));
}

bool is_tensorflow_weights(const SeenFile& file) {
  return file.path().filename().string().find(".data-0") != std::string::npos;
}

bool is_tfjs_weights(const SeenFile& file) {
  return file.is_called(".bin") && is_file(file.path().parent_path() / "model.json");
}

/// No mark and no structure is left to tell: zeros stand where a download has not come yet.
bool is_all_zero(const SeenFile& file) {
  return !file.head().empty() && file.head().find_first_not_of('\0') == std::string_view::npos;
}

constexpr std::array kNamedKinds = {
    FileKind{"onnx-weights", [](const SeenFile& file) { return !model_of_data(file).empty(); },
             "the weights of an ONNX model", "give the model beside it: {detail}",
             [](const SeenFile& file) { return shell_word(model_of_data(file).string()); }},
    FileKind{"zeros", is_all_zero, "a file that begins with zeros, as unfinished downloads do",
             "download it again"},
    FileKind{
        "openvino-weights",
        [](const SeenFile& file) { return file.is_called(".bin") && has_neighbour(file, ".xml"); },
        "probably the weights of the OpenVINO model beside it", kGiveSource},
    FileKind{"ncnn-weights",
             [](const SeenFile& file) {
               return file.is_called(".bin") && has_neighbour(file, ".param");
             },
             "probably the weights of the ncnn model beside it", kGiveSource},
    FileKind{"tfjs-weights", is_tfjs_weights,
             "probably the weights of the TensorFlow.js model beside it",
             "convert that: python -m tf2onnx.convert --tfjs {detail} --output model.onnx",
             [](const SeenFile& file) {
               return shell_word((file.path().parent_path() / "model.json").string());
             }},
    FileKind{"tensorflow-weights", is_tensorflow_weights,
             "probably the weights of a TensorFlow model, without its graph", kSaveTensorFlow},
    FileKind{"flax", [](const SeenFile& file) { return file.is_called(".msgpack"); },
             "probably the weights of a Flax model, without its graph",
             "load them into the PyTorch model with from_pretrained('{detail}', from_flax=True) "
             "and export that with torch.onnx.export",
             [](const SeenFile& file) { return file.folder_word(); }},
    FileKind{"joblib", is_joblib, "probably a scikit-learn model that joblib wrote",
             "load it in Python and convert it: skl2onnx.to_onnx(model, X[:1]), then write the "
             "bytes of its SerializeToString()"},
    FileKind{"boosted-trees-binary",
             [](const SeenFile& file) {
               return file.has("CBM1") || file.has("binf") || file.has("{L") ||
                      file.is_called(".bst");
             },
             "probably a model of XGBoost or CatBoost", kConvertTrees},
    FileKind{"device", [](const SeenFile& file) { return device_ending(file) != nullptr; },
             "by its name a model for {detail}, which cannot be turned back into ONNX", kGiveSource,
             [](const SeenFile& file) { return std::string(device_ending(file)->what); }}};

}  // namespace

std::span<const FileKind> last_kinds() { return kNamedKinds; }

std::string paddle_files(const SeenFile& file) {
  const std::string stem = file.path().stem().string();
  return fmt::format("--model_dir {} --model_filename {} --params_filename {}", file.folder_word(),
                     shell_word(file.path().filename().string()), shell_word(stem + ".pdiparams"));
}

}  // namespace jouletree::model::foreign
