#include <algorithm>
#include <cstdlib>
#include <set>

#include <fmt/format.h>

#include "model/inference/usual_sizes.hpp"
#include "model/pt2/program_inputs.hpp"
#include "model/pt2/size_expression.hpp"

namespace jouletree::model::pt2 {
namespace {

[[noreturn]] void refuse_setting(const std::string& problem) {
  throw Error(ErrorKind::BadInput, problem);
}

std::set<std::string_view> symbols_in(const SizeExpression& size) {
  std::set<std::string_view> symbols;
  (void)evaluate(size, [&](std::string_view symbol) {
    symbols.insert(symbol);
    return std::optional<Dim>(1);
  });
  return symbols;
}

/// What the only symbol of an expression is if the expression is `wanted`, for one that grows
/// evenly with it.
std::optional<Dim> solved(const SizeExpression& size, Dim wanted) {
  const auto at = [&](Dim symbol) {
    return evaluate(size, [symbol](std::string_view) { return std::optional(symbol); });
  };
  constexpr Dim kLargestSolved = Dim{1} << 52U;
  const auto is_small = [](Dim value) { return std::abs(value) < kLargestSolved; };
  const auto first = at(1);
  const auto second = at(2);
  if (!first || !second || *first == *second || !is_small(*first) || !is_small(*second) ||
      wanted < 0 || !is_small(wanted))
    return std::nullopt;
  const Dim guess = 1 + (wanted - *first) / (*second - *first);
  // Quotients round: the right one is near.
  for (const Dim symbol : {guess, guess - 1, guess + 1})
    if (symbol >= 0 && at(symbol) == wanted) return symbol;
  return std::nullopt;
}

class InputSettler {
 public:
  InputSettler(const ProgramInputs& program, const InputSettings& settings)
      : program_(program), settings_(settings) {}

  SettledInputs settle() {
    for (const ProgramInputs::Input& input : program_.inputs) declare(input);
    skeleton_.size_hints = result_.hints;
    const InputSettings fitting = applicable_settings(skeleton_, settings_);
    const InputStates states =
        settle_inputs(skeleton_, fitting, hinted_sizes(skeleton_), GuessedRanks());
    for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
      take_number(program_.inputs[i]);
      take_symbols(program_.inputs[i], states.shapes[i]);
    }
    for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
      compare(program_.inputs[i], states.shapes[i]);
      result_.dims.push_back(skeleton_.values[i].declared_dims);
    }
    check_ranges();
    return std::move(result_);
  }

 private:
  void declare(const ProgramInputs::Input& input) {
    skeleton_.main.inputs.push_back(static_cast<ValueId>(skeleton_.values.size()));
    GraphValue& value = skeleton_.values.emplace_back();
    value.name = input.name;
    value.declared.type = input.type;
    value.declared.dims.emplace();
    for (const StatedSize& size : input.dims) {
      DeclaredDim dim;
      if (size.number) {
        if (*size.number < 0)
          refuse_setting(fmt::format("input '{}' has a dimension of {}, and none can be below 0",
                                     input.name, *size.number));
        dim.size = *size.number;
      } else {
        dim.symbol = symbol_of(size);
      }
      value.declared_dims.push_back(dim);
      value.declared.dims->push_back(dim.size);
    }
    if (input.number && !input.number->number) (void)symbol_of(*input.number);
  }

  /// As people write it. Notes which size it has where nobody gives one.
  std::string_view symbol_of(const StatedSize& size) {
    const auto parsed = parse_size(size.expression);
    const std::string_view text =
        result_.texts.emplace_back(parsed ? to_string(*parsed) : std::string(size.expression));
    if (!parsed || parsed->kind == SizeExpression::Kind::Symbol) {
      hint(text, size.example);
      return text;
    }
    const std::set<std::string_view> symbols = symbols_in(*parsed);
    if (symbols.size() == 1 && size.example) {
      hint(*symbols.begin(), solved(*parsed, *size.example));
    } else {
      for (const std::string_view symbol : symbols) hint(symbol, std::nullopt);
    }
    return text;
  }

  void hint(std::string_view symbol, std::optional<std::int64_t> example) {
    const auto range = program_.ranges.find(symbol);
    Dim least = 1;
    if (range != program_.ranges.end() && range->second.least)
      least = std::max<Dim>(least, *range->second.least);
    const bool is_example = example && *example >= 0;
    SizeHint& known = result_.hints.try_emplace(std::string(symbol)).first->second;
    if (known.example) return;
    known = {is_example ? *example : least, is_example};
  }

