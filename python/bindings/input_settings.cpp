#include "bindings/input_settings.hpp"

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include "jouletree/error.hpp"

namespace jouletree::python {
namespace {

namespace nb = nanobind;

[[noreturn]] void refuse(const char* argument, const std::string& name, nb::handle given,
                         const char* wanted) {
  throw Error(ErrorKind::BadInput, fmt::format("{}: '{}' is {}: {}", argument, name,
                                               nb::cast<std::string>(nb::repr(given)), wanted));
}

std::string name_from(const char* argument, nb::handle key) {
  if (nb::isinstance<nb::str>(key)) return nb::cast<std::string>(key);
  throw Error(ErrorKind::BadInput, fmt::format("{}: names are strings, but one is {}", argument,
                                               nb::cast<std::string>(nb::repr(key))));
}

/// Whatever counts as an integer for Python: int, and those of NumPy. True and False do not.
std::optional<std::int64_t> integer_from(nb::handle object) {
  if (PyBool_Check(object.ptr()) != 0 || PyIndex_Check(object.ptr()) == 0) return std::nullopt;
  const nb::object index = nb::steal(PyNumber_Index(object.ptr()));
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
  if (overflow != 0) return std::nullopt;
  return value;
}

/// Of something that is an index.
bool is_beyond_64_bits(nb::handle object) {
  const nb::object index = nb::steal(PyNumber_Index(object.ptr()));
  int overflow = 0;
  (void)PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
  return overflow > 0;
}

Dim size_from(const char* argument, const std::string& name, nb::handle given) {
  if (PyIndex_Check(given.ptr()) != 0 && is_beyond_64_bits(given))
    refuse(argument, name, given, "the size is too large");
  const std::optional<std::int64_t> size = integer_from(given);
  if (!size || *size < 0) refuse(argument, name, given, "give a size, an integer of 0 or more");
  return *size;
}

bool is_list(nb::handle object) {
  return PySequence_Check(object.ptr()) != 0 && !nb::isinstance<nb::str>(object);
}

Dims shape_from(const std::string& name, nb::handle given) {
  if (!is_list(given)) refuse("inputs", name, given, "give its sizes, like (1, 3, 224, 224)");
  Dims dims;
  for (const nb::handle size : nb::borrow<nb::sequence>(given))
    dims.push_back(size_from("inputs", name, size));
  return dims;
}

Scalar scalar_from(const std::string& name, nb::handle given) {
  if (PyBool_Check(given.ptr()) != 0) return Scalar::boolean(given.ptr() == Py_True);
  if (const auto integer = integer_from(given)) return Scalar::integer(*integer);
  if (PyFloat_Check(given.ptr()) != 0) return Scalar::real(PyFloat_AsDouble(given.ptr()));
  refuse("values", name, given, "give a number, True or False, or a list of them");
}

Elements elements_from(const std::string& name, nb::handle given) {
  Elements elements;
  if (!is_list(given)) {
    elements.push_back(scalar_from(name, given));
    return elements;
  }
  for (const nb::handle one : nb::borrow<nb::sequence>(given))
    elements.push_back(scalar_from(name, one));
  return elements;
}

DataType type_from(const std::string& name, nb::handle given) {
  std::optional<DataType> type;
  if (nb::isinstance<nb::str>(given)) type = data_type_from_name(nb::cast<std::string>(given));
  if (!type) refuse("inputs", name, given, "give an element type like 'float32' or 'int64'");
  return *type;
}

}  // namespace

InputSettings input_settings(const nb::dict& shapes, const nb::dict& dims, const nb::dict& values,
                             const nb::dict& types) {
  InputSettings settings;
  for (const auto [key, value] : shapes) {
    const std::string name = name_from("inputs", key);
    settings.shapes[name] = shape_from(name, value);
  }
  for (const auto [key, value] : dims) {
    const std::string name = name_from("dims", key);
    settings.symbols[name] = size_from("dims", name, value);
  }
  for (const auto [key, value] : values) {
    const std::string name = name_from("values", key);
    settings.values[name] = elements_from(name, value);
  }
  for (const auto [key, value] : types) {
    const std::string name = name_from("inputs", key);
    settings.types[name] = type_from(name, value);
  }
  return settings;
}

}  // namespace jouletree::python
