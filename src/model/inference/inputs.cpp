#include "model/inference/inputs.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/number_of.hpp"
#include "model/inference/dim_expression.hpp"
#include "model/inference/given_values.hpp"
#include "model/inference/name_parts.hpp"
#include "model/inference/size_notes.hpp"

namespace jouletree::model {
namespace {

constexpr std::int64_t kUsualRate = 16000;

[[noreturn]] void fail(const std::string& problem) { throw Error(ErrorKind::BadInput, problem); }

/// What settings can name. Names in expressions can be set, and so can an expression as a whole.
struct InputNames {
  std::set<std::string_view> inputs;
  std::set<std::string_view> symbols;
  std::set<std::string_view> expressions;
  std::set<std::string_view> cached;    ///< Symbols of caches.
  std::set<std::string_view> uncached;  ///< Symbols of other inputs.

  explicit InputNames(const Graph& graph) {
    for (const ValueId id : graph.main.inputs) {
      const GraphValue& input = graph.values[id];
      if (input.constant) continue;
      inputs.insert(input.name);
      for (const DeclaredDim& dim : input.declared_dims) {
        add_symbol(dim.symbol);
        (is_cache_name(input.name) ? cached : uncached).insert(dim.symbol);
      }
    }
  }

  [[nodiscard]] bool has_symbol(std::string_view name) const {
    return symbols.count(name) > 0 || expressions.count(name) > 0;
  }

  [[nodiscard]] bool may_be_empty(std::string_view symbol) const {
    return is_cache_name(symbol) || (cached.count(symbol) > 0 && uncached.count(symbol) == 0);
  }

 private:
  void add_symbol(std::string_view symbol) {
    if (symbol.empty()) return;
    expressions.insert(symbol);
    std::set<std::string_view> parts;
    if (!visit_dim_symbols(symbol, [&](auto name) { parts.insert(name); })) parts = {symbol};
    symbols.merge(parts);
  }
};

class Settler {
 public:
  Settler(const Graph& graph, const InputSettings& settings, const SizeChoices& choices,
          const GuessedRanks& ranks)
      : graph_(graph),
        settings_(settings),
        choices_(choices),
        ranks_(ranks),
        names_(graph),
        shapes_(settings.shapes) {
    for (const auto& [name, size] : settings.symbols)
      symbols_.emplace(name, GivenSize{size, SizeOrigin::Given});
    for (const ValueId id : graph.main.inputs)
      if (!graph.values[id].constant) inputs_.push_back(id);
  }

  InputStates settle() {
    check_names();
    check_symbols();
    for (const ValueId id : inputs_) {
      take_shape_of_values(graph_.values[id]);
      bind_symbols(graph_.values[id]);
    }
    for (const ValueId id : graph_.main.inputs) {
      result_.states.push_back(graph_.values[id].constant ? ValueState() : settle(id));
    }
    add_size_notes(result_, choices_);
    return std::move(result_);
  }

 private:
  struct GivenSize {
    Dim size = 0;
    SizeOrigin origin = SizeOrigin::Given;
  };

  [[nodiscard]] SizeOrigin origin_of_shape(std::string_view input) const {
    return settings_.from_data.count(input) > 0 ? SizeOrigin::Data : SizeOrigin::Given;
  }

  void check_names() const {
    const auto check = [&](const auto& given) {
      for (const auto& [name, value] : given) {
        if (names_.inputs.count(name) > 0) continue;
        fail(fmt::format("the model has no input '{}'; it has: {}", name,
                         fmt::join(names_.inputs, ", ")));
      }
    };
    check(settings_.shapes);
    check(settings_.values);
    for (const auto& [name, type] : settings_.types) check_type(name, type);
  }

  void check_type(const std::string& name, DataType type) const {
    const auto input = std::find_if(inputs_.begin(), inputs_.end(),
                                    [&](ValueId id) { return graph_.values[id].name == name; });
    if (input == inputs_.end()) return;
    const DataType declared = graph_.values[*input].declared.type;
    if (declared != type && declared != DataType::Undefined) {
      fail(fmt::format("input '{}' is {} in the model, not {}", name, name_of(declared),
                       name_of(type)));
    }
  }

