#pragma once

#include <string>

#include "jouletree/error.hpp"
#include "jouletree/graph.hpp"

namespace jouletree::engines {

/// What ONNX Runtime says about a model that it does not load or run, in our words: the file, the
/// node or input that it is about, and what to do.
[[nodiscard]] std::string refusal_text(const std::string& told, const Graph& model);

/// Calls `ask`; what the engine refuses names the model. Other errors pass.
template <class Ask>
auto refused_with(const Graph& model, const Ask& ask) {
  try {
    return ask();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::BadInput) throw;
    throw Error(error.kind(), refusal_text(error.what(), model));
  }
}

}  // namespace jouletree::engines
