#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace jouletree::model::foreign {

/// One field of a protobuf message whose definition is not known.
struct MessageField {
  enum class Wire : std::uint8_t { Number = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };
  std::uint32_t tag = 0;
  Wire wire = Wire::Number;
  std::uint64_t number = 0;   ///< Of Wire::Number.
  std::string_view bytes;     ///< Of Wire::Bytes, as far as they are there.
  std::uint64_t missing = 0;  ///< Bytes of this field that lie beyond the end.
};

struct Message {
  std::vector<MessageField> fields;
  bool is_whole = false;  ///< All bytes are fields.

  [[nodiscard]] const MessageField* find(std::uint32_t tag) const;
  /// The bytes of the first field of that tag, or nothing.
  [[nodiscard]] std::string_view bytes_of(std::uint32_t tag) const;
};

/// The first fields of what may be a message, at most `most`. Never throws.
[[nodiscard]] Message message_of(std::string_view bytes, std::size_t most = 64);

}  // namespace jouletree::model::foreign