  void check_symbols() const {
    for (const auto& [name, size] : settings_.symbols) {
      if (names_.has_symbol(name)) {
        if (size == 0 && !names_.may_be_empty(name)) {
          fail(
              fmt::format("dimension '{}' cannot be 0: only a cache can be empty; give it a size "
                          "of at least 1",
                          name));
        }
        continue;
      }
      if (names_.symbols.empty())
        fail(fmt::format("the model has no symbolic dimension '{}', and no other", name));
      fail(fmt::format("the model has no symbolic dimension '{}'; it has: {}", name,
                       fmt::join(names_.symbols, ", ")));
    }
  }

  /// A list of several values says how long the input is.
  void take_shape_of_values(const GraphValue& input) {
    const auto values = settings_.values.find(input.name);
    const bool is_list = input.declared_dims.size() == 1 &&
                         input.declared_dims.front().size == kUnknownDim &&
                         values != settings_.values.end() && values->second.size() > 1;
    if (is_list)
      shapes_.try_emplace(std::string(input.name), Dims{static_cast<Dim>(values->second.size())});
  }

  /// A shape given for one input fixes the symbols in it for all inputs.
  void bind_symbols(const GraphValue& input) {
    const auto given = shapes_.find(input.name);
    if (given == shapes_.end() || !input.declared.dims) return;
    if (given->second.size() != input.declared_dims.size()) {
      fail(fmt::format("input '{}' has {}, but {} {} given: {}", input.name,
                       number_of(input.declared_dims.size(), "dimension"), given->second.size(),
                       agreeing(given->second.size(), "was", "were"), to_string(given->second)));
    }
    for (std::size_t i = 0; i < given->second.size(); ++i) {
      const std::string_view symbol = input.declared_dims[i].symbol;
      if (symbol.empty()) continue;
      const GivenSize size{given->second[i], origin_of_shape(input.name)};
      const auto [entry, added] = symbols_.try_emplace(std::string(symbol), size);
      if (!added && entry->second.size != size.size) {
        fail(fmt::format("dimension '{}' is {} for input '{}', but {} elsewhere", symbol, size.size,
                         input.name, entry->second.size));
      }
    }
  }

  ValueState settle(ValueId id) {
    const GraphValue& input = graph_.values[id];
    ValueState state;
    state.type = input.declared;
    InputShape& shape = result_.shapes.emplace_back();
    shape.name = input.name;
    shape.type = input.declared.type;
    const auto guessed = ranks_.find(id);
    if (const auto given = shapes_.find(input.name); given != shapes_.end()) {
      compare_with_declared(input, given->second);
      refuse_empty(input, given->second);
      shape.dims = dims_of_setting(input, given->second);
    } else if (state.type.dims) {
      shape.dims.emplace();
      for (std::size_t axis = 0; axis < input.declared_dims.size(); ++axis)
        shape.dims->push_back(dim_of(id, axis, input.declared_dims[axis]));
    } else if (const auto values = settings_.values.find(input.name);
               values != settings_.values.end()) {
      const auto size = static_cast<Dim>(values->second.size());
      shape.dims = {{"", size, SizeOrigin::Given, true}};
    } else if (guessed != ranks_.end()) {
      shape.dims.emplace();
      for (std::size_t axis = 0; axis < guessed->second; ++axis)
        shape.dims->push_back(dim_of(id, axis, DeclaredDim{}));
    } else if (state.type.kind == ValueKind::Tensor) {
      result_.notes.push_back(
          fmt::format("input '{}' has no shape in the file: give one with --input {}=1x…",
                      input.name, input.name));
    }
    if (shape.dims) {
      state.type.dims.emplace();
      for (const InputDim& dim : *shape.dims) state.type.dims->push_back(dim.size);
    }
    set_content(input, state);
    return state;
  }

