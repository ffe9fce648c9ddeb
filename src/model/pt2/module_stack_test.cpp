#include "model/pt2/module_stack.hpp"

#include <gtest/gtest.h>

namespace jouletree::model::pt2 {
namespace {

std::string text(const ModulePaths& paths, std::string_view stack) {
  std::string all;
  for (const runtime::RecordedModule& step : paths.steps(stack))
    all += "/" + step.name + ":" + step.type;
  return all;
}

TEST(ModuleStack, IsTheWayToTheInnermostModule) {
  const char* const stack =
      "L__self__,,net.Net;L__self___layers_0,layers.0,net.Block;L__self___layers_0_conv,"
      "layers.0.conv,torch.nn.modules.conv.Conv2d";
  ModulePaths paths;
  paths.add(stack);
  EXPECT_EQ(text(paths, stack), "/layers:/0:Block/conv:Conv2d");
}

TEST(ModuleStack, OfASecondCallIsThatOfTheFirst) {
  ModulePaths paths;
  paths.add("L__self__,,net.Net;L__self___fc@1,fc,torch.nn.modules.linear.Linear");
  EXPECT_EQ(text(paths, "L__self__,,net.Net;L__self___fc@1,fc,torch.nn.modules.linear.Linear"),
            "/fc:Linear");
}

TEST(ModuleStack, OfOlderFilesIsWrittenInPython) {
  ModulePaths paths;
  const char* const stack = "k,L['self'],net.Net;k,L['self'].layers[0].fc,torch.nn.Linear";
  paths.add(stack);
  EXPECT_EQ(text(paths, stack), "/layers:/0:/fc:Linear");
}

TEST(ModuleStack, SaysNothingWhereItIsEmptyOrStrange) {
  const ModulePaths paths;
  for (const char* stack :
       {"", ";", ",", "a", "a,b", ";;;", "_empty_nn_module_stack_from_metadata_hook,_empty,_empty"})
    EXPECT_EQ(text(paths, stack), "") << stack;
}

}  // namespace
}  // namespace jouletree::model::pt2
