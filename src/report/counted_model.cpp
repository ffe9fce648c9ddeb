#include "report/counted_model.hpp"

#include "zoo/named_model.hpp"

namespace jouletree::report {

ModelTree count_model(const std::string& given, const InputSettings& settings) {
  ModelTree tree = build_tree(zoo::read_or_make(given, settings), settings);
  if (zoo::is_zoo_name(given)) tree.name = given;
  return tree;
}

}  // namespace jouletree::report
