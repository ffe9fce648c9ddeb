#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "zoo/model_writer.hpp"
#include "zoo/settings.hpp"

namespace jouletree::zoo {

/// One row of the zoo.
struct Architecture {
  std::string name;
  std::string_view family;
  std::int64_t parameters = 0;  ///< As published, or as the published configuration fixes them.
  Settings settings;            ///< As published; a user may change them.
  /// Adds inputs, nodes, weights and outputs. Throws Error(BadInput) for settings that do not fit
  /// together.
  void (*write)(ModelWriter& model, const Settings& settings);
  /// Of the parameters, those that only training reads: they are not in the file.
  std::int64_t training_only = 0;
};

// The rows of each family; one file per family.
[[nodiscard]] std::vector<Architecture> albert_rows();
[[nodiscard]] std::vector<Architecture> alexnet_rows();
[[nodiscard]] std::vector<Architecture> bert_rows();
[[nodiscard]] std::vector<Architecture> ctrl_rows();
[[nodiscard]] std::vector<Architecture> distilbert_rows();
[[nodiscard]] std::vector<Architecture> gpt_rows();
[[nodiscard]] std::vector<Architecture> mixed_rows();
[[nodiscard]] std::vector<Architecture> mobilenet_rows();
[[nodiscard]] std::vector<Architecture> nas_bench_rows();
[[nodiscard]] std::vector<Architecture> resnet_rows();
[[nodiscard]] std::vector<Architecture> roberta_rows();
[[nodiscard]] std::vector<Architecture> t5_rows();
[[nodiscard]] std::vector<Architecture> transformer_xl_rows();
[[nodiscard]] std::vector<Architecture> vgg_rows();
[[nodiscard]] std::vector<Architecture> xlm_rows();
[[nodiscard]] std::vector<Architecture> xlnet_rows();

}  // namespace jouletree::zoo
