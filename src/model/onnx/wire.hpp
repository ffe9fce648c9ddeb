#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <protozero/pbf_reader.hpp>

#include "jouletree/error.hpp"

namespace jouletree::onnx {

// Field numbers of the messages in an ONNX file, named as in the format's definition.
namespace model_field {
enum : protozero::pbf_tag_type {
  ir_version = 1,
  producer_name = 2,
  producer_version = 3,
  graph = 7,
  opset_import = 8,
  functions = 25
};
}
namespace opset_field {
enum : protozero::pbf_tag_type { domain = 1, version = 2 };
}
namespace graph_field {
enum : protozero::pbf_tag_type {
  node = 1,
  name = 2,
  initializer = 5,
  input = 11,
  output = 12,
  value_info = 13,
  sparse_initializer = 15
};
}
namespace node_field {
enum : protozero::pbf_tag_type {
  input = 1,
  output = 2,
  name = 3,
  op_type = 4,
  attribute = 5,
  domain = 7,
  overload = 8,
  metadata_props = 9
};
}
namespace attribute_field {
enum : protozero::pbf_tag_type {
  name = 1,
  f = 2,
  i = 3,
  s = 4,
  t = 5,
  g = 6,
  floats = 7,
  ints = 8,
  strings = 9,
  tensors = 10,
  graphs = 11,
  type = 20,
  ref_attr_name = 21,
  sparse_tensor = 22
};
}
namespace tensor_field {
enum : protozero::pbf_tag_type {
  dims = 1,
  data_type = 2,
  float_data = 4,
  int32_data = 5,
  string_data = 6,
  int64_data = 7,
  name = 8,
  raw_data = 9,
  double_data = 10,
  uint64_data = 11,
  external_data = 13,
  data_location = 14
};
}
namespace sparse_tensor_field {
enum : protozero::pbf_tag_type { values = 1, indices = 2, dims = 3 };
}
namespace entry_field {
enum : protozero::pbf_tag_type { key = 1, value = 2 };
}
namespace value_info_field {
enum : protozero::pbf_tag_type { name = 1, type = 2 };
}
namespace type_field {
enum : protozero::pbf_tag_type {
  tensor_type = 1,
  sequence_type = 4,
  map_type = 5,
  opaque_type = 7,
  sparse_tensor_type = 8,
  optional_type = 9
};
}
namespace typed_field {  // of tensor, sequence, optional types
enum : protozero::pbf_tag_type { elem_type = 1, shape = 2 };
}
namespace shape_field {
enum : protozero::pbf_tag_type { dim = 1 };
}
namespace dim_field {
enum : protozero::pbf_tag_type { dim_value = 1, dim_param = 2 };
}
namespace function_field {
enum : protozero::pbf_tag_type {
  name = 1,
  input = 4,
  output = 5,
  attribute = 6,
  node = 7,
  opset_import = 9,
  domain = 10,
  attribute_proto = 11,
  overload = 13
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
    if (reader_.wire_type() != type) throw Error(ErrorKind::BadInput, "a field has the wrong type");
  }

  protozero::pbf_reader reader_;
};

}  // namespace jouletree::onnx
