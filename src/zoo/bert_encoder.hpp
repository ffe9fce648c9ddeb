#pragma once

#include "zoo/attention.hpp"
#include "zoo/settings.hpp"

namespace jouletree::zoo {

// What BERT and the models trained like it (RoBERTa, XLM-RoBERTa) have in common.

struct BertInputs {
  Value tokens;
  Value positions;  ///< Indices into the position embeddings.
  Value types;      ///< Indices into the token type embeddings.
  Value attention_mask;
};

/// Embeddings, all layers and the pooler; adds the outputs `last_hidden_state` and
/// `pooler_output`.
void write_bert_encoder(ModelWriter& model, const Settings& settings, const BertInputs& inputs,
                        float epsilon);

}  // namespace jouletree::zoo
