#include "zoo/catalogue.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "jouletree/error.hpp"

namespace jouletree::zoo {
namespace {

constexpr std::size_t kSuggestions = 3;

/// Letters to insert, drop or change to get from one text to the other.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t change = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({change, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

/// Edits, but people rather get the end of a name wrong than its beginning.
std::int64_t strangeness(std::string_view wanted, std::string_view name) {
  const auto end = std::mismatch(wanted.begin(), wanted.end(), name.begin(), name.end()).first;
  return static_cast<std::int64_t>(edit_distance(wanted, name)) - 2 * (end - wanted.begin());
}

std::string nearest_names(std::string_view wanted) {
  std::vector<std::string_view> names;
  for (const Architecture& row : catalogue()) names.push_back(row.name);
  std::stable_sort(names.begin(), names.end(), [&](std::string_view a, std::string_view b) {
    return strangeness(wanted, a) < strangeness(wanted, b);
  });
  std::string list;
  for (std::size_t i = 0; i < std::min(kSuggestions, names.size()); ++i)
    list += (list.empty() ? "" : ", ") + std::string(names[i]);
  return list;
}

std::vector<Architecture> join_families() {
  std::vector<Architecture> all;
  for (const auto rows : {alexnet_rows, vgg_rows, resnet_rows, mobilenet_rows, bert_rows,
                          roberta_rows, distilbert_rows, albert_rows, gpt_rows, ctrl_rows,
                          xlnet_rows, xlm_rows, transformer_xl_rows, t5_rows}) {
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
