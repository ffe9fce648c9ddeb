// Pickles, and archives by what is in them. Nothing is unpickled or unpacked to disk.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "model/foreign/advice.hpp"
#include "model/foreign/file_kind.hpp"
#include "model/foreign/packed_names.hpp"
#include "model/torchscript/archive.hpp"

namespace jouletree::model::foreign {
namespace {

constexpr std::string_view kGzipMark = "\x1F\x8B";

bool is_archive(const SeenFile& file, torchscript::Archive kind) {
  return torchscript::archive_of(file.bytes()) == kind;
}

bool holds(const SeenFile& file, std::string_view ending) {
  return std::any_of(file.entries().begin(), file.entries().end(),
                     [&](const ZipEntry& entry) { return entry.name.ends_with(ending); });
}

bool is_pickle(const SeenFile& file) {
  return file.bytes().size() > 2 && file.has("\x80") &&
         is_archive(file, torchscript::Archive::Checkpoint);
}

bool is_checkpoint(const SeenFile& file) {
  return is_archive(file, torchscript::Archive::Checkpoint);
}

/// What is pickled, as far as it names its classes near its beginning.
std::string_view pickled(const SeenFile& file) {
  constexpr std::size_t kLooked = std::size_t{1} << 20U;
  if (is_pickle(file)) return file.bytes().substr(0, kLooked);
  for (const ZipEntry& entry : file.entries()) {
    if (!entry.name.ends_with("data.pkl")) continue;
    return packed_bytes_of(file.bytes(), entry).value_or("").substr(0, kLooked);
  }
  return "";
}

/// Whether it is named as people name what PyTorch saves.
bool has_torch_ending(const SeenFile& file) {
  const std::filesystem::path ending = file.path().extension();
  return ending == ".pt" || ending == ".pth" || ending == ".ckpt";
}

/// PyTorch's own number, a class of it, or its ending; a zip of this form is always PyTorch's.
bool is_torch_checkpoint(const SeenFile& file) {
  constexpr std::string_view kTorchNumber = "l\xFC\x9C\x46\xF9\x20\x6A\xA8\x50\x19";
  return is_checkpoint(file) && (!is_pickle(file) || has_torch_ending(file) ||
                                 pickled(file).find(kTorchNumber) != std::string_view::npos ||
                                 pickled(file).find("torch") != std::string_view::npos);
}

bool is_scikit_learn(const SeenFile& file) {
  return is_pickle(file) && pickled(file).find("sklearn") != std::string_view::npos;
}

bool is_ultralytics(const SeenFile& file) {
  return is_torch_checkpoint(file) && pickled(file).find("ultralytics") != std::string_view::npos;
}

bool is_hugging_face_checkpoint(const SeenFile& file) {
  std::error_code ignored;
  return is_torch_checkpoint(file) &&
         std::filesystem::exists(file.path().parent_path() / "config.json", ignored);
}

bool is_npz(const SeenFile& file) {
  return !file.entries().empty() &&
         std::all_of(file.entries().begin(), file.entries().end(),
                     [](const ZipEntry& entry) { return entry.name.ends_with(".npy"); });
}

bool is_keras(const SeenFile& file) {
  return holds(file, "model.weights.h5") && holds(file, "config.json");
}

bool is_tar_of_any_kind(const SeenFile& file) {
  return is_tar(file.bytes()) || (file.has(kGzipMark) && !packed_tar_names(file.bytes()).empty());
}

std::vector<std::string> names_in(const SeenFile& file) {
  std::vector<std::string> names;
  for (const ZipEntry& entry : file.entries())
    if (!entry.name.ends_with("/")) names.emplace_back(entry.name);
  if (is_tar(file.bytes())) names = tar_names(file.bytes());
  if (file.has(kGzipMark)) names = packed_tar_names(file.bytes());
  return names;
}

/// What in an archive can be read, or else be converted; nothing if none of it is known.
std::vector<std::string> models_in(const SeenFile& file) {
  const std::vector<std::string> names = names_in(file);
  for (const std::string_view ending :
       {".onnx", ".tflite", "saved_model.pb", ".keras", ".h5", ".safetensors", ".pt2", ".pt",
        ".pth", ".ckpt", ".mlmodel", ".pb", ".gguf", "pytorch_model.bin", ".zip", ".tar.gz", ".tgz",
        ".tar"}) {
    std::vector<std::string> models;
    for (const std::string& name : names)
      if (name.ends_with(ending)) models.push_back(name);
    if (!models.empty()) return models;
  }
  return {};
}

bool is_nemo(const SeenFile& file) {
  if (!is_tar_of_any_kind(file)) return false;
  const std::vector<std::string> names = names_in(file);
  const auto has = [&](std::string_view ending) {
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return name.ends_with(ending); });
  };
  return has("model_config.yaml") && (has(".ckpt") || has("model_weights"));
}

std::string what_to_unpack(const SeenFile& file) {
  const std::vector<std::string> models = models_in(file);
  const std::string word = file.file_word();
  const std::string command =
      file.has(kZipMark) ? fmt::format("unzip {}", word)
                         : fmt::format("tar {} {}", file.has(kGzipMark) ? "-xzf" : "-xf", word);
  if (models.empty()) {
    const std::vector<std::string> names = names_in(file);
    return names.empty() ? "it is empty; give a model file"
                         : fmt::format(
                               "it holds {} but no model that JouleTree knows; give "
                               "an ONNX file",
                               some_names(names));
  }
  return fmt::format("unpack it with '{}' and give {}{}", command,
                     models.size() > 1 ? "one of " : "", some_names(models));
}

