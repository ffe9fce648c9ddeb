#pragma once

#include <string>
#include <string_view>

namespace jouletree::test {

/// An ONNX model with one more entry of metadata; texts must be shorter than 120 bytes together.
inline std::string with_metadata(std::string bytes, std::string_view key, std::string_view value) {
  const auto field = [](int number, const std::string& text) {
    return std::string{static_cast<char>(number << 3 | 2), static_cast<char>(text.size())} + text;
  };
  constexpr int kMetadataOfModel = 14;
  bytes += field(kMetadataOfModel, field(1, std::string(key)) + field(2, std::string(value)));
  return bytes;
}

}  // namespace jouletree::test
