#include <set>

#include "model/torchscript/translations.hpp"

namespace jouletree::model::torchscript {

void attention(NodeDraft& draft) { draft.take({0, 1, 2, 3}); }
void attention_without_mask(NodeDraft& draft) { draft.take({0, 1, 2}); }
void cpu_attention(NodeDraft& draft) { draft.take({0, 1, 2, 5}); }

void attention_heads_last(NodeDraft& draft) {
  draft.take({0, 1, 2});
  draft.set("heads_axis", std::int64_t{2});
}

void biased_attention_heads_last(NodeDraft& draft) {
  draft.take({0, 1, 2, 3});
  draft.set("heads_axis", std::int64_t{2});
}

void attention_gradient(NodeDraft& draft) { draft.take({0, 1, 2, 3, 4, 5}); }

void attention_gradient_heads_last(NodeDraft& draft) {
  attention_gradient(draft);
  draft.set("heads_axis", std::int64_t{2});
}

void native_attention(NodeDraft& draft) {
  draft.take({0, 5, 6, 7, 8});
  draft.set("heads", draft.argument(4).integer);
}

void transformer_layer(NodeDraft& draft) {
  draft.take({0, 3, 4, 5, 6, 10, 11, 12, 13, 14, 15, 16, 17});
  draft.set("heads", draft.argument(2).integer);
}

void recurrent_layer(NodeDraft& draft) {
  constexpr std::int64_t kWeights = 4;  // Of input and state, and their biases.
  draft.take_all_tensors();
  draft.set("weights", kWeights);
}

void packed_recurrent_stack(NodeDraft& draft) {
  draft.take({0});
  std::set<std::uint64_t> taken;
  draft.take_tensors(draft.argument(2), [&](const runtime::RecordedTensor& weight) {
    return taken.insert(weight.number).second;  // Biases are packed beside their matrix, too.
  });
  draft.set("weights", static_cast<std::int64_t>(taken.size()));
}

void recurrent_stack(NodeDraft& draft) {
  draft.take_all_tensors();
  draft.set("weights", static_cast<std::int64_t>(draft.argument(1).items.size()));
}

}  // namespace jouletree::model::torchscript
