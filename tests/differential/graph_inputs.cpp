#include "graph_inputs.hpp"

#include <set>
#include <stdexcept>

#include <protozero/exception.hpp>
#include <protozero/pbf_reader.hpp>

#include "engine_inputs.hpp"

namespace jouletree::test {
namespace {

DeclaredDim read_dim(protozero::pbf_reader dim) {
  DeclaredDim result;
  while (dim.next()) {
    if (dim.tag() == 1) {
      result.size = dim.get_int64();
    } else if (dim.tag() == 2) {
      result.symbol = dim.get_string();
    } else {
      dim.skip();
    }
  }
  return result;
}

void read_tensor_type(protozero::pbf_reader type, DeclaredInput& input) {
  while (type.next()) {
    if (type.tag() == 1) {
      input.onnx_type = type.get_int32();
    } else if (type.tag() == 2) {
      input.has_shape = true;
      protozero::pbf_reader shape = type.get_message();
      while (shape.next(1)) input.dims.push_back(read_dim(shape.get_message()));
    } else {
      type.skip();
    }
  }
}

void read_type(protozero::pbf_reader type, DeclaredInput& input) {
  while (type.next()) {
    switch (type.tag()) {
      case 1:
        input.kind = "tensor";
        read_tensor_type(type.get_message(), input);
        continue;
      case 4: input.kind = "sequence"; break;
      case 5: input.kind = "map"; break;
      case 8: input.kind = "sparse tensor"; break;
      case 9: input.kind = "optional"; break;
      default: break;
    }
    type.skip();
  }
}

DeclaredInput read_input(protozero::pbf_reader value_info) {
  DeclaredInput input;
  while (value_info.next()) {
    if (value_info.tag() == 1) {
      input.name = value_info.get_string();
    } else if (value_info.tag() == 2) {
      read_type(value_info.get_message(), input);
    } else {
      value_info.skip();
    }
  }
  return input;
}

std::string initializer_name(protozero::pbf_reader tensor) {
  return tensor.next(8) ? tensor.get_string() : std::string{};
}

std::vector<DeclaredInput> parse_model(const std::string& bytes) {
  std::vector<DeclaredInput> declared;
  std::set<std::string> initialized;
  protozero::pbf_reader model(bytes);
  while (model.next(7)) {
    protozero::pbf_reader graph = model.get_message();
    while (graph.next()) {
      if (graph.tag() == 11) {
        declared.push_back(read_input(graph.get_message()));
      } else if (graph.tag() == 5) {
        initialized.insert(initializer_name(graph.get_message()));
      } else {
        graph.skip();
      }
    }
  }
  std::erase_if(declared, [&](const auto& input) { return initialized.contains(input.name); });
  return declared;
}

}  // namespace

std::vector<DeclaredInput> read_graph_inputs(const std::filesystem::path& model) {
  try {
    return parse_model(read_bytes(model));
  } catch (const protozero::exception& error) {
    throw std::runtime_error(model.string() + " is no ONNX file: " + error.what());
  }
}

}  // namespace jouletree::test
