#include "model/inference/size_candidates.hpp"

#include <algorithm>
#include <cmath>

#include "model/inference/name_parts.hpp"
#include "model/operators/table.hpp"

namespace jouletree::model {
namespace {

constexpr std::size_t kMostNumbers = 12;
constexpr std::size_t kMostCandidates = 64;
constexpr Dim kLargestSize = 1 << 20;

void add(std::vector<Dim>& sizes, Dim size, std::size_t most) {
  if (size < 1 || size > kLargestSize || sizes.size() >= most) return;
  if (std::find(sizes.begin(), sizes.end(), size) == sizes.end()) sizes.push_back(size);
}

/// Channels that a convolution with these weights takes.
Dim taken_channels(const Node& node, const OperatorFacts& facts, const Dims& weights) {
  if (facts.axes == AxisFlow::ConvolutionBack) return weights[0];
  const Attribute* group = node.attribute("group");
  return weights[1] * (group == nullptr ? 1 : group->integer);
}

/// now × √(wanted ÷ found), or 0 where that is no whole number.
Dim grown_with_root(Dim now, Dim wanted, Dim found) {
  if (wanted < 4 || found < 4) return 0;
  const auto root_of = [](Dim number) {
    return static_cast<Dim>(std::llround(std::sqrt(static_cast<double>(number))));
  };
  const Dim wanted_root = root_of(wanted);
  const Dim found_root = root_of(found);
  const bool squares = wanted_root * wanted_root == wanted && found_root * found_root == found;
  return squares && now * wanted_root % found_root == 0 ? now * wanted_root / found_root : 0;
}

}  // namespace

std::vector<Dim> numbers_of(Evaluator& evaluator, const Node& node) {
  std::vector<Dim> numbers;
  const OperatorFacts& facts = facts_of(node.domain, node.op);
  for (std::size_t slot = 0; slot < node.inputs.size(); ++slot) {
    const ValueId id = node.inputs[slot];
    if (id == kNoValue) continue;
    const auto& dims = evaluator.state(id).type.dims;
    if (!dims) continue;
    if (is_convolution(facts)) {
      if (slot > 0 && dims->size() >= 3)
        add(numbers, taken_channels(node, facts, *dims), kMostNumbers);
      continue;
    }
    for (const Dim dim : *dims) add(numbers, dim, kMostNumbers);
    const Count all = elements_of(*dims);
    if (all.known()) add(numbers, all.value(), kMostNumbers);
    if (dims->size() > 1 || !evaluator.has_content(id)) continue;
    const Elements* content = evaluator.content(id);
    for (std::size_t i = 0; content != nullptr && i < std::min<std::size_t>(8, content->size());
         ++i)
      if ((*content)[i].known()) add(numbers, (*content)[i].as_integer(), kMostNumbers);
  }
  return numbers;
}

std::vector<Dim> sizes_for(Evaluator& evaluator, const Node& failed, Dim now) {
  const std::vector<Dim> numbers = numbers_of(evaluator, failed);
  std::vector<Dim> sizes;
  for (const Dim number : numbers)
    if (number != now) add(sizes, number, kMostCandidates);
  const auto for_all_pairs = [&](auto&& size_of) {
    for (const Dim wanted : numbers) {
      for (const Dim found : numbers)
        if (wanted != found) add(sizes, size_of(wanted, found), kMostCandidates);
    }
  };
  // Patches of an image grow with the square of its side; some models add one token.
  for_all_pairs([&](Dim wanted, Dim found) { return grown_with_root(now, wanted, found); });
  for_all_pairs([&](Dim wanted, Dim found) { return grown_with_root(now, wanted - 1, found - 1); });
  for_all_pairs(
      [&](Dim wanted, Dim found) { return now * wanted % found == 0 ? now * wanted / found : 0; });
  for_all_pairs([&](Dim wanted, Dim found) { return now + wanted - found; });
  for (const Dim number : numbers)
    add(sizes, (now + number - 1) / number * number, kMostCandidates);
  sizes.erase(std::remove(sizes.begin(), sizes.end(), now), sizes.end());
  return sizes;
}

}  // namespace jouletree::model
