#include "predict/vocabulary.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "predict/operator_names.hpp"

namespace jouletree {
namespace predict {
namespace {

/// Of different names, so many must be ONNX's. PyTorch has Softmax and Tanh, too, but not Linear;
/// an ONNX file may hold operators of the user's own.
constexpr double kMostForeignNames = 0.8;

constexpr std::array<Vocabulary, 4> kVocabularies = {Vocabulary::Onnx, Vocabulary::Aten,
                                                     Vocabulary::TorchModules, Vocabulary::Other};

bool is_onnx(const std::string& type) {
  for (const jouletree::model::OperatorRow& row : model::operator_rows())
    if (row.op == type && row.domain != model::kTorch) return true;
  return false;
}

/// Tables of single operators say behind the type how it was run.
std::string plain_type(const std::string& type) { return type.substr(0, type.find(' ')); }

void add_types(const TreeRun& run, std::set<std::string>& types) {
  for (const RunNode& node : run.nodes) {
    if (node.level == NodeLevel::Operator && !node.type.empty())
      types.insert(plain_type(node.type));
  }
}

std::optional<Vocabulary> from_name(std::string_view name) {
  for (const Vocabulary vocabulary : kVocabularies)
    if (name_of(vocabulary) == name) return vocabulary;
  return std::nullopt;
}

}  // namespace

Vocabulary vocabulary_of_types(const std::set<std::string>& types) {
  const auto share = [&](const auto& is_one) {
    const auto count = std::count_if(types.begin(), types.end(), is_one);
    return static_cast<double>(count) / static_cast<double>(types.size());
  };
  if (types.empty()) return Vocabulary::Other;
  if (share(is_onnx) >= kMostForeignNames) return Vocabulary::Onnx;
  if (share([](const std::string& type) { return type.starts_with("aten::"); }) > 0)
    return Vocabulary::Aten;
  return share(is_torch_module) > 0 ? Vocabulary::TorchModules : Vocabulary::Other;
}

Vocabulary vocabulary_of(const TreeRun& run) {
  if (const auto said = from_name(run.vocabulary)) return *said;
  std::set<std::string> types;
  add_types(run, types);
  return vocabulary_of_types(types);
}

std::vector<Vocabulary> vocabularies_of(const std::vector<TreeRun>& runs) {
  std::set<Vocabulary> found;
  std::map<std::string, std::set<std::string>> types_of_file;
  for (const TreeRun& run : runs) {
    if (const auto said = from_name(run.vocabulary)) {
      found.insert(*said);
    } else {
      add_types(run, types_of_file[run.file]);
    }
  }
  for (const auto& [file, types] : types_of_file) found.insert(vocabulary_of_types(types));
  return {found.begin(), found.end()};
}

}  // namespace predict

std::string_view name_of(Vocabulary vocabulary) {
  switch (vocabulary) {
    case Vocabulary::Onnx: return "onnx";
    case Vocabulary::Aten: return "aten";
    case Vocabulary::TorchModules: return "torch.nn";
    case Vocabulary::Other: return "other";
  }
  return "";
}

std::string_view title_of(Vocabulary vocabulary) {
  switch (vocabulary) {
    case Vocabulary::Onnx: return "ONNX operators";
    case Vocabulary::Aten: return "calls of PyTorch";
    case Vocabulary::TorchModules: return "PyTorch modules";
    case Vocabulary::Other: return "operators of a framework that JouleTree does not know";
  }
  return "";
}

}  // namespace jouletree
