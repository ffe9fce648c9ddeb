#pragma once

#include <string>
#include <vector>

#include "support/zip_bytes.hpp"

namespace jouletree::test {

/// Writes programs as torch.export.save does, as far as the tests need it. Sizes are texts:
/// numbers, or expressions as SymPy writes them.
class ProgramBuilder {
 public:
  using Sizes = std::vector<std::string>;

  /// Of the example that the program is made with, for all sizes that are expressions.
  ProgramBuilder& example(int size) {
    example_ = size;
    return *this;
  }
  ProgramBuilder& schema(const std::string& version) {
    schema_ = version;
    return *this;
  }
  ProgramBuilder& range(const std::string& symbol, const std::string& least,
                        const std::string& most) {
    add(ranges_, "\"" + symbol + "\": {\"min_val\": " + least + ", \"max_val\": " + most + "}");
    return *this;
  }
  ProgramBuilder& tensor(const std::string& name, const Sizes& sizes, int type = 7) {
    add(tensors_, "\"" + name + "\": " + meta(sizes, type, false));
    return *this;
  }
  ProgramBuilder& input(const std::string& name, const Sizes& sizes, int type = 7) {
    add(inputs_, R"({"user_input": {"arg": {"as_tensor": {"name": ")" + name + "\"}}}}");
    return tensor(name, sizes, type);
  }
  /// Stored in `file` of the archive.
  ProgramBuilder& parameter(const std::string& name, const std::string& path, const Sizes& sizes,
                            const std::string& file = "", bool trainable = true) {
    add(inputs_, R"({"parameter": {"arg": {"name": ")" + name + R"("}, "parameter_name": ")" +
                     path + "\"}}");
    add(weights_, "\"" + path + R"(": {"path_name": ")" + (file.empty() ? name : file) +
                      R"(", "is_param": true, "use_pickle": false, "tensor_meta": )" +
                      meta(sizes, 7, trainable) + "}");
    return tensor(name, sizes);
  }
  /// Arguments are JSON; every output is a tensor that tensor() describes.
  ProgramBuilder& node(const std::string& target, const std::vector<std::string>& arguments,
                       const std::vector<std::string>& outputs, const std::string& stack = "") {
    add(nodes_, node_text(target, arguments, outputs, stack));
    return *this;
  }
  ProgramBuilder& output(const std::string& name) {
    add(outputs_, R"({"user_output": {"arg": )" + given(name) + "}}");
    return *this;
  }

  /// {"as_tensor": {"name": "x"}}
  static std::string given(const std::string& tensor) {
    return R"({"as_tensor": {"name": ")" + tensor + "\"}}";
  }
  static std::string integers(const std::string& list) { return "{\"as_ints\": [" + list + "]}"; }
  /// This program as a part of another one; it takes its inputs from there.
  [[nodiscard]] std::string as_graph(const std::vector<std::string>& inputs,
                                     const std::vector<std::string>& outputs) const {
    return R"({"as_graph": {"name": "part", "graph": )" + graph(inputs, outputs) + "}}";
  }

  [[nodiscard]] std::string json() const {
    return R"({"graph_module": {"graph": )" + graph({}, {}) +
           R"(, "signature": {"input_specs": [)" + inputs_ + R"(], "output_specs": [)" + outputs_ +
           R"(]}, "module_call_graph": []}, "opset_version": {"aten": 10}, "range_constraints": {)" +
           ranges_ + R"(}, "schema_version": )" + schema_ + R"(, "torch_version": "2.13.0"})";
  }
  [[nodiscard]] std::vector<ZippedFile> files(bool deflated = false) const {
    return {{"net/models/model.json", json(), deflated},
            {"net/data/weights/model_weights_config.json", "{\"config\": {" + weights_ + "}}",
             deflated},
            {"net/archive_format", "pt2"},
            {"net/archive_version", "0"}};
  }
  [[nodiscard]] std::string bytes() const { return zip_bytes(files()); }

 private:
  static void add(std::string& list, const std::string& item) {
    list += (list.empty() ? "" : ", ") + item;
  }

  [[nodiscard]] std::string size(const std::string& text) const {
    const bool is_number = text.find_first_not_of("-0123456789") == std::string::npos;
    if (is_number) return "{\"as_int\": " + text + "}";
    return R"({"as_expr": {"expr_str": ")" + text + R"(", "hint": {"as_int": )" +
           std::to_string(example_) + "}}}";
  }

  [[nodiscard]] std::string meta(const Sizes& sizes, int type, bool trainable) const {
    std::string list;
    for (const std::string& one : sizes) add(list, size(one));
    return "{\"dtype\": " + std::to_string(type) + ", \"sizes\": [" + list +
           "], \"requires_grad\": " + (trainable ? "true" : "false") +
           R"(, "device": {"type": "cpu", "index": null}, "storage_offset": {"as_int": 0}, "layout": 7})";
  }

  static std::string node_text(const std::string& target, const std::vector<std::string>& arguments,
                               const std::vector<std::string>& outputs, const std::string& stack) {
    std::string given_list;
    for (const std::string& argument : arguments)
      add(given_list, R"({"name": "", "arg": )" + argument + R"(, "kind": 1})");
    std::string output_list;
    for (const std::string& name : outputs) add(output_list, given(name));
    return R"({"target": ")" + target + R"(", "inputs": [)" + given_list + R"(], "outputs": [)" +
           output_list + R"(], "metadata": {"nn_module_stack": ")" + stack + "\"}}";
  }

  [[nodiscard]] std::string graph(const std::vector<std::string>& inputs,
                                  const std::vector<std::string>& outputs) const {
    std::string input_list;
    for (const std::string& name : inputs) add(input_list, given(name));
    std::string output_list;
    for (const std::string& name : outputs) add(output_list, given(name));
    return R"({"inputs": [)" + input_list + R"(], "outputs": [)" + output_list +
           R"(], "nodes": [)" + nodes_ + R"(], "tensor_values": {)" + tensors_ +
           R"(}, "sym_int_values": {}, "sym_bool_values": {}})";
  }

  int example_ = 4;
  std::string schema_ = R"({"major": 8, "minor": 20})";
  std::string ranges_;
  std::string tensors_;
  std::string inputs_;
  std::string weights_;
  std::string nodes_;
  std::string outputs_;
};

}  // namespace jouletree::test
