#include "engines/data/input_files.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/name_distance.hpp"
#include "base/number_of.hpp"
#include "engines/data/data_sources.hpp"
#include "engines/data/lookups.hpp"
#include "model/inference/constants.hpp"

namespace jouletree::engines {
namespace {

/// Inputs that decide shapes are a few numbers; longer ones are data.
constexpr std::int64_t kMostDecidingElements = 1024;

[[noreturn]] void fail(const FileTensor& tensor, const std::string& problem) {
  throw Error(ErrorKind::BadInput, fmt::format("{}: {}", tensor.origin, problem));
}

std::string text_of(const std::vector<DeclaredDim>& dims) {
  if (dims.empty()) return "scalar";
  std::vector<std::string> sizes;
  bool has_symbols = false;
  for (const DeclaredDim& dim : dims) {
    has_symbols = has_symbols || !dim.symbol.empty();
    const std::string open = dim.symbol.empty() ? "?" : std::string(dim.symbol);
    sizes.push_back(dim.size == kUnknownDim ? open : std::to_string(dim.size));
  }
  return fmt::format("{}", fmt::join(sizes, has_symbols ? " x " : "x"));
}

class Matcher {
 public:
  Matcher(const Graph& graph, InputSettings& settings, DataUse use)
      : graph_(graph), settings_(settings), first_dim_(use == DataUse::Examples ? 1 : 0) {
    for (const auto& [symbol, size] : settings.symbols)
      symbols_[symbol] = {size, fmt::format("--dim {}={}", symbol, size)};
    for (const ValueId id : graph.main.inputs)
      if (!graph.values[id].constant) inputs_.push_back(id);
  }

  void add(OfferedTensor offered) {
    const ValueId id = input_for(offered);
    const GraphValue& input = graph_.values[id];
    FileTensor& tensor = offered.tensor;
    if (const auto other = files_.find(input.name); other != files_.end()) {
      fail(tensor, fmt::format("input '{}' has its data from {} already", input.name,
                               other->second.origin));
    }
    check_type(input, tensor);
    check_shape(input, tensor);
    check_settings(input, tensor);
    tell_settings(id, tensor);
    files_.emplace(input.name, std::move(tensor));
  }

  /// Throws if there is no input of this name.
  void require_input(const std::string& name, const std::string& origin) const {
    OfferedTensor offered;
    offered.tensor.origin = origin;
    offered.tensor.name = offered.wanted_input = name;
    (void)input_for(offered);
  }

  [[nodiscard]] InputFiles take() { return std::move(files_); }

 private:
  struct Size {
    Dim size = 0;
    std::string said_by;
  };

  [[nodiscard]] std::string_view name_of_input(ValueId id) const { return graph_.values[id].name; }

  [[nodiscard]] std::optional<ValueId> find(std::string_view name) const {
    const auto found = std::find_if(inputs_.begin(), inputs_.end(),
                                    [&](ValueId id) { return name_of_input(id) == name; });
    return found == inputs_.end() ? std::nullopt : std::optional(*found);
  }

  [[nodiscard]] std::string names() const {
    std::vector<std::string_view> names;
    names.reserve(inputs_.size());
    for (const ValueId id : inputs_) names.push_back(name_of_input(id));
    return fmt::format("{}", fmt::join(names, ", "));
  }

  [[nodiscard]] ValueId input_for(const OfferedTensor& offered) const {
    const FileTensor& tensor = offered.tensor;
    if (inputs_.empty()) fail(tensor, "the model has no inputs that take data");
    if (!offered.wanted_input.empty()) {
      const auto named = find(offered.wanted_input);
      if (!named) fail_with_nearest(offered);
      return *named;
    }
    if (const auto named = find(tensor.name)) return *named;
    if (offered.position) {
      if (*offered.position < inputs_.size()) return inputs_[*offered.position];
      fail(tensor, fmt::format("the model has {} and none called '{}': {}",
                               number_of(inputs_.size(), "input"), tensor.name, names()));
    }
    if (inputs_.size() == 1) return inputs_.front();
    fail(tensor, fmt::format("say which input it is for, as in --data {}={}; the model has: {}",
                             name_of_input(inputs_.front()), tensor.origin, names()));
  }

