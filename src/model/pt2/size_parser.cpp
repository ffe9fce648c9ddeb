#include <array>
#include <cctype>
#include <charconv>
#include <utility>

#include "model/pt2/size_expression.hpp"

namespace jouletree::model::pt2 {
namespace {

using Kind = SizeExpression::Kind;

constexpr int kMostNested = 48;
constexpr std::size_t kLongest = 16384;

struct SizeFunction {
  std::string_view name;
  Kind kind;
};

/// SymPy's names, and those that PyTorch adds to them.
constexpr std::array kSizeFunctions = {SizeFunction{"Add", Kind::Sum},
                                       SizeFunction{"Mul", Kind::Product},
                                       SizeFunction{"Pow", Kind::Power},
                                       SizeFunction{"PowByNatural", Kind::Power},
                                       SizeFunction{"FloorDiv", Kind::FloorQuotient},
                                       SizeFunction{"CleanDiv", Kind::FloorQuotient},
                                       SizeFunction{"CeilDiv", Kind::CeilingQuotient},
                                       SizeFunction{"IntTrueDiv", Kind::Quotient},
                                       SizeFunction{"FloatTrueDiv", Kind::Quotient},
                                       SizeFunction{"TrueDiv", Kind::Quotient},
                                       SizeFunction{"Rational", Kind::Quotient},
                                       SizeFunction{"Mod", Kind::Remainder},
                                       SizeFunction{"PythonMod", Kind::Remainder},
                                       SizeFunction{"Max", Kind::Largest},
                                       SizeFunction{"Min", Kind::Smallest},
                                       SizeFunction{"floor", Kind::Floor},
                                       SizeFunction{"FloorToInt", Kind::Floor},
                                       SizeFunction{"ceiling", Kind::Ceiling},
                                       SizeFunction{"CeilToInt", Kind::Ceiling},
                                       SizeFunction{"TruncToInt", Kind::Truncated},
                                       SizeFunction{"TruncToFloat", Kind::Truncated},
                                       SizeFunction{"RoundToInt", Kind::Rounded},
                                       SizeFunction{"Abs", Kind::Absolute},
                                       SizeFunction{"Eq", Kind::Equal},
                                       SizeFunction{"Equality", Kind::Equal},
                                       SizeFunction{"Ne", Kind::Different},
                                       SizeFunction{"Unequality", Kind::Different},
                                       SizeFunction{"StrictGreaterThan", Kind::Greater},
                                       SizeFunction{"GreaterThan", Kind::GreaterOrEqual},
                                       SizeFunction{"StrictLessThan", Kind::Less},
                                       SizeFunction{"LessThan", Kind::LessOrEqual},
                                       SizeFunction{"And", Kind::All},
                                       SizeFunction{"Or", Kind::Any},
                                       SizeFunction{"Not", Kind::Not},
                                       SizeFunction{"ToFloat", Kind::Same},
                                       SizeFunction{"Identity", Kind::Same},
                                       SizeFunction{"Integer", Kind::Same},
                                       SizeFunction{"Float", Kind::Same}};

bool is_word_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Recursive descent over calls of functions, + - * / // % ** and parentheses. A problem anywhere
/// ends it.
class SizeParser {
 public:
  explicit SizeParser(std::string_view text) : rest_(text) {}

  std::optional<SizeExpression> parse() {
    SizeExpression size = sum();
    for (const auto& [sign, kind] :
         {std::pair(">=", Kind::GreaterOrEqual), std::pair("<=", Kind::LessOrEqual),
          std::pair(">", Kind::Greater), std::pair("<", Kind::Less)})
      if (!failed_ && take(sign)) size = joined(kind, std::move(size), sum());
    skip_space();
    if (failed_ || !rest_.empty()) return std::nullopt;
    return size;
  }

 private:
  static SizeExpression joined(Kind kind, SizeExpression left, SizeExpression right) {
    SizeExpression size;
    size.kind = kind;
    size.parts.push_back(std::move(left));
    size.parts.push_back(std::move(right));
    return size;
  }

  static SizeExpression number(double value) {
    SizeExpression size;
    size.kind = Kind::Number;
    size.number = value;
    return size;
  }

  SizeExpression fail() {
    failed_ = true;
    return {};
  }

