#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "model/onnx/onnx_builder.hpp"

namespace jouletree::model {

using ByteSink = std::function<void(std::string_view)>;

/// An initializer whose content is made only while it is written, so that no model has to fit into
/// memory.
struct StreamedTensor {
  std::string name;
  DataType type = DataType::Float32;
  Dims dims;
  /// Hands all bytes of the tensor to the sink, in as many pieces as it likes.
  std::function<void(const ByteSink&)> content;

  /// In bytes; unknown where a dimension is, or where it would not fit into 64 bits.
  [[nodiscard]] Count size() const;
  /// The same; throws std::logic_error if it is unknown.
  [[nodiscard]] std::size_t bytes() const;
};

/// Writes the model with the tensors as additional initializers. Throws std::logic_error if a
/// tensor hands over another number of bytes than its shape says.
void write_model(const OnnxBuilder& model, std::span<const StreamedTensor> tensors,
                 const ByteSink& out);

/// Engines map external data, which needs whole pages.
inline constexpr std::size_t kExternalAlignment = 4096;

/// Adds the tensors to the model as external data in the file `location`: one after the other, each
/// at a multiple of `kExternalAlignment`. Gives the size of that file.
std::size_t place_external(OnnxBuilder& model, std::span<const StreamedTensor> tensors,
                           std::string_view location);
/// The same, and hands over what belongs into that file.
void write_external(OnnxBuilder& model, std::span<const StreamedTensor> tensors,
                    std::string_view location, const ByteSink& out);

}  // namespace jouletree::model
