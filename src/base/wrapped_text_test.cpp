#include "base/wrapped_text.hpp"

#include <sstream>

#include <gtest/gtest.h>

namespace jouletree {
namespace {

std::string wrapped(const std::string& text, std::optional<std::size_t> columns) {
  std::ostringstream out;
  {
    const WrappedText wrapping(out, columns);
    out << text;
  }
  out << "|";
  return out.str();
}

TEST(WrappedText, GoesOnAtAWord) {
  EXPECT_EQ(wrapped("Note: the file stores means\nshort\n", 16),
            "Note: the file\n"
            "  stores means\n"
            "short\n|");
}

TEST(WrappedText, KeepsTheIndentOfALine) {
  EXPECT_EQ(wrapped("  rapl: no zones here\n", 12), "  rapl: no\n    zones\n    here\n|");
}

TEST(WrappedText, CountsColumnsNotBytes) { EXPECT_EQ(wrapped("äöü äöü\n", 7), "äöü äöü\n|"); }

TEST(WrappedText, AWordThatDoesNotFitStaysWhole) {
  EXPECT_EQ(wrapped("see /a/very/long/path now\n", 8), "see\n  /a/very/long/path\n  now\n|");
}

TEST(WrappedText, WhatDoesNotEndItsLineIsNotLost) { EXPECT_EQ(wrapped("a b", 10), "a b|"); }

TEST(WrappedText, LeavesOtherStreamsAlone) {
  const std::string text(500, 'x');
  EXPECT_EQ(wrapped(text + " y\n", std::nullopt), text + " y\n|");
  std::ostringstream out;
  {
    const WrappedText wrapping(out);
    out << text << " y\n";
  }
  EXPECT_EQ(out.str(), text + " y\n");
}

}  // namespace
}  // namespace jouletree
