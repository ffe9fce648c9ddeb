// Files that a mark in their first bytes gives away.
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "base/number_format.hpp"
#include "model/foreign/advice.hpp"
#include "model/foreign/file_kind.hpp"

namespace jouletree::model::foreign {
namespace {

bool is_lfs_pointer(const SeenFile& file) {
  return file.text().starts_with("version https://git-lfs.github.com/spec/") ||
         file.text().starts_with("version https://hawser.github.com/spec/");
}

std::string size_in_pointer(const SeenFile& file) {
  const std::size_t line = file.text().find("\nsize ");
  if (line == std::string_view::npos) return "";
  const std::string_view digits = file.text().substr(line + 6);
  std::int64_t bytes = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), bytes);
  return parsed.ec == std::errc{} && bytes > 0
             ? fmt::format(" of {}", shortened_bytes(static_cast<double>(bytes)))
             : "";
}

/// The length of a JSON text, then the text: names, types and places of tensors.
bool is_safetensors(const SeenFile& file) {
  constexpr std::uint64_t kLongestHeader = 100'000'000;
  const auto header = file.number(0, 8);
  return header && *header >= 2 && *header <= kLongestHeader && file.has("{", 8) &&
         (file.has("}", 9) || file.has("\"", 9) ||
          file.head().find("\"dtype\"") != std::string_view::npos ||
          file.head().find("\"__metadata__\"") != std::string_view::npos);
}

bool is_ggml(const SeenFile& file) {
  // Older files hold the mark as a number, lowest byte first.
  for (const std::string_view mark : {"GGUF", "lmgg", "tjgg", "fmgg", "algg"})
    if (file.has(mark)) return true;
  return false;
}

/// The plan itself, or Ultralytics' file: the length of a JSON text, the text, the plan.
bool is_tensorrt(const SeenFile& file) {
  if (file.has("ftrt") || file.has("ptrt")) return true;
  const auto header = file.number(0, 4);
  return header && file.has("{", 4) && file.has("ftrt", 4 + *header);
}

bool is_picture(const SeenFile& file) {
  for (const std::string_view mark : {"\x89PNG", "\xFF\xD8\xFF", "GIF8", "%PDF-"})
    if (file.has(mark)) return true;
  return file.has("RIFF") || file.has("ftyp", 4) || file.has("OggS") || file.has("fLaC");
}

/// Of Linux, Windows and macOS.
bool is_program(const SeenFile& file) {
  for (const std::string_view mark : {"\x7F"
                                      "ELF",
                                      "MZ", "\xCF\xFA\xED\xFE"})
    if (file.has(mark)) return true;
  return false;
}

/// TensorFlow keeps the list of a checkpoint's tensors as a sorted table.
bool is_checkpoint_index(const SeenFile& file) {
  return file.bytes().ends_with("\x57\xFB\x80\x8B\x24\x75\x47\xDB");
}

constexpr std::array kMarkedKinds = {
    FileKind{"empty", [](const SeenFile& file) { return file.bytes().empty(); }, "an empty file",
             "download or export it again"},
    FileKind{"git-lfs", is_lfs_pointer,
             "a Git LFS pointer, which stands for a file{detail} that was not downloaded",
             "run 'git lfs pull' in {folder}", size_in_pointer},
    FileKind{"git-annex",
             [](const SeenFile& file) { return file.text().starts_with("/annex/objects/"); },
             "a git-annex pointer, which stands for a file that was not downloaded",
             "run 'git annex get {file}'"},
    FileKind{"safetensors", is_safetensors, "a safetensors file, which holds weights but no graph",
             "export the model that they belong to, which needs its config.json beside them: "
             "optimum-cli export onnx --model {folder} onnx_model"},
    FileKind{
        "gguf", is_ggml,
        "a file of llama.cpp or another GGML program, which holds quantised weights but no graph",
        "export the original model: optimum-cli export onnx --model NAME_ON_HUGGING_FACE "
        "onnx_model"},
    FileKind{"tflite", [](const SeenFile& file) { return file.has("TFL3", 4); },
             "a TensorFlow Lite model",
             "convert it: python -m tf2onnx.convert --tflite {file} --output model.onnx"},
    FileKind{"ort", [](const SeenFile& file) { return file.has("ORTM", 4); },
             "a model in ONNX Runtime's own format (.ort), which cannot be turned back into ONNX",
             "give the ONNX file that it was made from"},
    FileKind{"executorch",
             [](const SeenFile& file) { return file.has("ET", 4) && file.has("eh", 8); },
             "an ExecuTorch program", kExportFromTorch},
    FileKind{"torch-mobile", [](const SeenFile& file) { return file.has("PTMF", 4); },
             "a PyTorch Mobile model in flatbuffer form", kExportFromTorch},
    FileKind{"hdf5", [](const SeenFile& file) { return file.has("\x89HDF\r\n\x1A\n"); },
             "an HDF5 file, the older format of Keras",
             "if it holds a whole model, give it to the Python package, which exports it with "
             "tensorflow and tf2onnx: jouletree.inspect('{path}') or jouletree.profile('{path}'); "
             "if it holds weights only, load them into the model first"},
    FileKind{"npy", [](const SeenFile& file) { return file.has("\x93NUMPY"); },
             "a NumPy array, not a model",
             "give the model's ONNX file, and the array with: jouletree profile MODEL --data "
             "NAME={file}"},
    FileKind{"tensorrt", is_tensorrt,
             "a TensorRT engine, which holds compiled kernels for one graphics card",
             "give the ONNX file that it was built from"},
    FileKind{"ncnn-binary",
             [](const SeenFile& file) { return file.has(std::string_view("\xDD\x85\x76\0", 4)); },
             "an ncnn model in binary form", "give the ONNX file that it was made from"},
    FileKind{"picture", is_picture, "a picture, a sound, a film or a document, not a model",
             "give an ONNX file; data for inputs are given with --data"},
    FileKind{"program", is_program, "a compiled program or library",
             "give the ONNX file that it was compiled from"},
    FileKind{"sqlite", [](const SeenFile& file) { return file.has("SQLite format 3"); },
             "an SQLite database, not a model", "give an ONNX file"},
    FileKind{"tf-checkpoint", is_checkpoint_index,
             "the index of a TensorFlow checkpoint, which holds weights but no graph",
             kSaveTensorFlow}};

}  // namespace

std::span<const FileKind> marked_kinds() { return kMarkedKinds; }

}  // namespace jouletree::model::foreign
