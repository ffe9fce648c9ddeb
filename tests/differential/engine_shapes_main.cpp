// Prints what ONNX Runtime ran of a model, one JSON object per kernel call, to try things by hand:
//   engine_shapes model.onnx x=1,3,224,224 batch:2 sr=@16000
//   engine_shapes model.onnx --data test_data_set_0
// name=dims gives an input its shape, symbol:size a symbolic dimension its size, name=@values an
// input its elements.
#include <iostream>
#include <sstream>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "engine_run.hpp"

namespace {

using jouletree::test::EngineInput;
using jouletree::test::InputRequest;
using jouletree::test::KernelRun;
using jouletree::test::TensorShapeType;

template <typename T>
std::vector<T> parse_list(const std::string& text) {
  std::vector<T> numbers;
  std::istringstream stream(text);
  for (std::string item; std::getline(stream, item, ',');) {
    std::istringstream number(item);
    T value{};
    if (!(number >> value)) throw std::runtime_error("not a number: " + item);
    numbers.push_back(value);
  }
  return numbers;
}

InputRequest parse_request(const std::vector<std::string>& arguments) {
  InputRequest request;
  for (const std::string& argument : arguments) {
    const std::size_t equals = argument.find('=');
    const std::size_t colon = argument.rfind(':');
    if (equals != std::string::npos && argument.substr(equals + 1).starts_with('@')) {
      request.values[argument.substr(0, equals)] = parse_list<double>(argument.substr(equals + 2));
    } else if (equals != std::string::npos) {
      request.shapes[argument.substr(0, equals)] =
          parse_list<std::int64_t>(argument.substr(equals + 1));
    } else if (colon != std::string::npos) {
      request.dims[argument.substr(0, colon)] = std::stoll(argument.substr(colon + 1));
    } else {
      throw std::runtime_error("expected name=dims, name=@values or symbol:size: " + argument);
    }
  }
  return request;
}

nlohmann::ordered_json to_json(const std::vector<TensorShapeType>& tensors) {
  auto list = nlohmann::ordered_json::array();
  for (const TensorShapeType& tensor : tensors) {
    list.push_back({{"type", tensor.type}, {"dims", tensor.dims}});
  }
  return list;
}

void print_runs(const std::string& model, const std::vector<EngineInput>& inputs) {
  for (const KernelRun& run : jouletree::test::run_profiled(model, inputs)) {
    const nlohmann::ordered_json line = {{"node", run.node},
                                         {"op", run.op},
                                         {"inputs", to_json(run.inputs)},
                                         {"outputs", to_json(run.outputs)}};
    std::cout << line.dump() << '\n';
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.empty()) {
    std::cerr << "usage: engine_shapes MODEL [name=dims | name=@values | symbol:size]...\n"
                 "       engine_shapes MODEL --data FOLDER\n";
    return 2;
  }
  try {
    if (arguments.size() == 3 && arguments[1] == "--data") {
      print_runs(arguments[0], jouletree::test::read_test_data_set(arguments[0], arguments[2]));
    } else {
      const std::vector<std::string> rest(arguments.begin() + 1, arguments.end());
      print_runs(arguments[0], jouletree::test::random_inputs(arguments[0], parse_request(rest)));
    }
  } catch (const std::exception& error) {
    std::cerr << "engine_shapes: " << error.what() << '\n';
    return 2;
  }
  return 0;
}
