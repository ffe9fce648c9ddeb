#include "golden/other_files.hpp"

#include <fstream>
#include <string>

#include "support/zip_bytes.hpp"

namespace jouletree::test {
namespace {

void write(const std::filesystem::path& path, const std::string& bytes) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}

/// A field of a protobuf message, shorter than 128 bytes.
std::string field(unsigned tag, const std::string& bytes) {
  return std::string{static_cast<char>(tag << 3U | 2U), static_cast<char>(bytes.size())} + bytes;
}

std::string frozen_graph() {
  const auto node = [](const std::string& name, const std::string& op, const std::string& input) {
    return field(1, field(1, name) + field(2, op) + (input.empty() ? "" : field(3, input)));
  };
  return node("x", "Placeholder", "") + node("mul", "MatMul", "x") +
         node("probs", "Softmax", "mul");
}

/// JSON that was cut, or that holds something else than is expected.
void write_odd_json(const std::filesystem::path& folder) {
  const std::string predictor = R"({"format": "jouletree predictor", "version": 3)";
  write(folder / "cut.jsonl", R"({"model_name": "bert", "frontend_tree": {"id":)");
  write(folder / "pretty.jsonl", "{\n  \"model_name\": \"bert\"\n}\n");
  write(folder / "cut_predictor.json", predictor);
  write(folder / "odd_predictor.json", predictor + ",\n \"method\": }");
  write(folder / "odd_config.json", R"({"num_epochs": "many"})");
  write(folder / "damaged_profile/profile.json",
        R"({"format": "jouletree profile", "version": 1})");
  write(folder / "cut_profile/profile.json", R"({"format": "jouletree profile",)");
}

}  // namespace

void write_other_files(const std::filesystem::path& folder) {
  const std::string header = R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})";
  const std::string saved_model = std::string("\x08\x01", 2) + field(2, field(2, frozen_graph()));
  const std::string flatbuffer = std::string(20, '\0');
  write(folder / "bert/model.safetensors", little_endian(header.size(), 8) + header + "0000");
  write(folder / "bert/config.json", R"({"model_type": "bert"})");
  write(folder / "frozen.pb", frozen_graph());
  write(folder / "saved/saved_model.pb", saved_model);
  write(folder / "keras model.h5", "\x89HDF\r\n\x1A\n" + flatbuffer);
  write(folder / "model.keras",
        zip_bytes({{"config.json", "{}"}, {"model.weights.h5", "x"}, {"metadata.json", "{}"}}));
  write(folder / "mobile.tflite", little_endian(28, 4) + "TFL3" + flatbuffer);
  write(folder / "renamed.onnx", little_endian(28, 4) + "TFL3" + flatbuffer);
  write(folder / "llama.gguf", "GGUF" + little_endian(3, 4));
  write(folder / "pointer.onnx",
        "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 102400000\n");
  write(folder / "page.onnx", "<!DOCTYPE html><html><title>Sign in</title></html>\n");
  write(folder / "model.mar",
        zip_bytes({{"MAR-INF/MANIFEST.json", "{}"}, {"resnet18.pt", "x"}, {"handler.py", "x"}}));
  write(folder / "packed.zip", zip_bytes({{"net/encoder.onnx", "x"}, {"net/decoder.onnx", "x"}}));
  write(folder / "model.xml", "<?xml version=\"1.0\"?>\n<net name=\"m\" version=\"11\">\n<layers>");
  write(folder / "package/onnx/encoder.onnx", "x");
  write(folder / "package/onnx/decoder.onnx", "x");
  write(folder / "package/config.json", "{}");
  std::filesystem::create_directories(folder / "hollow_folder");
  write_odd_json(folder);
}

}  // namespace jouletree::test
