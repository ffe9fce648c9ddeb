#pragma once

#include <string>
#include <string_view>

namespace jouletree::test {

/// Gives every node of an ONNX model a name that says where it is, so that a kernel event can be
/// led back to its node: "n0", "n1", ... in the main graph, "<parent>.<attribute>.n0" in a subgraph
/// held by an attribute ("<parent>.<attribute>[1].n0" where an attribute holds a list of graphs).
/// Nodes inside model-local functions keep their names. All else is copied byte for byte.
/// Throws protozero::exception if the bytes are no protocol buffer message.
std::string rename_nodes(std::string_view model_bytes);

}  // namespace jouletree::test
