#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engines/onnxruntime/renamed_values.hpp"

namespace jouletree::engines {

/// Whether the main graph has an If, Loop or Scan. Cheap, unlike a FlatModel, which holds a copy of
/// all weights.
[[nodiscard]] bool has_bodies(std::string_view model);

/// How the values that with_probes() adds are named.
[[nodiscard]] std::string seen_name(std::string_view value);

/// A model whose Ifs are replaced, one by one, with the nodes of the branch that runs, and to whose
/// Loops and Scans the nodes of one iteration are added. What remains gives the same results, as
/// long as conditions and numbers of iterations are what they were.
class FlatModel {
 public:
  /// An If of the main graph.
  struct Choice {
    std::size_t at = 0;     ///< Its place among the nodes of the main graph.
    std::string output;     ///< The first one that has a name.
    std::string condition;  ///< The value that decides.
  };
  /// A Loop or Scan of the main graph.
  struct Repetition {
    std::size_t at = 0;
    std::string output;
    std::string counter;   ///< A value that has as many slices as there are iterations.
    std::size_t axis = 0;  ///< Along which the counter has them; from the end if that is negative.
    bool axis_from_end = false;
  };
  /// A node that was in a loop, or is still there although its body was taken.
  struct Origin {
    std::int64_t runs = 1;      ///< Of the node in one run of the model.
    bool stands_aside = false;  ///< It is there to give values to others, and is no operator.
  };

  /// Throws Error(BadInput) for bytes that are no model.
  explicit FlatModel(std::string_view model);

  /// Those that can be replaced: not one whose branches hold sparse weights.
  [[nodiscard]] std::vector<Choice> choices() const;
  /// Those that still stand for their bodies.
  [[nodiscard]] std::vector<Repetition> repetitions() const;
  /// The model as it is now, which also gives the condition of each choice and the counter of each
  /// repetition by their seen_name().
  [[nodiscard]] std::string with_probes() const;
  /// Puts the nodes of a branch in the place of the If. Values keep their names, but for those
  /// whose names are taken; results are named as those of the If. Places of nodes behind it are no
  /// longer valid.
  void take_branch(const Choice& choice, bool then);
  /// Adds the nodes of one iteration, the first one of which is 0, behind the node, which stands
  /// aside from now on.
  void take_iteration(const Repetition& repetition, std::int64_t iterations,
                      std::int64_t iteration);
  [[nodiscard]] std::string bytes() const;
  /// By first output; nodes that are left out run once and are operators.
  [[nodiscard]] std::map<std::string, Origin, std::less<>> origins() const;

 private:
  struct Item {
    std::string bytes;
    Origin origin{};
  };

  [[nodiscard]] std::string with_more(const std::vector<Item>& items,
                                      const std::string& more) const;
  [[nodiscard]] std::string free_name(std::string_view name) const;
  /// New names for all that the body defines and whose names are taken.
  void find_free_names(const BodyParts& body, NewNames& names);
  void add_initializers(const BodyParts& body, const NewNames& names);
  /// The nodes that give a body of a Loop or Scan what it reads in one iteration.
  std::vector<Item> feed_loop(std::string_view node, const BodyParts& body, std::int64_t iteration,
                              NewNames& names);
  std::vector<Item> feed_scan(std::string_view node, const BodyParts& body, std::int64_t iteration,
                              NewNames& names);
  std::string add_number(const std::string& name, std::int64_t number, std::size_t rank);
  std::string add_true(const std::string& name, std::size_t rank);

  std::string head_;  ///< All fields of the model beside the graph.
  std::vector<Item> nodes_;
  std::string rest_;                          ///< All fields of the graph beside the nodes.
  std::set<std::string, std::less<>> names_;  ///< Of all values of the main graph.
};

}  // namespace jouletree::engines
