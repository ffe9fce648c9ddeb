#include "model/pt2/argument_reader.hpp"

#include <array>
#include <limits>
#include <optional>

namespace jouletree::model::pt2 {
namespace {

using runtime::Argument;
using ArgumentKind = runtime::Argument::Kind;

constexpr std::int64_t kByKeyword = 2;
/// Lists hold lists at most.
constexpr int kMostListed = 8;

Argument integer(std::int64_t value) {
  Argument argument;
  argument.kind = ArgumentKind::Integer;
  argument.integer = value;
  argument.real = static_cast<double>(value);
  return argument;
}

Argument real(double value) {
  Argument argument;
  argument.kind = ArgumentKind::Real;
  argument.real = value;
  return argument;
}

Argument text(std::string_view value) {
  Argument argument;
  argument.kind = ArgumentKind::Text;
  argument.text = value;
  if (value == "Infinity") return real(std::numeric_limits<double>::infinity());
  if (value == "-Infinity") return real(-std::numeric_limits<double>::infinity());
  if (value == "NaN") return real(std::numeric_limits<double>::quiet_NaN());
  return argument;
}

/// A number, a truth or a text as JSON has them.
Argument plain(const dom::element& element) {
  Argument argument;
  std::int64_t whole = 0;
  double fraction = 0;
  bool truth = false;
  std::string_view words;
  if (element.get(truth) == simdjson::SUCCESS) {
    argument.kind = ArgumentKind::Boolean;
    argument.integer = truth ? 1 : 0;
  } else if (element.get(whole) == simdjson::SUCCESS) {
    argument = integer(whole);
  } else if (element.get(fraction) == simdjson::SUCCESS) {
    argument = real(fraction);
  } else if (element.get(words) == simdjson::SUCCESS) {
    argument = text(words);
  }
  return argument;
}

class ArgumentReader {
 public:
  ArgumentReader(const ValueScope& scope, std::string_view reader)
      : scope_(scope), reader_(reader) {}

  Argument read(const dom::element& element) {
    const auto [kind, value] = tagged(element, reader_);
    return of_kind(kind, value);
  }

 private:
  Argument of_kind(std::string_view kind, const dom::element& value) {
    if (kind == "as_tensor") return tensor(value);
    if (kind == "as_name") return scope_.number(as_text(value, reader_));
    if (kind == "as_tensors" || kind == "as_nested_tensors") return list(value, true);
    if (kind == "as_optional_tensors" || kind == "as_sym_ints" || kind == "as_sym_bools" ||
        kind == "as_sym_floats" || kind == "as_ints" || kind == "as_floats" || kind == "as_bools" ||
        kind == "as_strings" || kind == "as_int_lists" || kind == "as_float_lists")
      return list(value, false);
    if (kind == "as_sym_int" || kind == "as_sym_bool" || kind == "as_sym_float" ||
        kind == "as_optional_tensor")
      return read(value);
    if (kind == "as_int" || kind == "as_bool" || kind == "as_string") return plain(value);
    if (kind == "as_float") {
      Argument number = plain(value);
      if (number.kind == ArgumentKind::Integer) number.kind = ArgumentKind::Real;
      return number;
    }
    return {};
  }

  Argument tensor(const dom::element& element) {
    const std::string_view name = text_at(as_object(element, reader_), "name", reader_);
    return scope_.tensor(name, reader_).argument;
  }

  Argument list(const dom::element& element, bool of_tensors) {
    if (++nested_ > kMostListed) refuse_field(reader_, "has lists in lists in lists");
    Argument argument;
    argument.kind = ArgumentKind::List;
    for (const dom::element item : as_array(element, reader_)) {
      if (item.is_array()) {
        argument.items.push_back(list(item, of_tensors));
      } else if (of_tensors) {
        argument.items.push_back(tensor(item));
      } else {
        argument.items.push_back(item.is_object() ? read(item) : plain(item));
      }
    }
    --nested_;
    return argument;
  }

  const ValueScope& scope_;
  std::string_view reader_;
  int nested_ = 0;
};

struct KeywordPlace {
  std::string_view op;
  std::string_view name;
  std::size_t position;
};

/// Arguments that operators take by name only, and that say what an operator has to do.
constexpr std::array kKeywordPlaces = {KeywordPlace{"aten::addmm", "beta", 3},
                                       KeywordPlace{"aten::addmm", "alpha", 4},
                                       KeywordPlace{"aten::baddbmm", "beta", 3},
                                       KeywordPlace{"aten::baddbmm", "alpha", 4},
                                       KeywordPlace{"aten::addmv", "beta", 3},
                                       KeywordPlace{"aten::addmv", "alpha", 4},
                                       KeywordPlace{"aten::addbmm", "beta", 3},
                                       KeywordPlace{"aten::addbmm", "alpha", 4},
                                       KeywordPlace{"aten::addmm_", "beta", 3},
                                       KeywordPlace{"aten::addmm_", "alpha", 4},
                                       KeywordPlace{"aten::gelu", "approximate", 1},
                                       KeywordPlace{"aten::gelu_", "approximate", 1},
                                       KeywordPlace{"aten::gelu_backward", "approximate", 2}};

std::optional<std::size_t> keyword_place(std::string_view op, std::string_view name) {
  for (const KeywordPlace& place : kKeywordPlaces)
    if (place.op == op && place.name == name) return place.position;
  return std::nullopt;
}

bool holds_tensor(const Argument& argument) {
  std::vector<const runtime::RecordedTensor*> tensors;
  runtime::collect_tensors(argument, tensors);
  return !tensors.empty();
}

}  // namespace

Argument read_argument(const dom::element& element, const ValueScope& scope,
                       std::string_view reader) {
  return ArgumentReader(scope, reader).read(element);
}

std::vector<Argument> read_arguments(const dom::array& inputs, std::string_view op,
                                     const ValueScope& scope, std::string_view reader) {
  std::vector<Argument> arguments;
  std::vector<Argument> named;
  for (const dom::element input : inputs) {
    const dom::object given = as_object(input, reader);
    const auto found = find_field(given, "arg");
    if (!found) refuse_field(reader, "has an argument without 'arg'");
    Argument argument = read_argument(*found, scope, reader);
    if (const auto place = keyword_place(op, find_text(given, "name"))) {
      if (arguments.size() <= *place) arguments.resize(*place + 1);
      arguments[*place] = std::move(argument);
    } else if (find_integer(given, "kind") != kByKeyword) {
      arguments.push_back(std::move(argument));
    } else if (holds_tensor(argument)) {
      named.push_back(std::move(argument));
    }
  }
  for (Argument& argument : named) arguments.push_back(std::move(argument));
  return arguments;
}

std::vector<std::string_view> tensor_names(const dom::element& output) {
  constexpr std::string_view kWhere = "an output";
  std::vector<std::string_view> names;
  const auto [kind, value] = tagged(output, kWhere);
  const auto add = [&](const dom::element& tensor) {
    names.push_back(text_at(as_object(tensor, kWhere), "name", kWhere));
  };
  if (kind == "as_tensor") {
    add(value);
  } else if (kind == "as_tensors") {
    for (const dom::element tensor : as_array(value, kWhere)) add(tensor);
  } else if (kind == "as_optional_tensors") {
    for (const dom::element item : as_array(value, kWhere))
      for (const std::string_view name : tensor_names(item)) names.push_back(name);
  } else if (kind == "as_optional_tensor") {
    return tensor_names(value);
  }
  return names;
}

}  // namespace jouletree::model::pt2
