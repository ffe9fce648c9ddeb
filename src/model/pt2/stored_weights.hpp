#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/pt2/value_scope.hpp"

namespace jouletree::model::pt2 {

/// What a program stores: parameters, buffers and constants. Those that show the same memory of the
/// same file of the archive in the same way are one tensor.
class StoredWeights {
 public:
  /// There is no `config` in archives that do not say where their weights are.
  StoredWeights(const std::optional<dom::object>& config, SizeTable& sizes, Numbering& numbers);

  /// Makes a tensor known in the scope of the program, if the specification of an input tells of
  /// one that is stored.
  void add(const dom::element& input_spec, ValueScope& scope);
  [[nodiscard]] std::vector<runtime::RecordedStore> take() { return std::move(stored_); }

 private:
  struct Place {
    std::string way;        ///< File, type, sizes, strides and offset.
    std::string_view file;  ///< Empty where it is not known.
    bool trainable = false;
    bool is_known = false;
  };

  [[nodiscard]] Place place_of(std::string_view name);

  std::unordered_map<std::string_view, dom::element> config_;
  SizeTable& sizes_;
  Numbering& numbers_;
  std::unordered_map<std::string, std::uint64_t> tensors_;        ///< Numbers by way.
  std::unordered_map<std::string_view, std::uint64_t> storages_;  ///< Numbers by file.
  std::vector<runtime::RecordedStore> stored_;
};

}  // namespace jouletree::model::pt2
