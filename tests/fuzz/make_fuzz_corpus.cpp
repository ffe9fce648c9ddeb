#include <filesystem>
#include <fstream>
#include <iostream>

#include "read_bytes.hpp"
#include "request_bytes.hpp"
#include "seed_models.hpp"
#include "seed_programs.hpp"

namespace {

bool write(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  if (file.flush()) return true;
  std::cerr << "make_fuzz_corpus: cannot write " << path << '\n';
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: make_fuzz_corpus FOLDER\n";
    return 2;
  }
  const std::filesystem::path models = std::filesystem::path(argv[1]) / "onnx";
  const std::filesystem::path programs = std::filesystem::path(argv[1]) / "pt2";
  std::filesystem::create_directories(models);
  std::filesystem::create_directories(programs);
  bool written = true;
  for (const auto& model : jouletree::test::seed_models())
    written = written && write(models / (model.name + ".onnx"), model.bytes);
  for (const auto& [name, program] : jouletree::test::seed_programs()) {
    written = written && write(programs / (name + ".json"), program.json()) &&
              write(programs / (name + ".pt2"), program.bytes());
  }
  for (const jouletree::test::OtherReader& reader : jouletree::test::other_readers()) {
    const std::filesystem::path folder = std::filesystem::path(argv[1]) / reader.name;
    std::filesystem::create_directories(folder);
    for (std::size_t i = 0; i < reader.seeds.size(); ++i)
      written = written && write(folder / std::to_string(i), reader.seeds[i]);
  }
  const std::filesystem::path requests = std::filesystem::path(argv[1]) / "request";
  std::filesystem::create_directories(requests);
  const auto seeds = jouletree::test::seed_requests();
  for (std::size_t i = 0; i < seeds.size(); ++i)
    written = written && write(requests / std::to_string(i), seeds[i]);
  return written ? 0 : 1;
}
