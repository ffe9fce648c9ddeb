#include <filesystem>
#include <fstream>
#include <iostream>

#include "seed_models.hpp"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: make_fuzz_corpus FOLDER\n";
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);
  for (const auto& model : jouletree::test::seed_models()) {
    std::ofstream file(folder / (model.name + ".onnx"), std::ios::binary);
    file << model.bytes;
    if (!file.flush()) {
      std::cerr << "make_fuzz_corpus: cannot write to " << folder << '\n';
      return 1;
    }
  }
  return 0;
}
