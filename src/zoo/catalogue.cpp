#include "zoo/catalogue.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/name_distance.hpp"
#include "jouletree/error.hpp"

namespace jouletree::zoo {
namespace {

constexpr std::size_t kSuggestions = 3;

std::string nearest_names(std::string_view wanted) {
  std::vector<std::string_view> names;
  for (const Architecture& row : catalogue()) names.push_back(row.name);
  std::stable_sort(names.begin(), names.end(), [&](std::string_view a, std::string_view b) {
    return name_distance(wanted, a) < name_distance(wanted, b);
  });
  std::string list;
  for (std::size_t i = 0; i < std::min(kSuggestions, names.size()); ++i)
    list += (list.empty() ? "" : ", ") + std::string(names[i]);
  return list;
}

std::vector<Architecture> join_families() {
  std::vector<Architecture> all;
  for (const auto rows :
       {alexnet_rows, vgg_rows, resnet_rows, mobilenet_rows, nas_bench_rows, mixed_rows, bert_rows,
        roberta_rows, distilbert_rows, albert_rows, gpt_rows, ctrl_rows, xlnet_rows, xlm_rows,
        transformer_xl_rows, t5_rows}) {
    const auto family = rows();
    all.insert(all.end(), family.begin(), family.end());
  }
  return all;
}

}  // namespace

const std::vector<Architecture>& catalogue() {
  static const std::vector<Architecture> all = join_families();
  return all;
}

const Architecture& find_architecture(std::string_view name) {
  for (const Architecture& row : catalogue())
    if (row.name == name) return row;
  throw Error(ErrorKind::BadInput,
              fmt::format("the zoo has no '{}'; nearest: {} (jouletree zoo list shows all)", name,
                          nearest_names(name)));
}

}  // namespace jouletree::zoo