  [[nodiscard]] std::vector<InputDim> dims_of_setting(const GraphValue& input,
                                                      const Dims& given) const {
    std::vector<InputDim> dims;
    for (std::size_t i = 0; i < given.size(); ++i) {
      const DeclaredDim declared =
          i < input.declared_dims.size() ? input.declared_dims[i] : DeclaredDim{};
      const bool as_in_file = declared.size == given[i];
      dims.push_back({std::string(declared.symbol), given[i],
                      as_in_file ? SizeOrigin::File : origin_of_shape(input.name),
                      declared.size == kUnknownDim});
    }
    return dims;
  }

  /// What holds nothing tells nothing about the cost of a model, unless it is a cache.
  static void refuse_empty(const GraphValue& input, const Dims& given) {
    for (std::size_t i = 0; i < given.size(); ++i) {
      const DeclaredDim declared =
          i < input.declared_dims.size() ? input.declared_dims[i] : DeclaredDim{};
      if (given[i] != 0 || declared.size == 0) continue;
      if (is_cache_name(input.name) || is_cache_name(declared.symbol)) continue;
      fail(
          fmt::format("input '{}' of shape {} holds nothing: only a cache can be empty; give every "
                      "dimension a size of at least 1",
                      input.name, to_string(given)));
    }
  }

  /// The same for sizes that follow from those that the user gave.
  void refuse_empty_expression(const GraphValue& input, const std::string& expression) const {
    if (is_cache_name(input.name) || names_.may_be_empty(expression)) return;
    (void)visit_dim_symbols(expression, [&](std::string_view name) {
      const auto given = settings_.symbols.find(name);
      if (given == settings_.symbols.end()) return;
      fail(
          fmt::format("dimension '{}' of input '{}' would be 0 with {}={}, and only a cache can be "
                      "empty; give a larger size",
                      expression, input.name, name, given->second));
    });
  }

  void compare_with_declared(const GraphValue& input, const Dims& given) {
    for (std::size_t i = 0; i < given.size() && i < input.declared_dims.size(); ++i) {
      const Dim declared = input.declared_dims[i].size;
      if (declared == kUnknownDim || declared == given[i]) continue;
      result_.as_declared = false;
      result_.notes.push_back(
          fmt::format("input '{}' is fixed to {} in the file, but was counted as {}; ONNX Runtime "
                      "refuses to run that",
                      input.name, to_string(*input.declared.dims), to_string(given)));
      return;
    }
  }

  InputDim dim_of(ValueId id, std::size_t axis, const DeclaredDim& dim) {
    const std::string symbol(dim.symbol);
    if (dim.size != kUnknownDim) return {symbol, dim.size, SizeOrigin::File, false};
    if (symbol.empty()) {
      const std::string key = fmt::format("{}[{}]", graph_.values[id].name, axis);
      const GivenSize size = size_of_open(key, false);
      open_dim(key).places.push_back({id, axis});
      return {"", size.size, size.origin, true};
    }
    const auto whole = symbols_.find(symbol);
    if (whole != symbols_.end()) return {symbol, whole->second.size, whole->second.origin, true};
    if (names_.symbols.count(symbol) == 0) {
      const auto value = evaluate_dim_expression(
          symbol, [&](std::string_view name) { return std::optional(size_of_symbol(name).size); });
      if (value == 0) refuse_empty_expression(graph_.values[id], symbol);
      if (value && *value >= 0) return {symbol, *value, SizeOrigin::Expression, true};
    }
    const GivenSize size = size_of_symbol(symbol);
    open_dim(symbol).places.push_back({id, axis});
    return {symbol, size.size, size.origin, true};
  }

  GivenSize size_of_symbol(std::string_view name) {
    if (const auto given = symbols_.find(name); given != symbols_.end()) return given->second;
    return size_of_open(std::string(name), true);
  }

  GivenSize size_of_open(const std::string& key, bool named) {
    open_dim(key).named = named;
    const auto choice = choices_.find(key);
    if (choice == choices_.end()) return {1, SizeOrigin::Default};
    return {choice->second.size, choice->second.origin};
  }

