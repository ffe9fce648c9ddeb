#include "model/foreign/message_fields.hpp"

#include <algorithm>
#include <optional>

namespace jouletree::model::foreign {
namespace {

std::optional<std::uint64_t> take_number(std::string_view& bytes) {
  constexpr std::size_t kLongest = 10;
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < std::min(bytes.size(), kLongest); ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    number |= static_cast<std::uint64_t>(byte & 0x7FU) << (7 * i);
    if ((byte & 0x80U) != 0) continue;
    bytes.remove_prefix(i + 1);
    return number;
  }
  return std::nullopt;
}

std::optional<MessageField> take_field(std::string_view& bytes) {
  using Wire = MessageField::Wire;
  const auto key = take_number(bytes);
  if (!key || *key < 8 || *key > 0xFFFFFFFF) return std::nullopt;
  MessageField field{
      static_cast<std::uint32_t>(*key >> 3U), static_cast<Wire>(*key & 7U), 0, {}, 0};
  std::uint64_t size = 0;
  switch (field.wire) {
    case Wire::Fixed64: size = 8; break;
    case Wire::Fixed32: size = 4; break;
    case Wire::Number:
    case Wire::Bytes: {
      const auto number = take_number(bytes);
      if (!number) return std::nullopt;
      (field.wire == Wire::Number ? field.number : size) = *number;
      break;
    }
    default: return std::nullopt;
  }
  const std::size_t there = std::min<std::uint64_t>(size, bytes.size());
  field.bytes = bytes.substr(0, there);
  field.missing = size - there;
  bytes.remove_prefix(there);
  return field;
}

}  // namespace

const MessageField* Message::find(std::uint32_t tag) const {
  const auto found = std::find_if(fields.begin(), fields.end(),
                                  [&](const MessageField& field) { return field.tag == tag; });
  return found == fields.end() ? nullptr : &*found;
}

std::string_view Message::bytes_of(std::uint32_t tag) const {
  const MessageField* field = find(tag);
  return field == nullptr ? std::string_view() : field->bytes;
}

Message message_of(std::string_view bytes, std::size_t most) {
  Message message;
  while (!bytes.empty() && message.fields.size() < most) {
    const auto field = take_field(bytes);
    if (!field) return message;
    message.fields.push_back(*field);
    if (field->missing > 0) return message;
  }
  message.is_whole = bytes.empty();
  return message;
}

}  // namespace jouletree::model::foreign
