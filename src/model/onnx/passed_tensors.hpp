#pragma once

#include <string_view>

#include "base/mapped_file.hpp"

namespace jouletree::model::onnx {

/// Stored tensors that the reader has passed in a mapped file. Touching a byte makes the kernel map
/// up to a few MiB around it: reading where every tensor begins would make most of a large file
/// count as memory of this process. So what lies behind is let go, a piece at a time.
class PassedTensors {
 public:
  /// Null where the tensors are in other memory: nothing is let go then.
  explicit PassedTensors(const MappedFile* file) : file_(file) {}

  [[nodiscard]] bool lets_go() const { return file_ != nullptr; }
  /// `tensor` stands behind those added before.
  void add(std::string_view tensor) {
    const char* const end = tensor.data() + tensor.size();
    if (first_ == nullptr || end < first_) first_ = tensor.data();
    const std::string_view passed(first_, static_cast<std::size_t>(end - first_));
    if (passed.size() < kPiece) return;
    file_->release(passed);
    first_ = end;
  }

 private:
  static constexpr std::size_t kPiece = std::size_t{24} << 20U;

  const MappedFile* file_;
  const char* first_ = nullptr;  ///< Of what was passed and not let go yet.
};

}  // namespace jouletree::model::onnx
