#pragma once

#include "support/program_builder.hpp"

namespace jouletree::test {

/// A linear layer of 3 to 5 numbers with an open batch, in the module "head".
inline ProgramBuilder linear_program() {
  const std::string batch = "Symbol('s77', positive=True, integer=True)";
  ProgramBuilder program;
  program.parameter("p_weight", "head.weight", {"5", "3"}).parameter("p_bias", "head.bias", {"5"});
  program.input("x", {batch, "3"}).tensor("linear", {batch, "5"}).range("s77", "2", "64");
  program.node("torch.ops.aten.linear.default",
               {ProgramBuilder::given("x"), ProgramBuilder::given("p_weight"),
                ProgramBuilder::given("p_bias")},
               {"linear"}, "L__self__,,net.Net;L__self___head,head,torch.nn.modules.linear.Linear");
  return program.output("linear");
}

/// x -> cond(x > 0): a product, or x as it is.
inline ProgramBuilder choosing_program() {
  ProgramBuilder costly;
  costly.tensor("x", {"4", "3"}).tensor("w", {"3", "3"}).tensor("y", {"4", "3"});
  costly.node("torch.ops.aten.linear.default",
              {ProgramBuilder::given("x"), ProgramBuilder::given("w")}, {"y"});
  ProgramBuilder cheap;
  cheap.tensor("x", {"4", "3"}).tensor("w", {"3", "3"}).tensor("y", {"4", "3"});
  cheap.node("torch.ops.aten.relu.default", {ProgramBuilder::given("x")}, {"y"});
  ProgramBuilder program;
  program.input("x", {"4", "3"}).parameter("p", "w", {"3", "3"});
  program.tensor("pred", {}, 12).tensor("z", {"4", "3"});
  program.node("torch.ops.aten.any.default", {ProgramBuilder::given("x")}, {"pred"});
  program.node(
      "torch.ops.higher_order.cond",
      {ProgramBuilder::given("pred"), costly.as_graph({"x", "w"}, {"y"}),
       cheap.as_graph({"x", "w"}, {"y"}), R"({"as_tensors": [{"name": "x"}, {"name": "p"}]})"},
      {"z"});
  return program.output("z");
}

/// A product of rows of x, in the body of an operator that takes it and these lists.
inline ProgramBuilder looping_program(const std::string& op,
                                      const std::vector<std::string>& lists) {
  ProgramBuilder body;
  body.tensor("row", {"3"}).tensor("w", {"3", "3"}).tensor("y", {"3"});
  body.node("torch.ops.aten.linear.default",
            {ProgramBuilder::given("row"), ProgramBuilder::given("w")}, {"y"});
  ProgramBuilder program;
  program.input("x", {"7", "3"}).parameter("p", "w", {"3", "3"}).tensor("z", {"7", "3"});
  std::vector<std::string> arguments = {body.as_graph({"row", "w"}, {"y"})};
  arguments.insert(arguments.end(), lists.begin(), lists.end());
  program.node("torch.ops.higher_order." + op, arguments, {"z"});
  return program.output("z");
}

}  // namespace jouletree::test
