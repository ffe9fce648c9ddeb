#include "store/database/engine_name.hpp"

#include <cctype>
#include <string>

namespace jouletree::store {
namespace {

/// "onnxruntime" of "ONNX Runtime".
std::string letters_of(std::string_view name) {
  std::string letters;
  for (const char letter : name)
    if (std::isalnum(static_cast<unsigned char>(letter)) != 0)
      letters += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return letters;
}

}  // namespace

bool is_of_engine(std::string_view recorded, std::string_view flag) {
  return letters_of(recorded).find(letters_of(flag)) != std::string::npos;
}

}  // namespace jouletree::store
