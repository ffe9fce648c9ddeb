#include "base/wrapped_text.hpp"

#include <algorithm>
#include <ostream>
#include <string>

#include "base/display_width.hpp"
#include "base/terminal.hpp"

namespace jouletree {
namespace {

constexpr std::size_t kHangingIndent = 2;

/// Hands on whole lines.
class WrappingBuffer : public std::streambuf {
 public:
  WrappingBuffer(std::streambuf& to, std::size_t columns) : to_(to), columns_(columns) {}

  void finish() {
    write(line_);
    line_.clear();
  }

 protected:
  int_type overflow(int_type letter) override {
    if (traits_type::eq_int_type(letter, traits_type::eof())) return traits_type::not_eof(letter);
    line_ += traits_type::to_char_type(letter);
    if (line_.back() != '\n') return letter;
    line_.pop_back();
    write_wrapped();
    const bool is_taken = write("\n");
    line_.clear();
    return is_taken ? letter : traits_type::eof();
  }

  std::streamsize xsputn(const char* text, std::streamsize size) override {
    for (std::streamsize i = 0; i < size; ++i) {
      const int_type letter = traits_type::to_int_type(text[i]);
      if (!traits_type::eq_int_type(overflow(letter), letter)) return i;
    }
    return size;
  }

  int sync() override { return to_.pubsync(); }

 private:
  bool write(std::string_view text) {
    const auto size = static_cast<std::streamsize>(text.size());
    return to_.sputn(text.data(), size) == size;
  }

  void write_wrapped() {
    if (display_width(line_) <= columns_) {
      write(line_);
      return;
    }
    const std::size_t indent = std::min(line_.find_first_not_of(' '), line_.size());
    std::string before(indent, ' ');
    std::string_view rest = std::string_view(line_).substr(indent);
    while (!rest.empty()) {
      const std::size_t room = columns_ > before.size() ? columns_ - before.size() : 1;
      write(before + take_words(rest, room));
      if (rest.empty()) return;
      write("\n");
      before = std::string(indent + kHangingIndent, ' ');
    }
  }

  std::streambuf& to_;
  std::size_t columns_;
  std::string line_;
};

}  // namespace

WrappedText::WrappedText(std::ostream& out) : WrappedText(out, terminal_columns(out)) {}

WrappedText::WrappedText(std::ostream& out, std::optional<std::size_t> columns)
    : out_(out), before_(out.rdbuf()) {
  if (!columns) return;
  wrapping_ = std::make_unique<WrappingBuffer>(*before_, *columns);
  out_.rdbuf(wrapping_.get());
}

WrappedText::~WrappedText() {
  if (!wrapping_) return;
  static_cast<WrappingBuffer&>(*wrapping_).finish();
  const auto state = out_.rdstate();
  out_.rdbuf(before_);
  // A stream forgets its troubles with its buffer.
  out_.setstate(state);
}

}  // namespace jouletree