  /// A whole number that users give, and that decides about sizes.
  void take_number(const ProgramInputs::Input& input) {
    if (!input.number || input.number->number) return;
    const auto parsed = parse_size(input.number->expression);
    if (!parsed || parsed->kind != SizeExpression::Kind::Symbol) return;
    const auto given = settings_.values.find(input.name);
    if (given != settings_.values.end() && !given->second.empty()) {
      bind(parsed->name, given->second.front().as_integer(), input.name);
      return;
    }
    const SizeHint& hinted = result_.hints.at(std::string(parsed->name));
    if (result_.symbols.try_emplace(std::string(parsed->name), hinted.size).second) {
      result_.notes.push_back(
          fmt::format("input '{}' counted as {} (set it with --value {}=NUMBER)", input.name,
                      hinted.size, input.name));
    }
  }

  void take_symbols(const ProgramInputs::Input& input, const InputShape& shape) {
    if (!shape.dims) return;
    for (std::size_t i = 0; i < input.dims.size() && i < shape.dims->size(); ++i) {
      if (input.dims[i].number) continue;
      const auto parsed = parse_size(input.dims[i].expression);
      if (!parsed) continue;
      const Dim size = (*shape.dims)[i].size;
      if (parsed->kind == SizeExpression::Kind::Symbol) {
        bind(parsed->name, size, input.name);
        continue;
      }
      const std::set<std::string_view> symbols = symbols_in(*parsed);
      if (symbols.size() != 1) continue;
      const auto symbol = solved(*parsed, size);
      if (!symbol) refuse_size(input, i, size);
      bind(*symbols.begin(), *symbol, input.name);
    }
  }

  void bind(std::string_view symbol, Dim size, std::string_view input) {
    const auto [known, added] = result_.symbols.try_emplace(std::string(symbol), size);
    if (added || known->second == size) return;
    refuse_setting(
        fmt::format("dimension '{}' would be {} for input '{}', but {} elsewhere; give "
                    "sizes that fit each other",
                    symbol, size, input, known->second));
  }

  [[noreturn]] void refuse_size(const ProgramInputs::Input& input, std::size_t axis,
                                Dim size) const {
    const DeclaredDim& dim =
        skeleton_.values[static_cast<std::size_t>(&input - program_.inputs.data())]
            .declared_dims[axis];
    const std::string must =
        dim.symbol.empty() ? std::to_string(dim.size) : std::string(dim.symbol);
    refuse_setting(fmt::format(
        "dimension {} of input '{}' must be {}, not {}: the program was exported so (export it "
        "anew with dynamic_shapes for other sizes)",
        axis, input.name, must, size));
  }

  /// What is fixed stays fixed: all sizes in the program follow from it.
  void compare(const ProgramInputs::Input& input, const InputShape& shape) const {
    if (!shape.dims) return;
    SizeTable sizes(result_.symbols);
    for (std::size_t i = 0; i < input.dims.size() && i < shape.dims->size(); ++i) {
      const auto must = sizes.value_of(input.dims[i]);
      if (must && *must != (*shape.dims)[i].size) refuse_size(input, i, (*shape.dims)[i].size);
    }
  }

  void check_ranges() const {
    for (const auto& [symbol, size] : result_.symbols) {
      const auto range = program_.ranges.find(symbol);
      if (range == program_.ranges.end()) continue;
      const auto& [least, most] = range->second;
      // PyTorch exports for sizes from 2 on and runs most programs with 1, too.
      const bool too_small = least && size < *least && !(*least == 2 && size == 1);
      if (!too_small && (!most || size <= *most)) continue;
      refuse_setting(fmt::format("dimension '{}' cannot be {}: the program takes sizes {}", symbol,
                                 size, words_of(range->second)));
    }
  }

  static std::string words_of(const ProgramInputs::Range& range) {
    if (!range.most) return fmt::format("from {} on", range.least.value_or(0));
    return fmt::format("from {} to {}", range.least.value_or(0), *range.most);
  }

  const ProgramInputs& program_;
  const InputSettings& settings_;
  Graph skeleton_;  ///< Nothing but inputs.
  SettledInputs result_;
};

}  // namespace

SettledInputs settle(const ProgramInputs& inputs, const InputSettings& settings) {
  return InputSettler(inputs, settings).settle();
}

}  // namespace jouletree::model::pt2
