// Makes the files that are installed beside the program, from the definitions of its commands:
//   jouletree_docs FOLDER COMPLETION_LOGIC
// writes FOLDER/man/man1/*.1 and FOLDER/bash-completion/completions/jouletree.

#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "cli/application.hpp"
#include "cli/completion.hpp"
#include "cli/man_page.hpp"
#include "jouletree/error.hpp"
#include "version.hpp"
#include "zoo/catalogue.hpp"

namespace {

namespace fs = std::filesystem;
using jouletree::Error;
using jouletree::ErrorKind;

constexpr int kDocsFailed = 70;

void write_file(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw Error(ErrorKind::Failed, "cannot write " + path.string());
}

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw Error(ErrorKind::BadInput, "cannot read " + path.string());
  return text.str();
}

jouletree::cli::KnownWords known_words() {
  std::vector<std::string> architectures;
  for (const auto& architecture : jouletree::zoo::catalogue())
    architectures.emplace_back(architecture.name);
  return {{"ARCHITECTURE", architectures}};
}

void write_docs(const fs::path& folder, const fs::path& completion_logic) {
  const auto app = jouletree::cli::make_application();
  // Pages of commands that are gone must not be installed.
  fs::remove_all(folder / "man");
  for (const auto& page : jouletree::cli::man_pages(*app, jouletree::kVersion))
    write_file(folder / "man/man1" / (page.name + ".1"), page.text);
  write_file(folder / "bash-completion/completions/jouletree",
             "# Completion of jouletree in bash; made from the definitions of its commands.\n\n" +
                 jouletree::cli::completion_tables(*app, known_words()) + "\n" +
                 read_file(completion_logic));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: jouletree_docs FOLDER COMPLETION_LOGIC\n";
    return exit_code(ErrorKind::BadInput);
  }
  try {
    write_docs(argv[1], argv[2]);
    return 0;
  } catch (const Error& error) {
    std::cerr << "jouletree_docs: " << error.what() << '\n';
    return exit_code(error.kind());
  } catch (const std::exception& error) {
    std::cerr << "jouletree_docs: " << error.what() << '\n';
    return kDocsFailed;
  }
}
