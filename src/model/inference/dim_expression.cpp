#include "model/inference/dim_expression.hpp"

#include <cctype>
#include <charconv>

namespace jouletree::model {
namespace {

using SymbolSize = std::function<std::optional<Dim>(std::string_view)>;
constexpr int kMaxParentheses = 32;

/// Recursive descent over + - * / // and parentheses; floor(x) is x, as divisions round down.
class Parser {
 public:
  Parser(std::string_view text, const SymbolSize& lookup) : rest_(text), lookup_(lookup) {}

  std::optional<Dim> parse() {
    const auto value = sum();
    skip_space();
    return rest_.empty() ? value : std::nullopt;
  }

 private:
  std::optional<Dim> sum() {
    auto left = product();
    while (left) {
      const char sign = take_any("+-");
      if (sign == '\0') break;
      const auto right = product();
      if (!right) return std::nullopt;
      const bool overflow = sign == '+' ? __builtin_add_overflow(*left, *right, &*left)
                                        : __builtin_sub_overflow(*left, *right, &*left);
      if (overflow) return std::nullopt;
    }
    return left;
  }

  std::optional<Dim> product() {
    auto left = factor();
    while (left) {
      const char sign = take_any("*/");
      if (sign == '\0') break;
      if (sign == '/') take_any("/");
      const auto right = factor();
      if (!right) return std::nullopt;
      if (sign == '*') {
        if (__builtin_mul_overflow(*left, *right, &*left)) return std::nullopt;
      } else {
        if (*right <= 0 || *left < 0) return std::nullopt;
        left = *left / *right;
      }
    }
    return left;
  }

  std::optional<Dim> factor() {
    skip_space();
    if (take_any("(") != '\0') return parenthesised();
    std::size_t length = 0;
    while (length < rest_.size() && (std::isalnum(static_cast<unsigned char>(rest_[length])) != 0 ||
                                     rest_[length] == '_' || rest_[length] == '.'))
      ++length;
    const std::string_view word = rest_.substr(0, length);
    rest_.remove_prefix(length);
    if (word.empty()) return std::nullopt;
    if (word == "floor" && take_any("(") != '\0') return parenthesised();
    if (std::isdigit(static_cast<unsigned char>(word[0])) == 0) return lookup_(word);
    Dim number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
    return number;
  }

  std::optional<Dim> parenthesised() {
    if (++open_ > kMaxParentheses) return std::nullopt;
    const auto value = sum();
    --open_;
    return take_any(")") != '\0' ? value : std::nullopt;
  }

  void skip_space() {
    while (!rest_.empty() && rest_.front() == ' ') rest_.remove_prefix(1);
  }

  char take_any(std::string_view wanted) {
    skip_space();
    if (rest_.empty() || wanted.find(rest_.front()) == std::string_view::npos) return '\0';
    const char taken = rest_.front();
    rest_.remove_prefix(1);
    return taken;
  }

  std::string_view rest_;
  const SymbolSize& lookup_;
  int open_ = 0;
};

}  // namespace

std::optional<Dim> evaluate_dim_expression(std::string_view text, const SymbolSize& symbol) {
  return Parser(text, symbol).parse();
}

bool visit_dim_symbols(std::string_view text, const std::function<void(std::string_view)>& visit) {
  const SymbolSize count = [&](std::string_view name) {
    visit(name);
    return std::optional<Dim>(1);
  };
  return Parser(text, count).parse().has_value();
}

}  // namespace jouletree::model
