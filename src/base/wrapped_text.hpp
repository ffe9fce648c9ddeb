#pragma once

#include <iosfwd>
#include <memory>
#include <optional>
#include <streambuf>

namespace jouletree {

/// While it lives, lines that are too long for the terminal that the stream is go on in further
/// lines, at a word. Lines of files, pipes and other streams stay as they are. One thread may write
/// to the stream meanwhile.
class WrappedText {
 public:
  explicit WrappedText(std::ostream& out);
  /// Lines of this many columns, or of any length.
  WrappedText(std::ostream& out, std::optional<std::size_t> columns);
  ~WrappedText();
  WrappedText(const WrappedText&) = delete;
  WrappedText& operator=(const WrappedText&) = delete;

 private:
  std::ostream& out_;
  std::streambuf* const before_;
  std::unique_ptr<std::streambuf> wrapping_;  ///< None where nothing is wrapped.
};

}  // namespace jouletree
