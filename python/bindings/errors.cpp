#include "bindings/bindings.hpp"
#include "bindings/python_words.hpp"
#include "jouletree/error.hpp"

namespace jouletree::python {
namespace {

namespace nb = nanobind;

const char* class_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::Failed: return "Failed";
    case ErrorKind::BadInput: return "BadInput";
    case ErrorKind::Missing: return "Missing";
  }
  return "Error";
}

void translate(const std::exception_ptr& thrown, void* /*unused*/) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    const nb::object type = nb::module_::import_("jouletree.errors").attr(class_of(error.kind()));
    PyErr_SetString(type.ptr(), python_words(error.what()).c_str());
  }
}

}  // namespace

/// The classes are Python's, so that a traceback and a type checker see them where users do.
void bind_errors(nb::module_& /*module*/) { nb::register_exception_translator(translate); }

}  // namespace jouletree::python