struct Packer {
  std::string_view mark;
  std::string_view program;
  std::string_view keeps;   ///< The flag with which it leaves the packed file alone.
  std::string_view ending;  ///< Without it, it refuses; empty where it does not look.
};

constexpr std::array kPackers = {Packer{kGzipMark, "gunzip", " -k", ".gz"},
                                 Packer{std::string_view("\xFD"
                                                         "7zXZ\0",
                                                         6),
                                        "unxz", " -k", ".xz"},
                                 Packer{"\x28\xB5\x2F\xFD", "unzstd", "", ".zst"},
                                 Packer{"BZh", "bunzip2", " -k", ".bz2"},
                                 Packer{"\x04\x22\x4D\x18", "unlz4", " -k", ".lz4"},
                                 Packer{"7z\xBC\xAF\x27\x1C", "7z x", "", ""},
                                 Packer{"Rar!\x1A\x07", "unrar x", "", ""}};

const Packer* packer_of(const SeenFile& file) {
  for (const Packer& packer : kPackers)
    if (file.has(packer.mark)) return &packer;
  return nullptr;
}

std::string unpack_command(const SeenFile& file) {
  if (file.path().stem().extension() == ".tar") return "tar -xf " + file.file_word();
  const Packer& packer = *packer_of(file);
  if (packer.ending.empty() || file.path().extension() == packer.ending)
    return fmt::format("{}{} {}", packer.program, packer.keeps, file.file_word());
  return fmt::format("{} < {} > unpacked.onnx", packer.program, file.file_word());
}

constexpr std::array kArchiveKinds = {
    FileKind{"mar", [](const SeenFile& file) { return holds(file, "MAR-INF/MANIFEST.json"); },
             "a model archive of TorchServe (.mar)", "{detail}", what_to_unpack},
    FileKind{"scikit-learn", is_scikit_learn, "a pickled scikit-learn model",
             "load it in Python and convert it: skl2onnx.to_onnx(model, X[:1]), then write the "
             "bytes of its SerializeToString()"},
    FileKind{"ultralytics", is_ultralytics, "a checkpoint of Ultralytics YOLO",
             "export it: yolo export model={file} format=onnx"},
    FileKind{"hugging-face-checkpoint", is_hugging_face_checkpoint,
             "a pickled PyTorch checkpoint, which holds weights but no graph",
             "export the model in its folder: optimum-cli export onnx --model {folder} onnx_model"},
    FileKind{"checkpoint", is_torch_checkpoint,
             "a pickled PyTorch checkpoint, which cannot be read without its Python code",
             "load it in Python, and count it there with jouletree.inspect(model, x), or write it "
             "with torch.export.save(torch.export.export(model, (x,)), 'model.pt2') or "
             "torch.onnx.export(model, (x,), 'model.onnx')"},
    FileKind{"pickle", is_checkpoint, "a Python pickle, which cannot be read without its code",
             "load it in Python; if it is a model, export it to ONNX there, and give that file"},
    FileKind{"pt2",
             [](const SeenFile& file) {
               return is_archive(file, torchscript::Archive::ExportedProgram);
             },
             "a program of torch.export (.pt2), which inspect, compare, predict and profile can "
             "read, but which is no ONNX file",
             "turn it into ONNX in Python: torch.onnx.export(torch.export.load('{path}'), "
             "f='model.onnx', dynamo=True)"},
    FileKind{
        "torchscript",
        [](const SeenFile& file) { return is_archive(file, torchscript::Archive::TorchScript); },
        "a TorchScript model, which inspect, compare, predict and profile can read, but which "
        "is no ONNX file",
        kExportFromTorch},
    FileKind{
        "old-torchscript",
        [](const SeenFile& file) { return is_archive(file, torchscript::Archive::OldTorchScript); },
        "a TorchScript file of a format that PyTorch gave up before version 1.4",
        "load and save it again with a newer PyTorch"},
    FileKind{"keras", is_keras, "a Keras model (.keras)",
             "give it to the Python package, which exports it with tensorflow and tf2onnx: "
             "jouletree.inspect('{path}') or jouletree.profile('{path}')"},
    FileKind{"npz", is_npz, "an archive of NumPy arrays (.npz), not a model",
             "give the model's ONNX file, and the arrays with: jouletree profile MODEL --data "
             "{file}"},
    FileKind{"cut-zip",
             [](const SeenFile& file) { return file.has(kZipMark) && !zip_entries(file.bytes()); },
             "a zip archive or a file of PyTorch whose end is missing", "download it again"},
    FileKind{"zip", [](const SeenFile& file) { return file.has(kZipMark); }, "a zip archive",
             "{detail}", what_to_unpack},
    FileKind{"empty-zip", [](const SeenFile& file) { return file.has("PK\x05\x06"); },
             "an empty zip archive", "download or pack it again"},
    FileKind{"nemo", is_nemo, "a model of NVIDIA NeMo (.nemo)",
             "load it with NeMo's restore_from('{path}') and export it with "
             "model.export('model.onnx')"},
    FileKind{"tar", is_tar_of_any_kind, "a tar archive", "{detail}", what_to_unpack},
    FileKind{"packed", [](const SeenFile& file) { return packer_of(file) != nullptr; },
             "a compressed file", "unpack it with '{detail}' and give the model in it",
             unpack_command}};

}  // namespace

std::span<const FileKind> archive_kinds() { return kArchiveKinds; }

}  // namespace jouletree::model::foreign
