#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/database/model_choice.hpp"

namespace jouletree::store {

/// The batch that shapes such as "[8,3,224,224]" tell; nothing where they do not.
[[nodiscard]] std::optional<double> first_size(const std::vector<std::string>& inputs);
/// Whatever the case of letters.
[[nodiscard]] bool holds_text(std::string_view text, std::string_view part);
/// "a, b, c and 5 more".
[[nodiscard]] std::string some_of(const std::vector<std::string>& texts,
                                  const char* between = ", ");

/// What tells the sizes of a model apart, as short as that is possible.
class SizeTexts {
 public:
  explicit SizeTexts(const std::vector<FoundModel>& all);
  /// "batch 8, sequence 128"; may be empty.
  [[nodiscard]] const std::string& of(const FoundModel& one) const { return texts_.at(one.model); }
  [[nodiscard]] std::size_t count() const { return texts_.size(); }

 private:
  /// Adds a detail to texts that several models share and that differ in it.
  void tell_apart(const std::vector<FoundModel>& all, std::string (*detail)(const FoundModel&));

  std::map<Id, std::string> texts_;
};

/// Those that a choice such as "batch=8,engine=torch" means, in the same order; all
/// without one. Throws Error(BadInput) for a choice that cannot be read or fits nothing.
[[nodiscard]] std::vector<FoundModel> those_that_fit(const std::vector<FoundModel>& all,
                                                     const std::optional<std::string>& choice,
                                                     const std::string& place,
                                                     const SizeTexts& sizes);

/// One sentence each: other sizes, machines, engines and conditions, and how to choose them.
[[nodiscard]] std::vector<std::string> notes_on_others(const FoundModel& chosen,
                                                       const std::vector<FoundModel>& fitting,
                                                       const SizeTexts& sizes);

}  // namespace jouletree::store
