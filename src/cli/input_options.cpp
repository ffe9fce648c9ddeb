#include "cli/input_options.hpp"

#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace jouletree::cli {
namespace {

[[noreturn]] void fail(const std::string& flag, const std::string& text,
                       const std::string& wanted) {
  throw Error(ErrorKind::BadInput, fmt::format("{} {}: {}", flag, text, wanted));
}

/// Names may contain '=' themselves, sizes never do.
std::pair<std::string, std::string> split_setting(const std::string& flag, const std::string& text,
                                                  const std::string& wanted) {
  const std::size_t at = text.rfind('=');
  if (at == std::string::npos || at == 0 || at + 1 == text.size()) fail(flag, text, wanted);
  return {text.substr(0, at), text.substr(at + 1)};
}

Dim parse_size(const std::string& flag, const std::string& text, std::string_view size,
               const std::string& wanted) {
  Dim value = 0;
  const auto [end, error] = std::from_chars(size.data(), size.data() + size.size(), value);
  const bool is_number = end == size.data() + size.size() && !size.empty();
  if (is_number && error == std::errc::result_out_of_range)
    fail(flag, text, fmt::format("the size {} is too large", size));
  if (error != std::errc{} || !is_number) fail(flag, text, wanted);
  if (value < 0) fail(flag, text, fmt::format("a size is 0 or more, not {}; {}", size, wanted));
  return value;
}

std::vector<std::string> split_list(const std::string& text, const char* separators) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (true) {
    const std::size_t end = text.find_first_of(separators, begin);
    parts.push_back(text.substr(begin, end - begin));
    if (end == std::string::npos) return parts;
    begin = end + 1;
  }
}

DataType parse_type(const std::string& text, const std::string& name) {
  const std::optional<DataType> type = data_type_from_name(name);
  if (!type) fail("--input", text, fmt::format("there is no element type '{}'", name));
  return *type;
}

Dims parse_shape(const std::string& text, const std::string& shape) {
  const std::string wanted = "give a shape like x=1x3x224x224, or x=scalar";
  Dims dims;
  if (shape == "scalar") return dims;
  for (const std::string& size : split_list(shape, "x,"))
    dims.push_back(parse_size("--input", text, size, wanted));
  return dims;
}

/// Also as Python writes it.
std::optional<bool> parse_truth(std::string_view text) {
  if (text == "true" || text == "True") return true;
  if (text == "false" || text == "False") return false;
  return std::nullopt;
}

Elements parse_values(const std::string& text, const std::string& list) {
  const std::string wanted = "give numbers like sr=16000 or axes=0,1, or flag=true";
  Elements elements;
  for (const std::string& part : split_list(list, ",")) {
    if (const auto truth = parse_truth(part)) {
      elements.push_back(Scalar::boolean(*truth));
      continue;
    }
    std::int64_t integer = 0;
    const char* const end = part.data() + part.size();
    if (const auto parsed = std::from_chars(part.data(), end, integer);
        parsed.ec == std::errc{} && parsed.ptr == end) {
      elements.push_back(Scalar::integer(integer));
      continue;
    }
    double real = 0;
    const auto parsed = std::from_chars(part.data(), end, real);
    if (parsed.ec != std::errc{} || parsed.ptr != end) fail("--value", text, wanted);
    elements.push_back(Scalar::real(real));
  }
  return elements;
}

}  // namespace

void InputOptions::add_to(CLI::App& command) {
  command
      .add_option("--input", shapes,
                  "Shape of an input, and its type where the file does not say it, e.g. "
                  "pixels=1x3x224x224 or ids=1x128:int64 (repeatable)")
      ->type_name("NAME=SHAPE")
      ->allow_extra_args(false);
  command
      .add_option(
          "--dim", symbols,
          "Size of a symbolic dimension, e.g. batch=8 (repeatable); unset ones are chosen to fit "
          "the model, and a note says how")
      ->type_name("NAME=SIZE")
      ->allow_extra_args(false);
  command
      .add_option("--value", values,
                  "Content of a small input that decides shapes or branches, e.g. sr=16000 or "
                  "use_cache_branch=true (repeatable)")
      ->type_name("NAME=VALUES")
      ->allow_extra_args(false);
}

InputSettings InputOptions::settings() const {
  InputSettings result;
  for (const std::string& text : shapes) {
    const auto [name, shape] = split_setting("--input", text, "give NAME=SHAPE like x=1x3x224x224");
    const std::size_t colon = shape.find(':');
    result.shapes[name] = parse_shape(text, shape.substr(0, colon));
    if (colon != std::string::npos) result.types[name] = parse_type(text, shape.substr(colon + 1));
  }
  for (const std::string& text : symbols) {
    const std::string wanted = "give NAME=SIZE like batch=8";
    const auto [name, size] = split_setting("--dim", text, wanted);
    result.symbols[name] = parse_size("--dim", text, size, wanted);
  }
  for (const std::string& text : values) {
    const auto [name, list] =
        split_setting("--value", text, "give NAME=VALUE like sr=16000 or flag=true");
    result.values[name] = parse_values(text, list);
  }
  return result;
}

}  // namespace jouletree::cli
