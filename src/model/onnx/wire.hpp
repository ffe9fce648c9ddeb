#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <protozero/pbf_reader.hpp>

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
/// expects; anything else, and any length beyond the end, throws.
class Message {
 public:
  explicit Message(std::string_view bytes) : reader_(bytes.data(), bytes.size()) {}

  [[nodiscard]] bool next() { return reader_.next(); }
  [[nodiscard]] protozero::pbf_tag_type tag() const { return reader_.tag(); }
  void skip() { reader_.skip(); }

  [[nodiscard]] std::string_view text() {
    require(protozero::pbf_wire_type::length_delimited);
    const protozero::data_view view = reader_.get_view();
    return {view.data(), view.size()};
  }
  [[nodiscard]] Message message() { return Message(text()); }
  [[nodiscard]] std::int64_t integer() {
    require(protozero::pbf_wire_type::varint);
    return reader_.get_int64();
  }
  [[nodiscard]] float real() {
    require(protozero::pbf_wire_type::fixed32);
    return reader_.get_float();
  }
  [[nodiscard]] bool is_packed() const {
    return reader_.wire_type() == protozero::pbf_wire_type::length_delimited;
  }
  [[nodiscard]] bool is_integer() const {
    return reader_.wire_type() == protozero::pbf_wire_type::varint;
  }
  /// Adds the integers of a repeated field, packed or one at a time.
  void append_integers(std::vector<std::int64_t>& out) {
    if (!is_packed()) return out.push_back(integer());
    for (const std::int64_t value : reader_.get_packed_int64()) out.push_back(value);
  }
  void append_reals(std::vector<float>& out) {
    if (!is_packed()) return out.push_back(real());
    for (const float value : reader_.get_packed_float()) out.push_back(value);
  }

 private:
  void require(protozero::pbf_wire_type type) const {
    if (reader_.wire_type() != type)
      throw Error(ErrorKind::BadInput, "the file is damaged: a field has the wrong type");
  }

  protozero::pbf_reader reader_;
};

}  // namespace jouletree::model::onnx
