#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "jouletree/predict.hpp"
#include "predict/loaded_run.hpp"

namespace jouletree::predict {

/// What an operator must have in common with the training data.
enum class Likeness {
  Name,         ///< Its group; what was measured of it stands for its size.
  NameAndSize,  ///< Its group, and no size outside those of the group.
  /// Names tell little: no more work than any of its group or, where it is of none, of its class.
  Size,
};

/// Where the training data end: the sizes that each group of operators had in them.
class TrainedRanges {
 public:
  TrainedRanges() = default;
  explicit TrainedRanges(const std::vector<TreeRun>& runs);

  /// Of each node, whether it is an operator unlike those of the training data, or holds one.
  [[nodiscard]] std::vector<char> beyond(const LoadedRun& loaded, Likeness likeness) const;
  /// Of each node, whether it is an operator of a family that the training data lack.
  [[nodiscard]] std::vector<char> unseen(const LoadedRun& loaded) const;
  /// What the training data call the work of an operator: "linear" for Gemm. Nothing where they
  /// have no name for it.
  [[nodiscard]] std::optional<std::string> word_for(const TreeRun& run, const RunNode& node) const;
  /// Most of the operators that do any work are of groups that the training data hold.
  [[nodiscard]] bool knows_names(const TreeRun& run) const;
  /// What the other has seen counts as seen, too.
  void add(const TrainedRanges& other);
  [[nodiscard]] std::vector<FeatureRange> list() const;
  [[nodiscard]] nlohmann::ordered_json to_json() const;
  [[nodiscard]] static TrainedRanges from_json(const nlohmann::ordered_json& json);

 private:
  struct Sizes {
    WorkClass work_class = WorkClass::Memory;
    std::string family;  ///< See work_family.
    Range mflops;
    Range mebibytes;
  };
  void add(const std::string& group, const Sizes& sizes);
  void learn_word(const std::string& group, const Sizes& sizes);
  [[nodiscard]] bool is_known(const OperatorLoad& work, Likeness likeness) const;

  std::map<std::string, Sizes, std::less<>> groups_;
  std::set<std::string, std::less<>> families_;            ///< Of the groups.
  std::set<std::string, std::less<>> types_;               ///< Of the groups, without variants.
  std::map<std::string, std::string, std::less<>> words_;  ///< By common_name: the type.
};

}  // namespace jouletree::predict
