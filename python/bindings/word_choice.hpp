#pragma once

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "jouletree/error.hpp"

namespace jouletree::python {

template <class Value>
using Words = std::vector<std::pair<const char*, Value>>;

/// What a word stands for. Throws Error(BadInput) naming the argument and the words that it takes.
template <class Value>
Value choice(const char* argument, const std::string& given, const Words<Value>& words) {
  std::string known;
  for (const auto& [word, value] : words) {
    if (given == word) return value;
    known += fmt::format("{}'{}'", known.empty() ? "" : ", ", word);
  }
  throw Error(ErrorKind::BadInput,
              fmt::format("{} is '{}'; it takes one of {}", argument, given, known));
}

}  // namespace jouletree::python
