#include "model/operators/einsum.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "base/number_of.hpp"
#include "model/operators/cost_math.hpp"
#include "model/operators/shape_math.hpp"

namespace jouletree::model {
namespace {

constexpr std::string_view kEllipsis = "...";

/// One side of the equation for one tensor: the labels before and after an ellipsis.
struct Term {
  std::string before;
  std::string after;
  bool has_ellipsis = false;

  [[nodiscard]] std::size_t labels() const { return before.size() + after.size(); }
};

bool is_letter(char character) {
  return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z');
}

Term parse_term(const Call& call, std::string_view text) {
  Term term;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_letter(text[i])) {
      (term.has_ellipsis ? term.after : term.before) += text[i];
    } else if (text.substr(i, kEllipsis.size()) == kEllipsis && !term.has_ellipsis) {
      term.has_ellipsis = true;
      i += kEllipsis.size() - 1;
    } else {
      call.fail(fmt::format("its equation has the odd term '{}'", text));
    }
  }
  return term;
}

struct Equation {
  std::vector<Term> inputs;
  std::optional<Term> output;  ///< Where the equation spells it out.
};

Equation parse_equation(const Call& call) {
  std::string text(call.attribute("equation", ""));
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  Equation equation;
  std::string_view left = text;
  const std::size_t arrow = text.find("->");
  if (arrow != std::string::npos) {
    equation.output = parse_term(call, left.substr(arrow + 2));
    left = left.substr(0, arrow);
  }
  while (true) {
    const std::size_t comma = left.find(',');
    equation.inputs.push_back(parse_term(call, left.substr(0, comma)));
    if (comma == std::string_view::npos) break;
    left.remove_prefix(comma + 1);
  }
  if (equation.inputs.size() != call.input_count()) {
    call.fail(fmt::format("its equation has {} for {}", number_of(equation.inputs.size(), "term"),
                          number_of(call.input_count(), "input")));
  }
  return equation;
}

/// LabelSizes of everything that an equation names.
struct LabelSizes {
  std::array<Dim, 128> of_label{};
  std::array<int, 128> uses{};
  Dims ellipsis;
  bool ellipsis_known = true;

  LabelSizes() { of_label.fill(1); }
  Dim& operator[](char label) { return of_label[static_cast<unsigned char>(label) % 128]; }
  int& used(char label) { return uses[static_cast<unsigned char>(label) % 128]; }
};

void join(const Call& call, LabelSizes& sizes, char label, Dim dim) {
  ++sizes.used(label);
  Dim& size = sizes[label];
  if (dim == 1) return;
  if (size == 1) {
    size = dim;
  } else if (dim != kUnknownDim) {
    if (size != kUnknownDim && size != dim)
      call.fail(fmt::format("label '{}' of its equation has sizes {} and {}", label, size, dim));
    size = dim;
  }
}

void join_operand(const Call& call, LabelSizes& sizes, const Term& term, const Dims* dims) {
  if (dims == nullptr) {
    for (const char label : term.before + term.after) join(call, sizes, label, kUnknownDim);
    sizes.ellipsis_known = sizes.ellipsis_known && !term.has_ellipsis;
    return;
  }
  if (dims->size() < term.labels() || (dims->size() > term.labels() && !term.has_ellipsis)) {
    call.fail(fmt::format("its equation has {} labels for an input of shape {}", term.labels(),
                          to_string(*dims)));
  }
  const std::size_t hidden = dims->size() - term.labels();
  for (std::size_t i = 0; i < term.before.size(); ++i)
    join(call, sizes, term.before[i], (*dims)[i]);
  for (std::size_t i = 0; i < term.after.size(); ++i)
    join(call, sizes, term.after[i], (*dims)[term.before.size() + hidden + i]);
  const auto first = dims->begin() + static_cast<std::ptrdiff_t>(term.before.size());
  const Dims covered(first, first + static_cast<std::ptrdiff_t>(hidden));
  sizes.ellipsis = broadcast(call, sizes.ellipsis, covered);
}

LabelSizes sizes_of(const Call& call, const Equation& equation) {
  LabelSizes sizes;
  for (std::size_t i = 0; i < equation.inputs.size(); ++i)
    join_operand(call, sizes, equation.inputs[i], call.dims(i));
  return sizes;
}

/// Labels that are used once, in the order of the alphabet, behind the ellipsis.
Term implicit_output(const Equation& equation, LabelSizes& sizes) {
  Term output;
  output.has_ellipsis = std::any_of(equation.inputs.begin(), equation.inputs.end(),
                                    [](const Term& term) { return term.has_ellipsis; });
  for (char label = 'A'; label <= 'z'; ++label)
    if (is_letter(label) && sizes.used(label) == 1) output.after += label;
  return output;
}

/// Combinations of all labels.
Count combinations(LabelSizes& sizes) {
  Count product = sizes.ellipsis_known ? elements_of(sizes.ellipsis) : Count::unknown();
  for (char label = 'A'; label <= 'z'; ++label)
    if (sizes.used(label) > 0) product = product * count_of(sizes[label]);
  return product;
}

}  // namespace

void einsum(Call& call) {
  const Equation equation = parse_equation(call);
  LabelSizes sizes = sizes_of(call, equation);
  const Term output = equation.output ? *equation.output : implicit_output(equation, sizes);
  if (output.has_ellipsis && !sizes.ellipsis_known) return call.set_unknown(0, call.type(0));
  Dims dims;
  const auto append = [&](const std::string& labels) {
    for (const char label : labels) {
      if (sizes.used(label) == 0)
        call.fail(fmt::format("label '{}' is only in the output of its equation", label));
      dims.push_back(sizes[label]);
    }
  };
  append(output.before);
  if (output.has_ellipsis) dims.insert(dims.end(), sizes.ellipsis.begin(), sizes.ellipsis.end());
  append(output.after);
  call.set(0, call.type(0), std::move(dims));
}

OperatorWork einsum_work(const Call& call) {
  LabelSizes sizes = sizes_of(call, parse_equation(call));
  const Count all = combinations(sizes);
  if (call.input_count() > 1)
    return multiply_accumulates(all * Count(static_cast<std::int64_t>(call.input_count()) - 1));
  // One operand is summed over what the output leaves out, or only moved.
  const Count outputs = call.output(0).elements();
  return {0, outputs.known() && all == outputs ? Count(0) : all};
}

}  // namespace jouletree::model
