#include "campaign/random_operators.hpp"

#include <charconv>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "base/number_of.hpp"
#include "jouletree/error.hpp"
#include "jouletree/inference.hpp"
#include "zoo/weightless_graph.hpp"

namespace jouletree::campaign {
namespace {

using Drawn = std::map<std::string, std::int64_t>;

/// Tries for each operator that is wanted.
constexpr std::int64_t kTries = 200;

/// SplitMix64: distributions of the standard library differ from one library to the next.
class Chance {
 public:
  explicit Chance(std::uint64_t seed) : state_(seed) {}
  std::uint64_t below(std::uint64_t limit) {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
    return (mixed ^ (mixed >> 31U)) % limit;
  }

 private:
  std::uint64_t state_;
};

std::int64_t value_of(std::string_view word, const Drawn& drawn, const std::string& place) {
  std::int64_t number = 0;
  const auto parsed = std::from_chars(word.data(), word.data() + word.size(), number);
  if (parsed.ec == std::errc() && parsed.ptr == word.data() + word.size()) return number;
  const auto found = drawn.find(std::string(word));
  if (found != drawn.end()) return found->second;
  throw Error(ErrorKind::BadInput,
              fmt::format("{}{} is neither a number nor a name under draw", place, word));
}

/// Products and quotients, from left to right.
std::int64_t size_of(const SizeText& text, const Drawn& drawn, const std::string& place) {
  std::int64_t result = 1;
  char sign = '*';
  std::size_t begin = 0;
  while (true) {
    const std::size_t end = std::min(text.find_first_of("*/", begin), text.size());
    const std::int64_t value =
        value_of(std::string_view(text).substr(begin, end - begin), drawn, place);
    if (sign == '/' && value == 0)
      throw Error(ErrorKind::BadInput, fmt::format("{}{} divides by 0", place, text));
    // The smallest number of all has no counterpart above 0.
    const bool has_no_quotient =
        sign == '/' && value == -1 && result == std::numeric_limits<std::int64_t>::min();
    if (has_no_quotient || (sign == '*' && __builtin_mul_overflow(result, value, &result)))
      throw Error(ErrorKind::BadInput, fmt::format("{}{} is too large", place, text));
    if (sign == '/') result /= value;
    if (end == text.size()) return result;
    sign = text[end];
    begin = end + 1;
  }
}

std::vector<Dims> shapes_of(const std::vector<std::vector<SizeText>>& texts, const Drawn& drawn,
                            const std::string& place) {
  std::vector<Dims> shapes;
  for (const auto& shape : texts) {
    Dims& dims = shapes.emplace_back();
    for (const SizeText& size : shape) dims.push_back(size_of(size, drawn, place));
  }
  return shapes;
}

zoo::SingleOperator operator_with(const RandomOperators& wanted, const Drawn& drawn) {
  zoo::SingleOperator one{wanted.op,
                          shapes_of(wanted.inputs, drawn, wanted.place),
                          shapes_of(wanted.weights, drawn, wanted.place),
                          {}};
  using Kind = RandomOperators::NamedAttribute::Kind;
  for (const RandomOperators::NamedAttribute& attribute : wanted.attributes) {
    zoo::SingleOperator::Attribute value = attribute.real;
    if (attribute.kind == Kind::Text) value = attribute.texts.front();
    if (attribute.kind == Kind::Size) value = size_of(attribute.texts.front(), drawn, wanted.place);
    if (attribute.kind == Kind::Sizes) {
      zoo::Ints list;
      for (const SizeText& size : attribute.texts)
        list.push_back(size_of(size, drawn, wanted.place));
      value = std::move(list);
    }
    one.attributes.emplace_back(attribute.name, std::move(value));
  }
  return one;
}

/// Empty where the operator can be run, else why not.
std::string problem_of(const zoo::SingleOperator& one) {
  try {
    zoo::ModelWriter writer(1);
    zoo::write_operator(writer, one);
    const auto graph = zoo::weightless_graph(writer, one.op);
    const Inference inference = infer(*graph, {});
    const Node& node = graph->main.nodes.at(0);
    if (inference.nodes[node.id].status == NodeStatus::NoRule)
      return "there is no such operator in JouleTree's table";
    const auto& output = inference.values[node.outputs.at(0)];
    if (output.type != DataType::Float32) return "its result is not float32";
    for (const Dim size : output.dims.value_or(Dims{}))
      if (size <= 0) return "its result is empty";
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}

std::string label_of(const RandomOperators& wanted, const Drawn& drawn) {
  std::string label = wanted.op;
  for (const auto& [name, value] : drawn) label += fmt::format(" {}={}", name, value);
  return label;
}

}  // namespace

std::vector<DrawnOperator> draw_operators(const RandomOperators& wanted) {
  std::vector<DrawnOperator> operators;
  std::set<std::string> seen;
  Chance chance(wanted.seed);
  std::string problem = "all of them were drawn";
  for (std::int64_t tries = 0; tries < kTries * wanted.count; ++tries) {
    if (static_cast<std::int64_t>(operators.size()) == wanted.count) return operators;
    Drawn drawn;
    for (const auto& [name, values] : wanted.draw)
      drawn[name] = values[chance.below(values.size())];
    const std::string label = label_of(wanted, drawn);
    if (!seen.insert(label).second) continue;
    zoo::SingleOperator one = operator_with(wanted, drawn);
    const std::string refused = problem_of(one);
    if (refused.empty()) operators.push_back({std::move(one), label});
    if (!refused.empty()) problem = fmt::format("{}: {}", label, refused);
  }
  if (static_cast<std::int64_t>(operators.size()) == wanted.count) return operators;
  throw Error(ErrorKind::BadInput,
              fmt::format("{}only {} of {} can be drawn from these ranges; the last one that could "
                          "not be used: {}",
                          wanted.place, operators.size(),
                          number_of(static_cast<std::size_t>(wanted.count), "operator"), problem));
}

}  // namespace jouletree::campaign
