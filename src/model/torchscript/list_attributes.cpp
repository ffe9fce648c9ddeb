#include "model/torchscript/list_attributes.hpp"

namespace jouletree::model::torchscript {

void set_list(NodeDraft& draft, std::string_view name, const runtime::Argument& list,
              std::size_t axes) {
  if (auto numbers = NodeDraft::integers(list, axes)) draft.set(name, *std::move(numbers));
}

void set_padding(NodeDraft& draft, const runtime::Argument& padding, std::size_t axes) {
  if (padding.kind == runtime::Argument::Kind::Text) {
    if (padding.text == "same") draft.set("auto_pad", std::string("SAME_UPPER"));
    return;
  }
  auto pads = NodeDraft::integers(padding, axes);
  if (!pads) return;
  const std::vector<std::int64_t> ends = *pads;
  pads->insert(pads->end(), ends.begin(), ends.end());
  draft.set("pads", *pads);
}

}  // namespace jouletree::model::torchscript
