#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include <protozero/exception.hpp>
#include <protozero/types.hpp>
#include <protozero/varint.hpp>

#include "jouletree/error.hpp"

namespace jouletree::model::onnx {

// Field numbers of the messages in an ONNX file, named after the format's definition.
namespace model_field {
enum : protozero::pbf_tag_type {
  IrVersion = 1,
  ProducerName = 2,
  ProducerVersion = 3,
  Graph = 7,
  OpsetImport = 8,
  MetadataProps = 14,
  Functions = 25
};
}
namespace opset_field {
enum : protozero::pbf_tag_type { Domain = 1, Version = 2 };
}
namespace graph_field {
enum : protozero::pbf_tag_type {
  Node = 1,
  Name = 2,
  Initializer = 5,
  Input = 11,
  Output = 12,
  ValueInfo = 13,
  SparseInitializer = 15
};
}
namespace node_field {
enum : protozero::pbf_tag_type {
  Input = 1,
  Output = 2,
  Name = 3,
  OpType = 4,
  Attribute = 5,
  Domain = 7,
  Overload = 8,
  MetadataProps = 9
};
}
namespace attribute_field {
enum : protozero::pbf_tag_type {
  Name = 1,
  F = 2,
  I = 3,
  S = 4,
  T = 5,
  G = 6,
  Floats = 7,
  Ints = 8,
  Strings = 9,
  Tensors = 10,
  Graphs = 11,
  Type = 20,
  RefAttrName = 21,
  SparseTensor = 22
};
}
namespace tensor_field {
enum : protozero::pbf_tag_type {
  Dims = 1,
  DataType = 2,
  FloatData = 4,
  Int32Data = 5,
  StringData = 6,
  Int64Data = 7,
  Name = 8,
  RawData = 9,
  DoubleData = 10,
  Uint64Data = 11,
  ExternalData = 13,
  DataLocation = 14
};
}
namespace sparse_tensor_field {
enum : protozero::pbf_tag_type { Values = 1, Indices = 2, Dims = 3 };
}
namespace entry_field {
enum : protozero::pbf_tag_type { Key = 1, Value = 2 };
}
namespace value_info_field {
enum : protozero::pbf_tag_type { Name = 1, Type = 2 };
}
namespace type_field {
enum : protozero::pbf_tag_type {
  TensorType = 1,
  SequenceType = 4,
  MapType = 5,
  OpaqueType = 7,
  SparseTensorType = 8,
  OptionalType = 9
};
}
namespace typed_field {  // of tensor, sequence, optional types
enum : protozero::pbf_tag_type { ElemType = 1, Shape = 2 };
}
namespace shape_field {
enum : protozero::pbf_tag_type { Dim = 1 };
}
namespace dim_field {
enum : protozero::pbf_tag_type { DimValue = 1, DimParam = 2 };
}
namespace function_field {
enum : protozero::pbf_tag_type {
  Name = 1,
  Input = 4,
  Output = 5,
  Attribute = 6,
  Node = 7,
  OpsetImport = 9,
  Domain = 10,
  AttributeProto = 11,
  Overload = 13
};
}

/// Kinds as in AttributeProto.type.
enum class WireAttributeType : int {
  Undefined = 0,
  Float = 1,
  Int = 2,
  String = 3,
  Tensor = 4,
  Graph = 5,
  Floats = 6,
  Ints = 7,
  Strings = 8,
  Tensors = 9,
  Graphs = 10
};

/// A protobuf message read in place. Every getter checks that the field has the wire type it
/// expects; anything else, and any length beyond the end, throws. A model has tens of thousands of
/// fields whose tag and length take one byte each: these are read without a call, which compilers
/// do not see by themselves.
class Message {
 public:
  explicit Message(std::string_view bytes) : at_(bytes.data()), end_(at_ + bytes.size()) {}

  [[nodiscard, gnu::always_inline]] bool next() {
    if (at_ == end_) return false;
    const auto key = static_cast<std::uint32_t>(number());
    tag_ = key >> 3U;
    type_ = static_cast<protozero::pbf_wire_type>(key & 7U);
    if (!is_tag(tag_) || !is_wire_type(key & 7U)) refuse_key(tag_);
    return true;
  }
  [[nodiscard]] protozero::pbf_tag_type tag() const { return tag_; }
  [[gnu::always_inline]] void skip() {
    switch (type_) {
      case protozero::pbf_wire_type::varint: static_cast<void>(number()); break;
      case protozero::pbf_wire_type::fixed64: static_cast<void>(take(sizeof(std::uint64_t))); break;
      case protozero::pbf_wire_type::fixed32: static_cast<void>(take(sizeof(std::uint32_t))); break;
      default: static_cast<void>(take(length()));
    }
  }

