#include "tree/shared_tensors.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "base/mapped_file.hpp"
#include "base/number_format.hpp"
#include "model/operators/table.hpp"
#include "tree/scope.hpp"

namespace jouletree::tree {
namespace {

constexpr std::size_t kSlots = 32;  ///< Of the sets of inputs in the operator table.

bool repeats_one_element(std::string_view bytes, std::int64_t elements) {
  if (elements < 2 || bytes.empty() || bytes.size() % static_cast<std::size_t>(elements) != 0)
    return false;
  const std::size_t width = bytes.size() / static_cast<std::size_t>(elements);
  return std::memcmp(bytes.data(), bytes.data() + width, bytes.size() - width) == 0;
}

bool repeats_one_element(const Graph& graph, const StoredTensor& tensor) {
  const std::int64_t elements = tensor.elements().value_or(0);
  if (!tensor.external)
    return repeats_one_element(tensor.raw.empty() ? tensor.packed : tensor.raw, elements);
  const ExternalData& external = *tensor.external;
  const std::int64_t length = external.length.value_or(tensor.bytes().value_or(0));
  if (graph.external_files.count(external.path) == 0 || length <= 0) return false;
  const std::filesystem::path place = graph.path.parent_path() / external.path;
  // The zoo tells of files that nobody has written.
  std::error_code unreadable;
  if (!std::filesystem::exists(place, unreadable)) return false;
  const MappedFile file(place);
  return repeats_one_element(file.bytes().substr(static_cast<std::size_t>(external.offset),
                                                 static_cast<std::size_t>(length)),
                             elements);
}

/// As biases and weights of norms are.
bool is_vector(const StoredTensor& tensor) {
  return std::count_if(tensor.dims.begin(), tensor.dims.end(), [](Dim dim) { return dim > 1; }) ==
         1;
}

std::string module_path(const Node& node) {
  std::string path;
  for (const ScopeStep& step : scope_of(node).modules) path += "/" + step.name;
  return path;
}

/// One stored tensor and those of the model that it stands for.
struct Sharing {
  std::int64_t names = 0;            ///< Its own and those of others.
  std::set<ValueId> statistics;      ///< Names of running means and variances, no parameters.
  std::vector<const Node*> readers;  ///< Under whatever name.
};

class Sharings {
 public:
  Sharings(const Graph& graph, const Constants& constants) : graph_(graph), constants_(constants) {
    for (std::size_t i = 0; i < graph.values.size(); ++i) {
      if (!graph.values[i].constant) continue;
      if (Sharing* const sharing = sharing_of(static_cast<ValueId>(i))) ++sharing->names;
    }
    visit(graph.main);
  }

  [[nodiscard]] const std::map<ValueId, Sharing>& all() const { return all_; }

 private:
  Sharing* sharing_of(ValueId id) {
    const ValueId stored = constants_.by_value[id].value;
    const ConstantUse& use = constants_.by_value[stored];
    if (use.role != ConstantRole::Parameter || use.elements < 2) return nullptr;
    return &all_[stored];
  }

  void visit(const Block& block) {
    for (const Node& node : block.nodes) {
      // An optimiser reads the tensors of all modules.
      if (node.phase == Phase::Optimizer || node.phase == Phase::ZeroGrad) continue;
      for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        const ValueId id = node.inputs[i];
        if (id == kNoValue || !graph_.values[id].constant) continue;
        Sharing* const sharing = sharing_of(id);
        if (sharing == nullptr) continue;
        sharing->readers.push_back(&node);
        const model::OperatorRow* const row = model::find_operator(node.domain, node.op);
        if (row != nullptr && i < kSlots && ((row->constants.statistics >> i) & 1U) != 0)
          sharing->statistics.insert(id);
      }
      for (const Attribute& attribute : node.attributes)
        for (const auto& nested : attribute.blocks) visit(*nested);
    }
  }

  const Graph& graph_;
  const Constants& constants_;
  std::map<ValueId, Sharing> all_;
};

/// How many tensors of the model the stored one stands for. Without names, the modules that read
/// it tell: one that is called several times has its tensors once.
std::int64_t copies(const Sharing& sharing) {
  if (sharing.names > 1)
    return sharing.names - static_cast<std::int64_t>(sharing.statistics.size());
  std::set<std::string> modules;
  for (const Node* const reader : sharing.readers) modules.insert(module_path(*reader));
  return static_cast<std::int64_t>(modules.size());
}

}  // namespace

SharedTensors shared_tensors(const Graph& graph, const Constants& constants) {
  const Sharings sharings(graph, constants);
  SharedTensors shared;
  for (const auto& [id, sharing] : sharings.all()) {
    if (sharing.names < 2 && sharing.readers.size() < 2) continue;
    const StoredTensor& tensor = *graph.values[id].constant;
    const bool is_merged = repeats_one_element(graph, tensor);
    if (sharing.names < 2 && !(is_merged && is_vector(tensor))) continue;
    const std::int64_t more = copies(sharing) - 1;
    if (more <= 0) continue;
    (is_merged ? shared.merged : shared.tied) += more;
    if (sharing.names < 2) shared.may_be_more = true;
    (is_merged ? shared.merged_elements : shared.tied_elements) +=
        Count(constants.by_value[id].elements) * Count(more);
  }
  return shared;
}

std::vector<std::string> shared_tensor_notes(const SharedTensors& shared, std::int64_t params,
                                             bool lacks_others) {
  const std::int64_t merged = shared.merged;
  const std::int64_t tied = shared.tied;
  std::vector<std::string> notes;
  if (merged > 0) {
    notes.push_back(fmt::format(
        "the exporter stored equal tensors only once, so {} of the model's tensors {} missing from "
        "the file; with {}, the model has {}{} parameters",
        merged == 1 ? "one" : fmt::format("{}", merged), merged == 1 ? "is" : "are",
        merged == 1 ? "it" : "them", shared.may_be_more || lacks_others ? "at least " : "",
        with_separators((Count(params) + shared.merged_elements).value())));
  }
  if (tied > 0) {
    notes.push_back(fmt::format(
        "{} {} stored once under several names, as tied weights are, and counted once; counted "
        "under every name, the model has {}{} parameters",
        tied == 1 ? "one tensor" : fmt::format("{} tensors", tied), tied == 1 ? "is" : "are",
        lacks_others ? "at least " : "",
        with_separators((Count(params) + shared.merged_elements + shared.tied_elements).value())));
  }
  return notes;
}

}  // namespace jouletree::tree
