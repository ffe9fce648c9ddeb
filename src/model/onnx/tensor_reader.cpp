#include "model/onnx/tensor_reader.hpp"

#include <charconv>

#include <fmt/format.h>

#include "jouletree/elements.hpp"
#include "model/onnx/wire.hpp"

namespace jouletree::model::onnx {
namespace {

std::int64_t parse_integer(std::string_view text, const char* what) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 0)
    throw Error(ErrorKind::BadInput, fmt::format("external data with the bad {} '{}'", what, text));
  return value;
}

void read_external_entry(Message entry, ExternalData& external) {
  std::string_view key;
  std::string_view value;
  while (entry.next()) {
    switch (entry.tag()) {
      case entry_field::Key: key = entry.text(); break;
      case entry_field::Value: value = entry.text(); break;
      default: entry.skip();
    }
  }
  if (key == "location") external.path = std::filesystem::path(value);
  if (key == "offset") external.offset = parse_integer(value, "offset");
  if (key == "length") external.length = parse_integer(value, "length");
}

void check_external(const ExternalData& external, std::string_view tensor) {
  const auto normal = external.path.lexically_normal();
  const bool leaves = normal.is_absolute() || normal.empty() || *normal.begin() == "..";
  if (leaves) {
    throw Error(
        ErrorKind::BadInput,
        fmt::format("tensor '{}': external data '{}' is refused, because it lies outside the "
                    "model's folder",
                    tensor, external.path.string()));
  }
}

void check_dims(const StoredTensor& tensor) {
  for (const Dim dim : tensor.dims) {
    if (dim < 0) {
      throw Error(ErrorKind::BadInput,
                  fmt::format("tensor '{}' has the negative dimension {}", tensor.name, dim));
    }
  }
}

/// Text and floating elements stored one field each are counted, never kept.
void read_typed_data(Message& message, StoredTensor& tensor) {
  if (message.is_packed()) {
    tensor.packed = message.text();
  } else if (message.is_integer() &&
             static_cast<std::int64_t>(tensor.unpacked.size()) < kMaxElements) {
    tensor.unpacked.push_back(message.integer());
  } else {
    message.skip();
  }
}

/// What exporters write for a dimension that has no name. The same text stands for different sizes.
bool says_nothing(std::string_view symbol) {
  return symbol == "?" || symbol == "-1" || symbol == "*" || symbol == "None" || symbol == "none" ||
         symbol == "unk" || symbol == "unknown" || symbol == "dynamic";
}

void read_dimension(Message message, DeclaredDim& dim) {
  while (message.next()) {
    switch (message.tag()) {
      case dim_field::DimValue: dim.size = message.integer(); break;
      case dim_field::DimParam: dim.symbol = message.text(); break;
      default: message.skip();
    }
  }
  // Some exporters write a negative number for a dimension that is open.
  if (dim.size < 0) dim.size = kUnknownDim;
  if (says_nothing(dim.symbol)) dim.symbol = {};
}

void read_tensor_type(Message message, ValueType& type, std::vector<DeclaredDim>& dims) {
  while (message.next()) {
    if (message.tag() == typed_field::ElemType) {
      type.type = data_type_from_number(message.integer());
    } else if (message.tag() == typed_field::Shape) {
      type.dims.emplace();
      dims.clear();
      Message shape = message.message();
      while (shape.next()) {
        if (shape.tag() != shape_field::Dim) {
          shape.skip();
          continue;
        }
        DeclaredDim dim;
        read_dimension(shape.message(), dim);
        dims.push_back(dim);
        type.dims->push_back(dim.size);
      }
    } else {
      message.skip();
    }
  }
}

void read_type(Message message, ValueType& type, std::vector<DeclaredDim>& dims, int depth) {
  if (depth > kMaxNesting) throw Error(ErrorKind::BadInput, "types are nested too deeply");
  while (message.next()) {
    switch (message.tag()) {
      case type_field::TensorType: read_tensor_type(message.message(), type, dims); break;
      case type_field::SparseTensorType:
        type.kind = ValueKind::SparseTensor;
        read_tensor_type(message.message(), type, dims);
        break;
      case type_field::SequenceType:
      case type_field::OptionalType: {
        const auto kind =
            message.tag() == type_field::SequenceType ? ValueKind::Sequence : ValueKind::Optional;
        Message inner = message.message();
        while (inner.next()) {
          if (inner.tag() == typed_field::ElemType) {
            read_type(inner.message(), type, dims, depth + 1);
          } else {
            inner.skip();
          }
        }
        type.kind = kind;
        break;
      }
      case type_field::MapType:
        type.kind = ValueKind::Map;
        message.skip();
        break;
      case type_field::OpaqueType:
        type.kind = ValueKind::Opaque;
        message.skip();
        break;
      default: message.skip();
    }
  }
}

}  // namespace

StoredTensor read_tensor(Message message) {
  StoredTensor tensor;
  read_tensor(message, tensor);
  return tensor;
}

void read_tensor(Message message, StoredTensor& tensor) {
  Boxed<ExternalData> external;
  bool is_external = false;
  while (message.next()) {
    switch (message.tag()) {
      case tensor_field::Dims: message.append_integers(tensor.dims); break;
      case tensor_field::DataType: tensor.type = data_type_from_number(message.integer()); break;
      case tensor_field::Name: tensor.name = message.text(); break;
      case tensor_field::RawData: tensor.raw = message.text(); break;
      case tensor_field::FloatData:
      case tensor_field::Int32Data:
      case tensor_field::Int64Data:
      case tensor_field::DoubleData:
      case tensor_field::Uint64Data: read_typed_data(message, tensor); break;
      case tensor_field::ExternalData:
        if (!external) external.emplace();
        read_external_entry(message.message(), *external);
        break;
      case tensor_field::DataLocation: is_external = message.integer() == 1; break;
      default: message.skip();
    }
  }
  check_dims(tensor);
  if (!is_external) return;
  if (!external) external.emplace();
  check_external(*external, tensor.name);
  tensor.external = std::move(external);
}

StoredTensor read_sparse_tensor(Message message) {
  StoredTensor tensor;
  Dims dims;
  std::int64_t index_bytes = 0;
  while (message.next()) {
    if (message.tag() == sparse_tensor_field::Values) {
      tensor = read_tensor(message.message());
    } else if (message.tag() == sparse_tensor_field::Indices) {
      index_bytes = read_tensor(message.message()).bytes().value_or(0);
    } else if (message.tag() == sparse_tensor_field::Dims) {
      message.append_integers(dims);
    } else {
      message.skip();
    }
  }
  // Only the elements that are not zero are stored; their content is not followed.
  tensor.stored_elements = elements_of(tensor.dims).value();
  tensor.index_bytes = index_bytes;
  tensor.raw = {};
  tensor.packed = {};
  tensor.unpacked.clear();
  tensor.dims = std::move(dims);
  check_dims(tensor);
  return tensor;
}

ValueInfo read_value_info(Message message) {
  ValueInfo info;
  while (message.next()) {
    switch (message.tag()) {
      case value_info_field::Name: info.name = message.text(); break;
      case value_info_field::Type: read_type(message.message(), info.type, info.dims, 0); break;
      default: message.skip();
    }
  }
  return info;
}

}  // namespace jouletree::model::onnx