  SizeExpression sum() {
    if (++nested_ > kMostNested) return fail();
    SizeExpression left = product();
    while (!failed_) {
      if (take("+")) {
        left = joined(Kind::Sum, std::move(left), product());
      } else if (take("-")) {
        left = joined(Kind::Sum, std::move(left), joined(Kind::Product, number(-1), product()));
      } else {
        break;
      }
    }
    --nested_;
    return left;
  }

  SizeExpression product() {
    SizeExpression left = signed_power();
    while (!failed_) {
      if (take("//")) {
        left = joined(Kind::FloorQuotient, std::move(left), signed_power());
      } else if (take("/")) {
        left = joined(Kind::Quotient, std::move(left), signed_power());
      } else if (take("%")) {
        left = joined(Kind::Remainder, std::move(left), signed_power());
      } else if (take("*")) {
        left = joined(Kind::Product, std::move(left), signed_power());
      } else {
        break;
      }
    }
    return left;
  }

  SizeExpression signed_power() {
    if (++nested_ > kMostNested) return fail();
    SizeExpression size;
    if (take("-")) {
      size = signed_power();
      size = size.kind == Kind::Number ? number(-size.number)
                                       : joined(Kind::Product, number(-1), std::move(size));
    } else {
      size = atom();
      if (!failed_ && take("**")) size = joined(Kind::Power, std::move(size), signed_power());
    }
    --nested_;
    return size;
  }

  SizeExpression atom() {
    if (take("(")) {
      SizeExpression size = sum();
      return take(")") ? size : fail();
    }
    skip_space();
    if (rest_.empty()) return fail();
    if (rest_.front() == '\'' || rest_.front() == '"') return quoted();
    if (std::isdigit(static_cast<unsigned char>(rest_.front())) != 0 || rest_.front() == '.')
      return plain_number();
    const std::string_view word = take_word();
    if (word.empty()) return fail();
    if (take("(")) return call(word);
    SizeExpression size;
    size.kind = Kind::Symbol;
    size.name = word;
    return size;
  }

  SizeExpression plain_number() {
    double value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc{}) return fail();
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return number(value);
  }

  /// The name of a symbol, or a number as SymPy writes those with fractions: Float('0.5').
  SizeExpression quoted() {
    const std::size_t close = rest_.find(rest_.front(), 1);
    if (close == std::string_view::npos) return fail();
    const std::string_view text = rest_.substr(1, close - 1);
    rest_.remove_prefix(close + 1);
    SizeExpression size;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size.number);
    const bool is_number = error == std::errc{} && end == text.data() + text.size();
    size.kind = is_number ? Kind::Number : Kind::Symbol;
    if (!is_number) size.name = text;
    return size;
  }

  SizeExpression call(std::string_view name) {
    SizeExpression size;
    for (const SizeFunction& function : kSizeFunctions)
      if (function.name == name) size.kind = function.kind;
    if (name == "Symbol") size.kind = Kind::Same;
    if (take(")")) return size;
    do {
      if (!skip_setting()) size.parts.push_back(sum());
    } while (!failed_ && take(","));
    if (failed_ || !take(")")) return fail();
    if (size.kind == Kind::Same && !size.parts.empty()) {
      SizeExpression only = std::move(size.parts.front());
      return only;
    }
    return size;
  }

  /// "positive=True" says nothing about a size.
  bool skip_setting() {
    const std::string_view before = rest_;
    const std::string_view word = take_word();
    if (!word.empty() && take("=")) {
      (void)sum();
      return true;
    }
    rest_ = before;
    return false;
  }

  std::string_view take_word() {
    skip_space();
    std::size_t length = 0;
    while (length < rest_.size() && is_word_letter(rest_[length])) ++length;
    const std::string_view word = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return word;
  }

  void skip_space() {
    while (!rest_.empty() && rest_.front() == ' ') rest_.remove_prefix(1);
  }

  bool take(std::string_view wanted) {
    skip_space();
    if (!rest_.starts_with(wanted)) return false;
    // "*" is no part of "**".
    if (wanted == "*" && rest_.starts_with("**")) return false;
    rest_.remove_prefix(wanted.size());
    return true;
  }

  std::string_view rest_;
  int nested_ = 0;
  bool failed_ = false;
};

}  // namespace

std::optional<SizeExpression> parse_size(std::string_view text) {
  if (text.size() > kLongest) return std::nullopt;
  return SizeParser(text).parse();
}

}  // namespace jouletree::model::pt2
