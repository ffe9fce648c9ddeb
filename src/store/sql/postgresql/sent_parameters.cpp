#include "store/sql/postgresql/sent_parameters.hpp"

#include <array>
#include <charconv>
#include <limits>

namespace jouletree::store::sql {
namespace {

constexpr std::size_t kNull = std::numeric_limits<std::size_t>::max();

/// Appends one value, and tells whether it is there at all.
struct AppendValue {
  std::string& texts;

  bool operator()(std::monostate /*null*/) const { return false; }
  bool operator()(std::int64_t number) const { return append_number(number); }
  // As SQLite keeps it: without the sign of zero.
  bool operator()(double number) const { return append_number(number + 0.0); }
  bool operator()(std::string_view text) const { return texts.append(text), true; }
  bool operator()(BlobView blob) const { return texts.append(blob.bytes), true; }

 private:
  template <class Number>
  bool append_number(Number number) const {
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    texts.append(digits.data(), end);
    return true;
  }
};

}  // namespace

void SentParameters::fill(std::span<const Parameter> parameters) {
  texts_.clear();
  offsets_.clear();
  values_.clear();
  lengths_.clear();
  formats_.clear();
  for (const Parameter& parameter : parameters) {
    const std::size_t offset = texts_.size();
    offsets_.push_back(std::visit(AppendValue{texts_}, parameter) ? offset : kNull);
    lengths_.push_back(static_cast<int>(texts_.size() - offset));
    formats_.push_back(std::holds_alternative<BlobView>(parameter) ? 1 : 0);
    texts_ += '\0';
  }
  for (const std::size_t offset : offsets_)
    values_.push_back(offset == kNull ? nullptr : texts_.data() + offset);
}

}  // namespace jouletree::store::sql
