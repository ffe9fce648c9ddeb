#pragma once

#include <string>
#include <vector>

#include "support/sample_programs.hpp"

namespace jouletree::test {

struct SeedProgram {
  std::string name;
  ProgramBuilder program;
};

/// Programs of torch.export that reach every kind of node: plain ones, choices, loops, parts that
/// run as they are.
inline std::vector<SeedProgram> seed_programs() {
  const std::string x = R"({"as_tensors": [{"name": "x"}]})";
  const std::string p = R"({"as_tensors": [{"name": "p"}]})";
  const std::string none = R"({"as_tensors": []})";
  return {{"linear", linear_program()},
          {"choosing", choosing_program()},
          {"map", looping_program("map_impl", {x, p})},
          {"scan", looping_program("scan", {none, x, p})},
          {"associative_scan", looping_program("associative_scan", {x, p})},
          {"while_loop", looping_program("while_loop", {x, p})},
          {"wrapped", looping_program("wrap_with_set_grad_enabled", {x, p})}};
}

}  // namespace jouletree::test
