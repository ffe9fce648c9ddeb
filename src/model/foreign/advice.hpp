#pragma once

#include <string_view>

namespace jouletree::model::foreign {

inline constexpr std::string_view kExportFromTorch =
    "export the model from the Python code that made it: torch.onnx.export(model, example, "
    "'model.onnx')";

}  // namespace jouletree::model::foreign
