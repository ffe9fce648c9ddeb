#include "bindings/recorded_run.hpp"

#include <unordered_map>

#include <fmt/format.h>

#include "jouletree/error.hpp"

namespace jouletree::python {
namespace {

namespace nb = nanobind;
using runtime::Argument;

[[noreturn]] void refuse(std::string_view what) {
  throw Error(ErrorKind::BadInput,
              fmt::format("the recording of the run cannot be read: {}; install the Python package "
                          "anew, so that all of its parts fit together",
                          what));
}

std::string_view text_of(nb::handle object) {
  Py_ssize_t size = 0;
  const char* text =
      PyUnicode_Check(object.ptr()) ? PyUnicode_AsUTF8AndSize(object.ptr(), &size) : nullptr;
  if (text == nullptr) {
    PyErr_Clear();
    refuse("something is no text");
  }
  return {text, static_cast<std::size_t>(size)};
}

std::int64_t integer_of(nb::handle object) {
  const std::int64_t number = PyLong_Check(object.ptr()) ? PyLong_AsLongLong(object.ptr()) : -1;
  if (number == -1 && (PyErr_Occurred() != nullptr || !PyLong_Check(object.ptr()))) {
    PyErr_Clear();
    refuse("something is no whole number of 64 bits");
  }
  return number;
}

/// A list or a tuple, which the objects around it keep.
class Items {
 public:
  explicit Items(nb::handle object) : object_(object.ptr()), is_list_(PyList_Check(object_)) {
    if (!is_list_ && !PyTuple_Check(object_)) refuse("something is no list");
  }
  [[nodiscard]] std::size_t size() const {
    return static_cast<std::size_t>(is_list_ ? PyList_GET_SIZE(object_)
                                             : PyTuple_GET_SIZE(object_));
  }
  [[nodiscard]] nb::handle at(std::size_t position) const {
    if (position >= size()) refuse("a list is too short");
    const auto index = static_cast<Py_ssize_t>(position);
    return is_list_ ? PyList_GET_ITEM(object_, index) : PyTuple_GET_ITEM(object_, index);
  }

 private:
  PyObject* object_;
  bool is_list_;
};

class Reader {
 public:
  runtime::RecordedRun read(const nb::tuple& recording) {
    const Items parts(recording);
    runtime::RecordedRun run;
    run.engine = text_of(parts.at(0));
    for_each(parts.at(1), [&](nb::handle one) { run.stored.push_back(stored(Items(one))); });
    for_each(parts.at(2), [&](nb::handle one) {
      const Items input(one);
      run.inputs.push_back({std::string(text_of(input.at(0))), argument(input.at(1))});
    });
    run.calls.reserve(Items(parts.at(3)).size());
    for_each(parts.at(3), [&](nb::handle one) { run.calls.push_back(call(Items(one))); });
    run.outputs = argument(parts.at(4));
    for_each(parts.at(5), [&](nb::handle one) { run.notes.emplace_back(text_of(one)); });
    return run;
  }

 private:
  template <class Function>
  static void for_each(nb::handle list, const Function& function) {
    const Items items(list);
    for (std::size_t i = 0; i < items.size(); ++i) function(items.at(i));
  }

  runtime::RecordedStore stored(const Items& item) {
    return {std::string(text_of(item.at(0))), runtime::stored_kind_from_name(text_of(item.at(1))),
            item.at(2).ptr() == Py_True, item.at(3).ptr() == Py_True, tensor(Items(item.at(4)))};
  }

  runtime::RecordedCall call(const Items& item) {
    runtime::RecordedCall call;
    call.op = text_of(item.at(0));
    call.overload = text_of(item.at(1));
    call.writes = item.at(2).ptr() == Py_True;
    call.phase = runtime::recorded_phase(text_of(item.at(3)));
    call.has_path = !item.at(4).is_none();
    if (call.has_path) call.path = path(item.at(4));
    call.arguments = arguments(item.at(5));
    call.outputs = arguments(item.at(6));
    return call;
  }

  /// Many calls have the very same one.
  const std::vector<runtime::RecordedModule>& path(nb::handle steps) {
    const auto [found, is_new] = paths_.try_emplace(steps.ptr());
    if (is_new)
      for_each(steps, [&](nb::handle step) {
        if (auto module = runtime::module_of_step(text_of(step)))
          found->second.push_back(std::move(*module));
      });
    return found->second;
  }

  runtime::RecordedTensor tensor(const Items& item) {
    runtime::RecordedTensor tensor;
    tensor.number = static_cast<std::uint64_t>(integer_of(item.at(0)));
    const auto [type, is_new] = types_.try_emplace(item.at(1).ptr());
    if (is_new)
      type->second = data_type_from_name(text_of(item.at(1))).value_or(DataType::Undefined);
    tensor.type = type->second;
    const Items dims(item.at(2));
    tensor.dims.reserve(dims.size());
    for (std::size_t i = 0; i < dims.size(); ++i) tensor.dims.push_back(integer_of(dims.at(i)));
    tensor.storage = static_cast<std::uint64_t>(integer_of(item.at(3)));
    return tensor;
  }

  std::vector<Argument> arguments(nb::handle list) {
    std::vector<Argument> arguments;
    const Items items(list);
    arguments.reserve(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) arguments.push_back(argument(items.at(i)));
    return arguments;
  }

  Argument of_dictionary(nb::handle value) {
    Argument argument;
    if (PyObject* const packed = PyDict_GetItemString(value.ptr(), "packed"); packed != nullptr) {
      argument.kind = Argument::Kind::Packed;
      argument.items = arguments(packed);
      return argument;
    }
    PyObject* const described = PyDict_GetItemString(value.ptr(), "tensor");
    if (described == nullptr) refuse("an argument is neither a tensor nor packed");
    if (described == Py_None) return argument;
    argument.kind = Argument::Kind::Tensor;
    argument.tensor = tensor(Items(described));
    return argument;
  }

  Argument argument(nb::handle value) {
    Argument argument;
    if (value.is_none()) return argument;
    if (PyDict_Check(value.ptr())) return of_dictionary(value);
    if (PyBool_Check(value.ptr())) {
      argument.kind = Argument::Kind::Boolean;
      argument.integer = value.ptr() == Py_True ? 1 : 0;
    } else if (PyLong_Check(value.ptr())) {
      argument.kind = Argument::Kind::Integer;
      argument.integer = integer_of(value);
      argument.real = static_cast<double>(argument.integer);
    } else if (PyFloat_Check(value.ptr())) {
      argument.kind = Argument::Kind::Real;
      argument.real = PyFloat_AsDouble(value.ptr());
    } else if (PyUnicode_Check(value.ptr())) {
      return runtime::argument_of_text(std::string(text_of(value)));
    } else {
      argument.kind = Argument::Kind::List;
      argument.items = arguments(value);
    }
    return argument;
  }

  // By objects that the recording keeps.
  std::unordered_map<PyObject*, std::vector<runtime::RecordedModule>> paths_;
  std::unordered_map<PyObject*, DataType> types_;
};

}  // namespace

runtime::RecordedRun recorded_run(const nb::tuple& recording) { return Reader().read(recording); }

}  // namespace jouletree::python