  OpenDim& open_dim(const std::string& key) {
    const auto [entry, added] = open_at_.try_emplace(key, result_.open.size());
    if (added) result_.open.push_back({key, false, {}});
    return result_.open[entry->second];
  }

  void set_content(const GraphValue& input, ValueState& state) {
    const auto values = settings_.values.find(input.name);
    if (values == settings_.values.end()) return set_sample_rate(input, state);
    Elements elements = values->second;
    const Count count = state.type.elements();
    if (elements.size() == 1 && count.known() && count.value() <= kMaxElements)
      elements.resize(static_cast<std::size_t>(count.value()), elements.front());
    if (count != Count(static_cast<std::int64_t>(elements.size()))) {
      fail(fmt::format("input '{}' of shape {} cannot hold the {} values given", input.name,
                       state.type.dims ? to_string(*state.type.dims) : "?", values->second.size()));
    }
    try {
      elements = elements_as(state.type.type, std::move(elements));
    } catch (const Error& error) {
      fail(fmt::format("--value {}: {}; the inputs are: {}", input.name, error.what(),
                       names_and_types()));
    }
    state.content = std::make_shared<const Elements>(std::move(elements));
  }

  /// It decides which branch models of speech take, and only a few rates are ones they know.
  void set_sample_rate(const GraphValue& input, ValueState& state) {
    const bool is_rate =
        input.name == "sr" || input.name == "sample_rate" || input.name == "sampling_rate";
    if (!is_rate || !is_integer(state.type.type) || state.type.elements() != Count(1)) return;
    state.content = std::make_shared<const Elements>(1, Scalar::integer(kUsualRate));
    result_.notes.push_back(
        fmt::format("input '{}' counted as {}, a usual sample rate (set it with "
                    "--value {}=NUMBER)",
                    input.name, kUsualRate, input.name));
  }

  [[nodiscard]] std::string names_and_types() const {
    std::vector<std::string> all;
    for (const ValueId id : inputs_) {
      const GraphValue& input = graph_.values[id];
      all.push_back(fmt::format("{} ({})", input.name, name_of(input.declared.type)));
    }
    return fmt::format("{}", fmt::join(all, ", "));
  }

  const Graph& graph_;
  const InputSettings& settings_;
  const SizeChoices& choices_;
  const GuessedRanks& ranks_;
  InputNames names_;
  std::map<std::string, Dims, std::less<>> shapes_;  ///< That settings give or imply.
  std::map<std::string, GivenSize, std::less<>> symbols_;
  std::map<std::string, std::size_t> open_at_;  ///< Positions in the list of open dimensions.
  std::vector<ValueId> inputs_;
  InputStates result_;
};

}  // namespace

InputStates settle_inputs(const Graph& graph, const InputSettings& settings,
                          const SizeChoices& choices, const GuessedRanks& ranks) {
  return Settler(graph, settings, choices, ranks).settle();
}

SettableNames settable_names(const Graph& graph) {
  const InputNames names(graph);
  return {{names.inputs.begin(), names.inputs.end()}, {names.symbols.begin(), names.symbols.end()}};
}

bool is_cache_name(std::string_view name) { return contains_any(name, {"past", "cache"}); }

}  // namespace jouletree::model

namespace jouletree {

InputSettings applicable_settings(const Graph& graph, const InputSettings& settings) {
  const model::InputNames names(graph);
  InputSettings result;
  for (const auto& [name, shape] : settings.shapes)
    if (names.inputs.count(name) > 0) result.shapes[name] = shape;
  for (const auto& [name, value] : settings.values)
    if (names.inputs.count(name) > 0) result.values[name] = value;
  for (const auto& [name, type] : settings.types)
    if (names.inputs.count(name) > 0) result.types[name] = type;
  for (const auto& [name, size] : settings.symbols)
    if (names.has_symbol(name)) result.symbols[name] = size;
  return result;
}

}  // namespace jouletree
