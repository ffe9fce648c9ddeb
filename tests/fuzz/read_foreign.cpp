#include <array>

#include "base/zip_archive.hpp"
#include "jouletree/error.hpp"
#include "memory_file.hpp"
#include "model/foreign/foreign.hpp"
#include "read_bytes.hpp"
#include "support/npy_bytes.hpp"
#include "support/zip_bytes.hpp"

namespace jouletree::test {
namespace {

/// Some kinds are told by the ending of the name.
constexpr std::array kNames = {"model.onnx",        "model.pt",       "model.pt2",  "model.h5",
                               "model.keras",       "model.tflite",   "model.pb",   "model.bin",
                               "model.safetensors", "model.gguf",     "params.npz", "model.xml",
                               "it's.json",         "variables.index"};

void look_into_archive(std::string_view bytes) {
  const auto entries = zip_entries(bytes);
  if (!entries) return;
  for (const ZipEntry& entry : *entries) {
    const auto packed = packed_bytes_of(bytes, entry);
    require(!packed || packed->size() == entry.packed_bytes);
  }
}

}  // namespace

void read_foreign_bytes(std::string_view bytes) {
  const std::size_t name = bytes.empty() ? 0 : static_cast<unsigned char>(bytes.back());
  const std::string path = std::string("/no/such/folder/") + kNames.at(name % kNames.size());
  require(!model::foreign::describe_file(path, bytes).empty());
  (void)model::foreign::describe_lost_content(path, bytes);
  look_into_archive(bytes);
}

std::vector<std::string> foreign_seeds() {
  const std::string array = npy_bytes<std::int32_t>("<i4", "(1, 2)", {1, 2});
  const auto tar = [](const std::string& name) {
    std::string header = name + std::string(512 - name.size(), '\0');
    header.replace(124, 11, "00000000000");
    header.replace(257, 5, "ustar");
    return header + std::string(1024, '\0');
  };
  return {
      zip_bytes({{"archive/data.pkl", "x"}, {"archive/version", "3"}}),
      zip_bytes({{"config.json", "{}", true}, {"model.weights.h5", "x"}}),
      zip_bytes({{"a.npy", array}}),
      array,
      tar("model/saved_model.pb"),
      "\x1F\x8B\x08" + std::string(7, '\0') + deflate(tar("weights.nemo")) + std::string(8, '\0'),
      "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n",
      "<!DOCTYPE html>\n<html></html>\n",
      R"({"model_type": "bert", "architectures": ["BertModel"]})",
      std::string("\x10\0\0\0\0\0\0\0{\"__metadata__\":{}}", 27),
      std::string("\x89HDF\r\n\x1A\n", 8) + std::string(64, '\0'),
      std::string("\x08\x01\x12\x04\x0A\x02x1\x1A\x03y:z", 13),
      std::string("\x80\x02}q\0.", 6)};
}

}  // namespace jouletree::test
