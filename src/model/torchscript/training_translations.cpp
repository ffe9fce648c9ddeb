#include <algorithm>

#include "model/torchscript/list_attributes.hpp"
#include "model/torchscript/translations.hpp"

namespace jouletree::model::torchscript {

void gelu_gradient(NodeDraft& draft) {
  draft.take({0, 1});
  if (draft.argument(2).kind == runtime::Argument::Kind::Text)
    draft.set("approximate", draft.argument(2).text);
}

void average_pool_gradient(NodeDraft& draft) {
  draft.take({0});
  const runtime::Argument& kernel = draft.argument(2);
  set_list(draft, "kernel_shape", kernel, std::max<std::size_t>(kernel.items.size(), 1));
}

void picked_loss(NodeDraft& draft) { draft.take({0, 1, 2}); }
void picked_loss_gradient(NodeDraft& draft) { draft.take({0, 1, 2, 3}); }

void fused_step(NodeDraft& draft) {
  draft.take_all_tensors();
  draft.set("weights", static_cast<std::int64_t>(draft.argument(0).items.size()));
}

}  // namespace jouletree::model::torchscript