  [[noreturn]] void fail_with_nearest(const OfferedTensor& offered) const {
    const std::string& wanted = offered.wanted_input;
    const ValueId nearest =
        *std::min_element(inputs_.begin(), inputs_.end(), [&](ValueId a, ValueId b) {
          return name_distance(wanted, name_of_input(a)) < name_distance(wanted, name_of_input(b));
        });
    fail(offered.tensor, fmt::format("the model has no input '{}'; did you mean '{}'? It has: {}",
                                     wanted, name_of_input(nearest), names()));
  }

  static void check_type(const GraphValue& input, const FileTensor& tensor) {
    if (input.declared.kind != ValueKind::Tensor) {
      fail(tensor, fmt::format("input '{}' is not a tensor; only tensors can be read from files",
                               input.name));
    }
    if (input.declared.type == tensor.type || input.declared.type == DataType::Undefined) return;
    const std::string_view wanted = name_of(input.declared.type);
    // NumPy has no name for some.
    const bool in_numpy =
        input.declared.type <= DataType::UInt64 && input.declared.type != DataType::String;
    fail(tensor,
         fmt::format("input '{}' must be {}, but the data are {}{}", input.name, wanted,
                     name_of(tensor.type),
                     in_numpy ? fmt::format("; NumPy's .astype('{}') converts them", wanted) : ""));
  }

  void check_shape(const GraphValue& input, const FileTensor& tensor) {
    if (!input.declared.dims) return;
    const std::vector<DeclaredDim>& declared = input.declared_dims;
    bool fits = declared.size() == tensor.dims.size();
    for (std::size_t i = first_dim_; fits && i < declared.size(); ++i)
      fits = declared[i].size == kUnknownDim || declared[i].size == tensor.dims[i];
    if (!fits) {
      fail(tensor, fmt::format("input '{}' must be {}, but the data are {}", input.name,
                               text_of(declared), to_string(tensor.dims)));
    }
    for (std::size_t i = first_dim_; i < declared.size(); ++i) {
      if (declared[i].symbol.empty()) continue;
      const auto [entry, added] = symbols_.try_emplace(std::string(declared[i].symbol),
                                                       Size{tensor.dims[i], tensor.origin});
      if (added || entry->second.size == tensor.dims[i]) continue;
      fail(tensor,
           fmt::format("dimension '{}' of input '{}' is {} here, but {} in {}", declared[i].symbol,
                       input.name, tensor.dims[i], entry->second.size, entry->second.said_by));
    }
  }

  void check_settings(const GraphValue& input, const FileTensor& tensor) const {
    if (settings_.values.contains(input.name))
      fail(tensor, fmt::format("input '{}' has its content from --value already", input.name));
    const auto shape = settings_.shapes.find(input.name);
    if (shape == settings_.shapes.end() || shape->second == tensor.dims || first_dim_ > 0) return;
    fail(tensor, fmt::format("holds {}, but --input says that '{}' is {}", to_string(tensor.dims),
                             input.name, to_string(shape->second)));
  }

  void tell_settings(ValueId id, const FileTensor& tensor) {
    if (first_dim_ > 0) return;
    const std::string name(graph_.values[id].name);
    settings_.shapes[name] = tensor.dims;
    settings_.from_data.insert(name);
    const std::int64_t count = elements_of(tensor.dims).value();
    if (tensor.dims.size() > 1 || count == 0 || count > kMostDecidingElements) return;
    // Indices decide no shape, and are checked against their table with a message of its own.
    if (!lookups_of(graph_, id).empty()) return;
    StoredTensor stored;
    stored.type = tensor.type;
    stored.dims = tensor.dims;
    stored.raw = tensor.bytes();
    if (auto content = model::load_content(stored, {}))
      settings_.values[name] = std::move(*content);
  }

  const Graph& graph_;
  InputSettings& settings_;
  std::size_t first_dim_;  ///< That is the model's.
  std::vector<ValueId> inputs_;
  std::map<std::string, Size, std::less<>> symbols_;
  InputFiles files_;
};

}  // namespace

InputFiles open_input_files(const std::vector<std::string>& given, const Graph& graph,
                            InputSettings& settings, const std::filesystem::path& scratch,
                            DataUse use) {
  ScratchFiles files(scratch);
  Matcher matcher(graph, settings, use);
  const WantedArray wanted = [&](const std::string& name, const std::string& origin) {
    matcher.require_input(name, origin);
  };
  for (const std::string& source : given)
    for (OfferedTensor& offered : read_data_source(source, files, "--data", wanted))
      matcher.add(std::move(offered));
  return matcher.take();
}

}  // namespace jouletree::engines