  [[nodiscard, gnu::always_inline]] std::string_view text() {
    require(protozero::pbf_wire_type::length_delimited);
    const std::size_t size = length();
    return {take(size), size};
  }
  [[nodiscard]] Message message() { return Message(text()); }
  [[nodiscard]] std::int64_t integer() {
    require(protozero::pbf_wire_type::varint);
    return static_cast<std::int64_t>(number());
  }
  [[nodiscard]] float real() {
    require(protozero::pbf_wire_type::fixed32);
    return load_real(take(sizeof(float)));
  }
  [[nodiscard]] bool is_packed() const {
    return type_ == protozero::pbf_wire_type::length_delimited;
  }
  [[nodiscard]] bool is_integer() const { return type_ == protozero::pbf_wire_type::varint; }
  /// Adds the integers of a repeated field, packed or one at a time.
  template <class Integers>
  void append_integers(Integers& out) {
    if (!is_packed()) return out.push_back(integer());
    Message packed = message();
    while (packed.at_ != packed.end_) out.push_back(static_cast<std::int64_t>(packed.number()));
  }
  void append_reals(std::vector<float>& out) {
    if (!is_packed()) return out.push_back(real());
    const std::string_view packed = text();
    if (packed.size() % sizeof(float) != 0) throw protozero::invalid_length_exception{};
    for (std::size_t at = 0; at < packed.size(); at += sizeof(float))
      out.push_back(load_real(packed.data() + at));
  }

 private:
  static_assert(std::endian::native == std::endian::little);

  /// The format keeps some numbers for itself.
  static bool is_tag(protozero::pbf_tag_type tag) {
    return tag != 0 && (tag < 19000 || tag > 19999);
  }
  static bool is_wire_type(std::uint32_t type) {
    constexpr std::uint32_t kKnown = 0b100111;
    return ((kKnown >> type) & 1U) != 0;
  }
  static float load_real(const char* bytes) {
    float value = 0;
    std::memcpy(&value, bytes, sizeof value);
    return value;
  }

  [[nodiscard, gnu::always_inline]] std::uint64_t number() {
    if (at_ != end_ && static_cast<signed char>(*at_) >= 0)
      return static_cast<std::uint64_t>(*at_++);
    const LongNumber number = long_number(at_, end_);
    at_ = number.end;
    return number.value;
  }
  [[nodiscard]] std::size_t length() { return static_cast<protozero::pbf_length_type>(number()); }
  [[nodiscard]] const char* take(std::size_t bytes) {
    if (static_cast<std::size_t>(end_ - at_) < bytes) refuse_end();
    return std::exchange(at_, at_ + bytes);
  }
  void require(protozero::pbf_wire_type type) const {
    if (type_ != type) refuse_type();
  }

  // What is rare stays outside, so that the rest is short enough to be part of its callers.
  struct LongNumber {
    std::uint64_t value;
    const char* end;
  };
  [[gnu::noinline]] static LongNumber long_number(const char* at, const char* end) {
    const std::uint64_t value = protozero::decode_varint(&at, end);
    return {value, at};
  }
  [[noreturn, gnu::cold, gnu::noinline]] static void refuse_key(protozero::pbf_tag_type tag) {
    if (!is_tag(tag)) throw protozero::invalid_tag_exception{};
    throw protozero::unknown_pbf_wire_type_exception{};
  }
  [[noreturn, gnu::cold, gnu::noinline]] static void refuse_end() {
    throw protozero::end_of_buffer_exception{};
  }
  [[noreturn, gnu::cold, gnu::noinline]] static void refuse_type() {
    throw Error(ErrorKind::BadInput, "the file is damaged: a field has the wrong type");
  }

  const char* at_;
  const char* end_;
  protozero::pbf_tag_type tag_ = 0;
  protozero::pbf_wire_type type_ = protozero::pbf_wire_type::unknown;
};

}  // namespace jouletree::model::onnx
