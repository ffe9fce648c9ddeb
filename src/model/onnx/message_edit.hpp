#pragma once

#include <string>
#include <string_view>

#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>

#include "jouletree/value_type.hpp"

namespace jouletree::model::onnx {

using Reader = protozero::pbf_reader;

[[nodiscard]] inline Reader reader_of(std::string_view bytes) {
  return {bytes.data(), bytes.size()};
}

/// Of a field with a length: a text, bytes or a message.
[[nodiscard]] inline std::string_view content_of(Reader& reader) {
  const protozero::data_view bytes = reader.get_view();
  return {bytes.data(), bytes.size()};
}

/// Empty if there is no such field.
[[nodiscard]] inline std::string_view text_field(std::string_view message,
                                                 protozero::pbf_tag_type tag) {
  Reader reader = reader_of(message);
  return reader.next(tag) ? content_of(reader) : std::string_view();
}

/// The message, but fields for which `replace(tag, content, out)` is true are what it wrote to
/// `out`. The content of numbers is empty.
template <class Replace>
[[nodiscard]] std::string rewritten(std::string_view message, const Replace& replace) {
  std::string bytes;
  Reader reader = reader_of(message);
  while (true) {
    const char* const begin = reader.data().data();
    if (!reader.next()) break;
    const auto tag = reader.tag();
    std::string_view content;
    if (reader.wire_type() == protozero::pbf_wire_type::length_delimited) {
      content = content_of(reader);
    } else {
      reader.skip();
    }
    const std::string_view field(begin, static_cast<std::size_t>(reader.data().data() - begin));
    if (!replace(tag, content, bytes)) bytes.append(field);
  }
  return bytes;
}

/// Without type and shape if there is no `type`.
[[nodiscard]] std::string value_info(std::string_view name, const ValueType* type);

}  // namespace jouletree::model::onnx
