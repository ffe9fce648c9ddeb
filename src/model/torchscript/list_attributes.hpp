#pragma once

#include "model/torchscript/node_draft.hpp"

namespace jouletree::model::torchscript {

/// Sets an attribute to a list of `axes` numbers; an argument that is none is left out.
void set_list(NodeDraft& draft, std::string_view name, const runtime::Argument& list,
              std::size_t axes);
/// ONNX lists the paddings of all beginnings, then those of all ends; here both are the same.
void set_padding(NodeDraft& draft, const runtime::Argument& padding, std::size_t axes);

}  // namespace jouletree::model::torchscript
