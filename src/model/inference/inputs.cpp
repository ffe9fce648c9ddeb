#include "model/inference/inputs.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/number_of.hpp"
#include "model/inference/dim_expression.hpp"

namespace jouletree {
namespace {

[[noreturn]] void fail(const std::string& problem) { throw Error(ErrorKind::BadInput, problem); }

/// What settings can name. Names in expressions can be set, and so can an expression as a whole.
struct InputNames {
  std::set<std::string_view> inputs;
  std::set<std::string_view> symbols;
  std::set<std::string_view> expressions;

  explicit InputNames(const Graph& graph) {
    for (const ValueId id : graph.main.inputs) {
      const GraphValue& input = graph.values[id];
      if (input.constant) continue;
      inputs.insert(input.name);
      for (const DeclaredDim& dim : input.declared_dims) add_symbol(dim.symbol);
    }
  }

  [[nodiscard]] bool has_symbol(std::string_view name) const {
    return symbols.count(name) > 0 || expressions.count(name) > 0;
  }

 private:
  void add_symbol(std::string_view symbol) {
    if (symbol.empty()) return;
    expressions.insert(symbol);
    if (!visit_dim_symbols(symbol, [&](auto name) { symbols.insert(name); }))
      symbols.insert(symbol);
  }
};

class Settler {
 public:
  Settler(const Graph& graph, const InputSettings& settings)
      : graph_(graph), settings_(settings), names_(graph), symbols_(settings.symbols) {
    for (const ValueId id : graph.main.inputs)
      if (!graph.values[id].constant) inputs_.push_back(id);
  }

  InputStates settle() {
    check_names();
    check_symbols();
    for (const ValueId id : inputs_) bind_symbols(graph_.values[id]);
    for (const ValueId id : graph_.main.inputs) {
      result_.states.push_back(graph_.values[id].constant ? ValueState()
                                                          : settle(graph_.values[id]));
    }
    note_defaults();
    return std::move(result_);
  }

 private:
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
      if (names_.has_symbol(name)) continue;
      if (names_.symbols.empty())
        fail(fmt::format("the model has no symbolic dimension '{}', and no other", name));
      fail(fmt::format("the model has no symbolic dimension '{}'; it has: {}", name,
                       fmt::join(names_.symbols, ", ")));
    }
  }

  /// A shape given for one input fixes the symbols in it for all inputs.
  void bind_symbols(const GraphValue& input) {
    const auto given = settings_.shapes.find(input.name);
    if (given == settings_.shapes.end() || !input.declared.dims) return;
    if (given->second.size() != input.declared_dims.size()) {
      fail(fmt::format("input '{}' has {}, but {} {} given: {}", input.name,
                       number_of(input.declared_dims.size(), "dimension"), given->second.size(),
                       agreeing(given->second.size(), "was", "were"), to_string(given->second)));
    }
    for (std::size_t i = 0; i < given->second.size(); ++i) {
      const std::string_view symbol = input.declared_dims[i].symbol;
      if (symbol.empty()) continue;
      const auto [entry, added] = symbols_.try_emplace(std::string(symbol), given->second[i]);
      if (!added && entry->second != given->second[i]) {
        fail(fmt::format("dimension '{}' is {} for input '{}', but {} elsewhere", symbol,
                         given->second[i], input.name, entry->second));
      }
    }
  }

  ValueState settle(const GraphValue& input) {
    ValueState state;
    state.type = input.declared;
    const auto given = settings_.shapes.find(input.name);
    if (given != settings_.shapes.end()) {
      compare_with_declared(input, given->second);
      state.type.dims = given->second;
    } else if (state.type.dims) {
      for (std::size_t i = 0; i < input.declared_dims.size(); ++i)
        (*state.type.dims)[i] = size_of(input, i);
    } else if (const auto values = settings_.values.find(input.name);
               values != settings_.values.end()) {
      state.type.dims = Dims{static_cast<Dim>(values->second.size())};
    } else if (state.type.kind == ValueKind::Tensor) {
      result_.notes.push_back(
          fmt::format("input '{}' has no shape in the file: give one with --input {}=1x…",
                      input.name, input.name));
    }
    set_content(input, state);
    return state;
  }

  void compare_with_declared(const GraphValue& input, const Dims& given) {
    for (std::size_t i = 0; i < given.size() && i < input.declared_dims.size(); ++i) {
      const Dim declared = input.declared_dims[i].size;
      if (declared == kUnknownDim || declared == given[i]) continue;
      result_.as_declared = false;
      result_.notes.push_back(
          fmt::format("input '{}' is fixed to {} in the file, but was counted as {}; an engine may "
                      "refuse that",
                      input.name, to_string(*input.declared.dims), to_string(given)));
      return;
    }
  }

  Dim size_of(const GraphValue& input, std::size_t axis) {
    const DeclaredDim& dim = input.declared_dims[axis];
    if (dim.size != kUnknownDim) return dim.size;
    if (dim.symbol.empty()) {
      defaulted_.insert(fmt::format("{}[{}]", input.name, axis));
      return 1;
    }
    if (const auto given = symbols_.find(dim.symbol); given != symbols_.end()) return given->second;
    const auto value = evaluate_dim_expression(dim.symbol, [&](std::string_view name) {
      return std::optional<Dim>(value_of_symbol(name));
    });
    if (value && *value >= 0) return *value;
    return value_of_symbol(dim.symbol);
  }

  Dim value_of_symbol(std::string_view name) {
    if (const auto given = symbols_.find(name); given != symbols_.end()) return given->second;
    defaulted_.insert(std::string(name));
    return 1;
  }

  void set_content(const GraphValue& input, ValueState& state) {
    const auto values = settings_.values.find(input.name);
    if (values == settings_.values.end()) return;
    Elements elements = values->second;
    const Count count = state.type.elements();
    if (elements.size() == 1 && count.known() && count.value() <= kMaxElements)
      elements.resize(static_cast<std::size_t>(count.value()), elements.front());
    if (count != Count(static_cast<std::int64_t>(elements.size()))) {
      fail(fmt::format("input '{}' of shape {} cannot hold the {} values given", input.name,
                       state.type.dims ? to_string(*state.type.dims) : "?", values->second.size()));
    }
    if (is_floating(state.type.type)) {
      for (Scalar& element : elements) element = Scalar::real(element.as_real());
    } else {
      for (Scalar& element : elements) element = Scalar::integer(element.as_integer());
    }
    state.content = std::make_shared<const Elements>(std::move(elements));
  }

  void note_defaults() {
    if (defaulted_.empty()) return;
    const bool named =
        std::any_of(defaulted_.begin(), defaulted_.end(),
                    [](const std::string& name) { return name.find('[') == std::string::npos; });
    result_.defaults =
        fmt::format("open dimensions counted as 1: {} (set them with {})",
                    fmt::join(defaulted_, ", "), named ? "--dim NAME=SIZE" : "--input NAME=SHAPE");
    result_.notes.push_back(result_.defaults);
  }

  const Graph& graph_;
  const InputSettings& settings_;
  InputNames names_;
  std::map<std::string, Dim, std::less<>> symbols_;
  std::vector<ValueId> inputs_;
  std::set<std::string> defaulted_;
  InputStates result_;
};

}  // namespace

InputSettings applicable_settings(const Graph& graph, const InputSettings& settings) {
  const InputNames names(graph);
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

InputStates settle_inputs(const Graph& graph, const InputSettings& settings) {
  return Settler(graph, settings).settle();
}

}  // namespace jouletree
