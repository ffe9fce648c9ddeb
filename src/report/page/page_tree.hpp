#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/page/page_columns.hpp"

namespace jouletree::report {

/// `Kind` of web/src/data.ts.
enum class PageNodeKind { Model = 0, Module = 1, Operator = 2 };

/// Of the words "model" and "module"; all else are operators.
[[nodiscard]] PageNodeKind page_kind_of(std::string_view word);

/// `Tree` of web/src/data.ts, row by row, parents before their children.
class PageTree {
 public:
  static constexpr int kRoot = -1;

  void add_node(int parent, PageNodeKind kind, const std::string& name, const std::string& type);
  /// With as many cells as there are nodes. One without any value is left out.
  void add_column(const PageColumn& column);
  [[nodiscard]] nlohmann::ordered_json json() const;

 private:
  PageTexts texts_;
  std::vector<int> parents_;
  std::vector<int> kinds_;
  std::vector<int> names_;
  std::vector<int> types_;
  nlohmann::ordered_json columns_ = nlohmann::ordered_json::array();
};

/// The last part of a scope below that of its parent: "0.attention" below "encoder" where the
/// module between has no node of its own.
[[nodiscard]] std::string name_below(const std::string& scope, const std::string& parent);

}  // namespace jouletree::report
