#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jouletree/inference.hpp"
#include "model/pt2/json_fields.hpp"
#include "model/pt2/tensor_facts.hpp"

namespace jouletree::model::pt2 {

/// What a program takes from its user, and the sizes that it leaves open.
struct ProgramInputs {
  struct Input {
    std::string_view name;
    DataType type = DataType::Undefined;
    std::vector<StatedSize> dims;
    /// Of a whole number that decides about sizes: what it is called there.
    std::optional<StatedSize> number;
  };
  struct Range {
    std::optional<std::int64_t> least;
    std::optional<std::int64_t> most;
  };

  std::vector<Input> inputs;
  std::map<std::string_view, Range> ranges;  ///< Of symbols.
};

/// Throws Error(BadInput) for a program whose signature cannot be read.
[[nodiscard]] ProgramInputs program_inputs(const dom::object& program);

/// The sizes with which a program is counted.
struct SettledInputs {
  SizeTable::Symbols symbols;
  std::vector<std::vector<DeclaredDim>> dims;  ///< Of the inputs, in their order.
  std::map<std::string, SizeHint, std::less<>> hints;
  std::deque<std::string> texts;  ///< Own the symbols of `dims`.
  std::vector<std::string> notes;
};

/// Where the settings say nothing, sizes are those of the example that the program was exported
/// with. Throws Error(BadInput) for settings that do not fit the program.
[[nodiscard]] SettledInputs settle(const ProgramInputs& inputs, const InputSettings& settings);

}  // namespace jouletree::model::pt2
