#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "jouletree/error.hpp"
#include "jouletree/inference.hpp"

namespace jouletree {
namespace {

template <class Settings>
void remove_names(std::set<std::string>& names, const Settings& used) {
  for (const auto& entry : used) names.erase(entry.first);
}

template <class Settings>
void add_names(std::set<std::string>& names, const Settings& given) {
  for (const auto& entry : given) names.insert(entry.first);
}

}  // namespace

void refuse_unused(const InputSettings& settings, const std::vector<InputSettings>& used) {
  std::set<std::string> names;
  add_names(names, settings.shapes);
  add_names(names, settings.symbols);
  add_names(names, settings.values);
  for (const InputSettings& part : used) {
    remove_names(names, part.shapes);
    remove_names(names, part.symbols);
    remove_names(names, part.values);
  }
  if (names.empty()) return;
  throw Error(ErrorKind::BadInput,
              fmt::format("none of the models has an input or symbolic dimension '{}'",
                          fmt::join(names, "', '")));
}

}  // namespace jouletree
