#pragma once

#include <string_view>

namespace jouletree::test {

/// Compares the facts of the operator table with what the engine does, in the models so titled and
/// in plain ones of all other operators: views and work in place with where it puts results, the
/// kind of work with the MACs that are counted. Prints differences; false if there are any.
[[nodiscard]] bool operator_facts_hold(std::string_view title);

}  // namespace jouletree::test
