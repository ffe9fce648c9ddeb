#pragma once

#include <string_view>

namespace jouletree::model::foreign {

inline constexpr std::string_view kExportFromTorch =
    "export the model from the Python code that made it: torch.onnx.export(model, example, "
    "'model.onnx')";

inline constexpr std::string_view kGiveSource =
    "export the model that it was made from to ONNX, and give that file";

inline constexpr std::string_view kConvertTrees =
    "load it in Python and convert it with onnxmltools, and give that ONNX file";

inline constexpr std::string_view kMergeAdapter =
    "merge it into its model in Python with PEFT's merge_and_unload(), save that with "
    "save_pretrained('merged'), and export it: optimum-cli export onnx --model merged onnx_model";

inline constexpr std::string_view kSaveTensorFlow =
    "load the checkpoint into its model, write that with tf.saved_model.save(model, "
    "'saved_model') and convert it: python -m tf2onnx.convert --saved-model saved_model --output "
    "model.onnx";

}  // namespace jouletree::model::foreign
