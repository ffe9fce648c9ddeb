#include "report/page/page_tree.hpp"

namespace jouletree::report {

PageNodeKind page_kind_of(std::string_view word) {
  if (word == "model") return PageNodeKind::Model;
  return word == "module" ? PageNodeKind::Module : PageNodeKind::Operator;
}

void PageTree::add_node(int parent, PageNodeKind kind, const std::string& name,
                        const std::string& type) {
  parents_.push_back(parent);
  kinds_.push_back(static_cast<int>(kind));
  names_.push_back(texts_.place_of(name));
  types_.push_back(texts_.place_or_none(type));
}

void PageTree::add_column(const PageColumn& column) {
  if (!column.is_empty()) columns_.push_back(column.json());
}

nlohmann::ordered_json PageTree::json() const {
  return {{"texts", texts_.json()}, {"parent", parents_}, {"kind", kinds_},
          {"name", names_},         {"type", types_},     {"columns", columns_}};
}

std::string name_below(const std::string& scope, const std::string& parent) {
  if (!parent.empty() && scope.starts_with(parent + ".")) return scope.substr(parent.size() + 1);
  return scope;
}

}  // namespace jouletree::report
