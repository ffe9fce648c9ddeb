// BERT (Devlin et al. 2018) and its 24 miniatures (Turc et al. 2019).
#include <fmt/format.h>

#include "zoo/architecture.hpp"
#include "zoo/bert_encoder.hpp"

namespace jouletree::zoo {
namespace {

constexpr std::int64_t kVocabulary = 30522;

void write_bert(ModelWriter& model, const Settings& settings) {
  const Value tokens = token_input(model, "input_ids");
  const Value mask = token_input(model, "attention_mask");
  const Value types = token_input(model, "token_type_ids");
  const Value positions = count_to(model, size_of(model, tokens, 1));
  write_bert_encoder(model, settings, {tokens, positions, types, mask}, 1e-12F);
}

struct Size {
  std::int64_t layers = 1;
  std::int64_t width = 64;
  std::int64_t vocabulary = kVocabulary;
};

Architecture bert_row(std::string name, std::int64_t parameters, const Size& size) {
  return {std::move(name),
          "BERT",
          parameters,
          {{"layers", size.layers},
           {"width", size.width},
           {"heads", size.width / 64},
           {"hidden", 4 * size.width},
           {"vocabulary", size.vocabulary},
           {"positions", 512},
           {"types", 2}},
          write_bert};
}

struct Miniature {
  std::int64_t layers;
  std::int64_t width;
  std::int64_t parameters;
};

constexpr Miniature kMiniatures[] = {
    {2, 128, 4'385'920},   {4, 128, 4'782'464},   {6, 128, 5'179'008},   {8, 128, 5'575'552},
    {10, 128, 5'972'096},  {12, 128, 6'368'640},  {2, 256, 9'591'040},   {4, 256, 11'170'560},
    {6, 256, 12'750'080},  {8, 256, 14'329'600},  {10, 256, 15'909'120}, {12, 256, 17'488'640},
    {2, 512, 22'458'880},  {4, 512, 28'763'648},  {6, 512, 35'068'416},  {8, 512, 41'373'184},
    {10, 512, 47'677'952}, {12, 512, 53'982'720}, {2, 768, 38'603'520},  {4, 768, 52'779'264},
    {6, 768, 66'955'008},  {8, 768, 81'130'752},  {10, 768, 95'306'496}, {12, 768, 109'482'240},
};

}  // namespace

std::vector<Architecture> bert_rows() {
  std::vector<Architecture> rows = {
      bert_row("bert-base-uncased", 109'482'240, {12, 768}),
      bert_row("bert-base-cased", 108'310'272, {12, 768, 28996}),
      bert_row("bert-base-multilingual-cased", 177'853'440, {12, 768, 119547}),
      bert_row("bert-large-uncased", 335'141'888, {24, 1024}),
      bert_row("bert-large-cased", 333'579'264, {24, 1024, 28996}),
  };
  for (const Miniature& mini : kMiniatures) {
    rows.push_back(bert_row(fmt::format("bert-l{}-h{}", mini.layers, mini.width), mini.parameters,
                            {mini.layers, mini.width}));
  }
  return rows;
}

}  // namespace jouletree::zoo
