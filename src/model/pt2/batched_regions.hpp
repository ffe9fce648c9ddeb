#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/pt2/value_scope.hpp"

namespace jouletree::model::pt2 {

/// What torch.vmap leaves in a graph: marks around nodes whose tensors have one dimension less than
/// what is computed. They become the body of a loop over that dimension.
class BatchedRegions {
 public:
  using Calls = std::vector<runtime::RecordedCall>;

  explicit BatchedRegions(Calls& around) : around_(around) {}

  /// Where the next calls belong.
  [[nodiscard]] Calls& calls();
  /// False for a node that is no such mark.
  bool take(const dom::object& node, std::string_view op, const dom::array& inputs,
            const std::vector<runtime::RecordedModule>& path, ValueScope& scope);
  /// Ends regions that the graph leaves open.
  void close();

 private:
  void begin(const std::vector<runtime::Argument>& arguments,
             const std::vector<runtime::RecordedModule>& path);
  void end();

  Calls& around_;
  std::vector<runtime::RecordedCall> open_;  ///< Outermost first.
};

}  // namespace jouletree::model::pt2
